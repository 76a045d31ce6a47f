/**
 * Condenses the output of SBCL's compiler during a load into warnings with their positions. The transcript of a first compilation can be
 * hundreds of kilobytes long, but a reader needs only the problems in the project's own files. Pure.
 */
import { plural } from '#contract/text/text.ts';
import { definitionIn } from '#contract/sexp/forms.ts';
import { readText } from '#contract/sexp/reader.ts';
import { fileFault } from './reading-fault.ts';

export interface Condensed {
  /** One line for each warning, errors first: `src/shop.lisp:12:1: WARNING in DEFUN TOTAL: undefined variable: X`. */
  readonly warnings: readonly string[];
  /** The number of warnings about files of libraries. These warnings are not shown. */
  readonly others: number;
  /** The remaining output, which the loaded code printed. */
  readonly rest: string;
}

interface Options {
  /** True if the run failed. In that case, faults in files of libraries are shown too, because they may be the reason. */
  readonly failed?: boolean;
  /** Returns true if a file belongs to the project. */
  readonly isOwn: (file: string) => boolean;
  readonly display: (file: string) => string;
  /** Returns the text of a file, which is searched for the form that a warning is about; null if the file cannot be read. */
  readonly textOf: (file: string) => string | null;
}

/** Matches a line of the compiler's output. All these lines are comments. */
const COMMENT = /^\s*;/;

/** Matches an empty line within a message. An empty line after the end of a message has less indentation. */
const INNER_BLANK = /^\s*; {3}/;

/** Matches the notice that ASDF prints after the warnings. */
const ASDF_NOTICE = /^WARNING:\n\s+Lisp compilation had (?:style-)?warnings while\n\s+compiling #<[^\n]*>\n?/gm;

export function condense(transcript: string, { isOwn, display, textOf, failed = false }: Options): Condensed {
  const warnings = new Set<string>();
  const errors = new Set<string>();
  const rest: string[] = [];
  let others = 0;
  let [file, context]: [string | null, string | null] = [null, null];
  let caught: { kind: string; lines: string[] } | null = null;
  const finish = (): void => {
    const said = caught?.lines.join(' ').trim() ?? '';
    if (caught && said !== '') {
      const { message, at } = readerPlace(said);
      const text = at === null || file === null ? null : textOf(file);
      const fault = text === null || file === null ? null : fileFault(file, text);
      const place =
        at === null ? placeOf(file, context, display, textOf) : `${file === null ? '' : display(file)}:${at}: `;
      if (file !== null && !isOwn(file) && !(failed && caught.kind !== 'STYLE-WARNING')) others += 1;
      else
        (caught.kind === 'ERROR' ? errors : warnings).add(
          `${place}${caught.kind}${context === null || at !== null ? '' : ` in ${context}`}: ${message}${fault === null ? '' : `. ${fault}`}`,
        );
    }
    caught = null;
  };
  for (const line of transcript.replaceAll(ASDF_NOTICE, '').split('\n')) {
    if (!COMMENT.test(line)) {
      if (caught !== null || line.trim() !== '') finish();
      rest.push(line);
      continue;
    }
    const said = line.replace(/^\s*;+ ?/, '');
    const began = /^(?:compiling file|file:) "?(.+?)"?(?: \(written .*)?$/.exec(said);
    const form = /^in: (.+)$/.exec(said);
    const kind = /^caught ((?:STYLE-)?WARNING|ERROR):$/.exec(said);
    if (began || form || kind || /^(note:|==>|compilation unit|wrote |compilation finished)/.test(said)) finish();
    if (began) [file, context] = [began[1]!, null];
    // Messages after the end of a file do not belong to it: they are about code that the image compiles at run time, or about several
    // files.
    else if (/^(wrote |compilation aborted)/.test(said)) [file, context] = [null, null];
    else if (form) context = form[1]!;
    else if (kind) caught = { kind: kind[1]!, lines: [] };
    else if (caught && said.trim() !== '' && !/^\s*(See also:|The SBCL Manual|The ANSI Standard)/.test(said))
      caught.lines.push(said.trim());
    else if (caught && caught.lines.length > 0 && !INNER_BLANK.test(line)) finish();
  }
  finish();
  return {
    warnings: [...errors, ...warnings],
    others,
    rest: rest
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim(),
  };
}

/** Returns true if the text contains output of the compiler. */
export function isTranscript(text: string): boolean {
  return /^; (?:compiling|file:|in:|caught|wrote|compilation|-->|==>|note:)/m.test(text);
}

/**
 * Returns the output so far without the compiler's lines, which are comments. The last line is always retained, because it may be
 * incomplete.
 */
export function withoutTranscript(text: string): string {
  const lines = text.replaceAll(ASDF_NOTICE, '').split('\n');
  const last = lines.pop()!;
  return [...lines.filter((line) => !COMMENT.test(line) && line.trim() !== ''), last].join('\n');
}

/** Formats the condensed output as sections of an answer. Without `failed`, warnings of libraries only are not mentioned. */
export function condensedText({ warnings, others, rest }: Condensed, failed = false): string {
  const left =
    others > 0 && (failed || warnings.length > 0)
      ? [
          `(${plural(others, 'warning about files of libraries is', 'warnings about files of libraries are')} not shown)`,
        ]
      : [];
  const sections = [
    ...(warnings.length > 0 || left.length > 0 ? [['[Warnings]', ...warnings, ...left].join('\n')] : []),
    ...(rest === '' ? [] : [rest]),
  ];
  return sections.join('\n\n');
}

/** Separates the position that the reader reports from the rest of the message. */
function readerPlace(said: string): { message: string; at: string | null } {
  if (!said.startsWith('READ error during ')) return { message: said, at: null };
  const [place, line, column] = /(?:Line: |\(in form starting at line: )(\d+), column: (\d+)/i.exec(said) ?? [];
  const message = said
    .replace(/^READ error during [A-Z-]+: /, 'READ error: ')
    .replace(/ (?:Line: |\(in form starting at line: )\d+, column: \d+.*$/i, '')
    .replace(/ on #<SB-[^>]*>/, '');
  return { message, at: place === undefined ? null : `${line}:${Number(column) + 1}` };
}

/** Returns a position such as `src/shop.lisp:12:1: `. If the file has a form with the reported name, the position is that of the form. */
function placeOf(
  file: string | null,
  context: string | null,
  display: Options['display'],
  textOf: Options['textOf'],
): string {
  if (file === null) return '';
  const shown = display(file);
  const text = context === null ? null : textOf(file);
  if (text === null || context === null) return `${shown}: `;
  const wanted = context.toLowerCase().replaceAll(/\s+/g, ' ');
  const form = readText(text).forms.find((each) => {
    const found = definitionIn(text, each);
    return found && wanted.startsWith(`${found.operator} ${found.name.replace(/ \(.*$/, '').toLowerCase()}`);
  });
  if (!form) return `${shown}: `;
  const before = text.slice(0, form.start).split('\n');
  return `${shown}:${before.length}:${before.at(-1)!.length + 1}: `;
}
