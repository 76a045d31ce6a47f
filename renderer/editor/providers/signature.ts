/** The lambda list of the call around the caret, with the current parameter highlighted. */
import { textHead } from '../../ui/text-head.ts';
import { askImage, knownDefinitions, LONG_PATIENCE_MS } from '../../base/image/names.ts';
import { LISP } from '../monaco/language.ts';
import { monaco } from '../monaco/monaco.ts';
import { formNear, packageNear } from './context.ts';
import { filledDocstring } from '../../sexp/reading/docstrings.ts';
import { callAround } from '#contract/sexp/calls.ts';
import { drawable } from '#contract/text/visible.ts';

type Help = monaco.languages.SignatureHelp;

/** How long to wait for the image, in milliseconds, if the mirror knows the operator. After that, the mirror's lambda list is shown. */
const AT_ONCE_MS = 250;

/** A method of an editor that the public interface omits. */
interface TypedEditor extends monaco.editor.ICodeEditor {
  onDidType(listener: (text: string) => void): monaco.IDisposable;
}

interface ParameterHints extends monaco.editor.IEditorContribution {
  /** Requests the hints immediately, whereas the editor itself waits 120 ms after a key. */
  trigger(context: { triggerKind: monaco.languages.SignatureHelpTriggerKind; triggerCharacter: string }): void;
}

/** Requests the lambda list as soon as a space is typed. */
function showAtOnce(editor: monaco.editor.ICodeEditor): monaco.IDisposable {
  return (editor as TypedEditor).onDidType((text) => {
    if (!text.endsWith(' ') || editor.getModel()?.getLanguageId() !== LISP) return;
    // Run this after the editor's own listener, to replace its delayed request.
    queueMicrotask(() => {
      const hints = editor.getContribution<ParameterHints>('editor.controller.parameterHints');
      const triggerKind = monaco.languages.SignatureHelpTriggerKind.TriggerCharacter;
      hints?.trigger({ triggerKind, triggerCharacter: ' ' });
    });
  });
}

export function installSignatureHelp(): monaco.IDisposable {
  monaco.editor.onDidCreateEditor(showAtOnce);
  for (const editor of monaco.editor.getEditors()) showAtOnce(editor);
  return monaco.languages.registerSignatureHelpProvider(LISP, {
    signatureHelpTriggerCharacters: [' '],
    signatureHelpRetriggerCharacters: [' ', '(', ')'],
    provideSignatureHelp: async (model, place, token) => {
      const value = await help(model, place);
      return value === null || token.isCancellationRequested ? null : { value, dispose: () => {} };
    },
  });
}

async function help(model: monaco.editor.ITextModel, place: monaco.Position): Promise<Help | null> {
  const around = formNear(model, place);
  if (around === null) return null;
  const inPackage = packageNear(model, place.lineNumber);
  const { text, offset } = around;
  const known = callAround(text, offset);
  const definition = known && knownDefinitions(known.operator, inPackage)[0]?.definition;
  const patience = definition ? AT_ONCE_MS : LONG_PATIENCE_MS;
  const answer = await askImage('names.arglist', { package: inPackage, text, offset }, patience);
  if (answer?.found && answer.operator !== null && answer.lambdaList !== null) {
    const { operator, lambdaList, parameters, current, documentation } = answer;
    const head = `(${operator.toLowerCase()} `;
    return helpOf(
      // Move the opening parenthesis of the lambda list before the operator, so that the two form a call.
      `${head}${lambdaList.toLowerCase().slice(1)}`,
      parameters.map(({ start, end }) => [start + head.length - 1, end + head.length - 1]),
      current,
      documentation,
    );
  }
  if (!known || !definition?.lambdaList) return null;
  return helpOf(
    `(${known.operator} ${definition.lambdaList.toLowerCase().slice(1)}`,
    [],
    null,
    definition.documentation,
  );
}

function helpOf(
  label: string,
  parameters: [number, number][],
  current: number | null,
  documentation: string | null,
): Help {
  return {
    activeSignature: 0,
    activeParameter: current ?? parameters.length,
    signatures: [
      {
        label: drawable(label),
        parameters: parameters.map(([start, end]) => ({ label: [placeIn(label, start), placeIn(label, end)] })),
        ...(documentation === null
          ? {}
          : { documentation: drawable(textHead(firstParagraph(filledDocstring(documentation)), 2_000)) }),
      },
    ],
  };
}

/** Converts an offset in the label to an offset in the drawn label. */
function placeIn(label: string, offset: number): number {
  return drawable(label.slice(0, offset)).length;
}

function firstParagraph(text: string): string {
  return text.split(/\n\s*\n/, 1)[0]!;
}
