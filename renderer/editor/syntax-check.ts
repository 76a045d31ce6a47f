/** Faults of the syntax while one types: read by the image, which evaluates and interns nothing for that, else by the window's own reader. */
import type { syntaxProblem } from '#contract/introspection.ts';
import type { z } from 'zod';
import { askImage } from '../features/names.ts';
import { readingOf } from './active-editor.ts';
import { LISP } from './language.ts';
import { monaco } from './monaco.ts';
import { packageNear } from './providers/context.ts';

type SyntaxProblem = z.infer<typeof syntaxProblem>;
type Model = monaco.editor.ITextModel;

const OWNER = 'syntax';
/** Milliseconds without a key before the text is looked at. */
const REST_MS = 500;
/** Characters of a text that is looked at; a longer one is left alone. */
const LONGEST = 1_000_000;
const PATIENCE_MS = 1_500;
const MOST = 100;

/** Looks at the shown text whenever typing rests, and when another is shown. */
export function installSyntaxCheck(editor: monaco.editor.IStandaloneCodeEditor): monaco.IDisposable {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const later = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => {
      const model = editor.getModel();
      if (model) void check(model);
    }, REST_MS);
  };
  const typed = editor.onDidChangeModelContent(later);
  const shown = editor.onDidChangeModel(later);
  return {
    dispose: () => {
      if (timer !== null) clearTimeout(timer);
      typed.dispose();
      shown.dispose();
    },
  };
}

async function check(model: Model): Promise<void> {
  if (model.getLanguageId() !== LISP || model.getValueLength() > LONGEST) return;
  const version = model.getVersionId();
  const text = model.getValue(monaco.editor.EndOfLinePreference.LF);
  const answer = await askImage('names.checkSyntax', { text, package: packageNear(model, 1) }, PATIENCE_MS);
  if (model.isDisposed() || model.getVersionId() !== version) return;
  const found = answer?.problems ?? ownProblems(model);
  const markers = found.slice(0, MOST).map((problem) => markerOf(model, text, problem));
  monaco.editor.setModelMarkers(model, OWNER, markers);
}

type Fault = Pick<SyntaxProblem, 'severity' | 'message' | 'offset'>;

/** The faults that need no image. */
function ownProblems(model: Model): Fault[] {
  const { reading } = readingOf(model);
  const faults: Fault[] = [];
  if (reading.stray !== null)
    faults.push({ severity: 'error', message: 'There is no open parenthesis for this one.', offset: reading.stray });
  for (const form of reading.forms)
    if (!form.closed)
      faults.push({
        severity: 'error',
        message: form.kind === 'string' ? 'This string is not closed.' : 'This form is not closed.',
        offset: form.body,
      });
  return faults;
}

function markerOf(model: Model, text: string, { severity, message, offset }: Fault): monaco.editor.IMarkerData {
  // Offsets count line ends as one character, whatever the file has.
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  const column = offset - (before.lastIndexOf('\n') + 1) + 1;
  const word = model.getWordAtPosition({ lineNumber: line, column });
  return {
    severity: severity === 'error' ? monaco.MarkerSeverity.Error : monaco.MarkerSeverity.Warning,
    source: 'Syntax',
    message,
    startLineNumber: line,
    startColumn: column,
    endLineNumber: line,
    endColumn: word && word.endColumn > column ? word.endColumn : column + 1,
  };
}
