/** Shortens the output of a run in the image for an answer: removes the compiler's transcript. */
import path from 'node:path';
import { readRegularFileSync } from '#core/base/held-files.ts';
import { LARGEST_TEXT } from '#core/project/files/files.ts';
import { condense, condensedText } from './compiler-transcript.ts';
import { notKept } from './printed-text.ts';
import type { RunReply } from '../runs.ts';
import type { ToolContext } from '../tool.ts';

/**
 * Returns the output with the compiler's transcript condensed into located warnings. All warnings are shown, even if the other output is
 * cut. Warnings in output that was not stored are taken from the condition. With `located`, no warnings are added, because the answer
 * already has them. With `failed`, faults in libraries are included, because they may be the reason. With `tests`, the other output is not
 * cut, because its end is important; style warnings and warnings about libraries are left out, because they do not make tests fail.
 */
export function quiet(
  printed: string,
  { outputCut, outputTails, warnings }: RunReply,
  { project }: Pick<ToolContext, 'project'>,
  {
    located = false,
    failed = false,
    tests = false,
  }: { readonly located?: boolean; readonly failed?: boolean; readonly tests?: boolean } = {},
): string {
  const { root } = project;
  const isOwn = (file: string): boolean => root !== null && path.normalize(file).startsWith(root + path.sep);
  const condensed = condense(printed, {
    failed,
    isOwn,
    display: (file) => project.display(file),
    // The file name comes from printed text, so it may be any text.
    textOf: (file) => {
      try {
        return isOwn(file) ? readRegularFileSync(file, LARGEST_TEXT).toString('utf8') : null;
      } catch {
        return null;
      }
    },
  });
  const shown = tests
    ? { others: 0, warnings: condensed.warnings.filter((each) => !IN_STYLE.test(each)), rest: condensed.rest }
    : condensed;
  const text = located ? shown.rest : condensedText(shown, failed);
  if (outputCut === 0) return text;
  const seen = wordsOf(printed);
  const unseen = located
    ? []
    : warnings.filter(
        ({ type, message }) => !seen.includes(wordsOf(message)) && !(tests && IN_STYLE.test(`${type} ${message}`)),
      );
  const lines = unseen.map(({ type, message }) => `${type}: ${wordsOf(message)}`);
  return [
    ...(lines.length > 0 ? [['[Warnings in output that was not stored]', ...lines].join('\n')] : []),
    text,
    ...(tests || outputTails.length > 0 ? [] : [notKept(outputCut)]),
  ].join('\n\n');
}

/** Matches style warnings, and ASDF's warnings about a file that has style warnings. */
const IN_STYLE = /STYLE-WARNING|style-warnings|COMPILE-WARNED/;

/** Returns `text` on one line, without the compiler's semicolons. */
function wordsOf(text: string): string {
  return text
    .replaceAll(/^\s*;+/gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
