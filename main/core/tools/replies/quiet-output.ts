/** The output of a run of the image, as an answer shows it: without the transcript that the compiler writes. */
import path from 'node:path';
import { readRegularFileSync } from '#core/base/held-files.ts';
import { LARGEST_TEXT } from '#core/project/files/files.ts';
import { condense, condensedText } from './compiler-transcript.ts';
import { notKept } from './printed-text.ts';
import type { RunReply } from '../runs.ts';
import type { ToolContext } from '../tool.ts';

/**
 * Returns the output, with the compiler's transcript as located warnings: all of them, however much of the rest is cut; those of
 * output that the image did not keep are taken from the condition. Without them where `located` says that they are told already; with
 * those of libraries where the run has `failed`, since they say why. Of `tests` the rest is not cut, since its end matters, and
 * style warnings and those of libraries are left out, since no test failed by them.
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
    // The name is what was printed: it may be any.
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
  const text = located ? shown.rest : condensedText(shown);
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

/** Warnings about style, and those of ASDF about a file with such. */
const IN_STYLE = /STYLE-WARNING|style-warnings|COMPILE-WARNED/;

/** `text` without the compiler's semicolons, in one line. */
function wordsOf(text: string): string {
  return text
    .replaceAll(/^\s*;+/gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
