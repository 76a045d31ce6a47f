/** Selects the part of a long text that is shown: some of its lines, or the start of each top-level form. Pure. */
import { plural } from '#contract/text/text.ts';
import { readText } from '#contract/sexp/reader.ts';
import { WorkbenchError } from '#core/base/error.ts';
import { USUAL_SIZE } from '../replies/reply-sizes.ts';

/** The number of bytes that are reserved for the note about the omitted part. */
const ROOM = 1024;
const LONGEST_HEAD = 100;

/**
 * Returns at most `limit` lines from line `offset` (counted from 1), or fewer if they do not fit into an answer, with a note about the
 * omitted part. A text that fits completely is returned unchanged.
 * @throws WorkbenchError `invalid` if the text has fewer lines than `offset`.
 */
export function linesOf(text: string, path: string, offset: number, limit: number, size = USUAL_SIZE): string {
  const lines = text.split('\n');
  const count = text.endsWith('\n') ? lines.length - 1 : lines.length;
  if (offset > 1 && offset > count) throw new WorkbenchError('invalid', `${path} has ${plural(count, 'line')}.`);
  const end = offset - 1 + pageOf(lines.slice(offset - 1, Math.min(count, offset - 1 + limit)), size).length;
  if (offset === 1 && end >= count) return text;
  const shown = lines.slice(offset - 1, end).join('\n');
  const rest = count - end;
  if (rest <= 0) return shown;
  return `${shown}\n… lines ${offset} to ${end} of ${count}. Continue with start ${end + 1}; outline shows only the forms.`;
}

/** Returns as many of `lines` as fit into one answer of `size` bytes, but at least one. */
export function pageOf(lines: readonly string[], size: number): readonly string[] {
  let [end, bytes] = [0, 0];
  while (end < lines.length) {
    bytes += Buffer.byteLength(lines[end]!) + 1;
    if (bytes > size - ROOM && end > 0) break;
    end += 1;
  }
  return lines.slice(0, end);
}

/** Returns a line for each top-level form: its position, the start of its text, and its number of lines. */
export function outlineOf(text: string): string {
  const starts = lineStarts(text);
  const lineAt = (offset: number): number => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
  const { forms } = readText(text);
  const lines = forms.map((form) => {
    const [first, last] = [lineAt(form.start), lineAt(form.end)];
    const head = text.slice(form.start, form.end).replaceAll(/\s+/g, ' ');
    const cut = head.length > LONGEST_HEAD ? `${head.slice(0, LONGEST_HEAD)} …` : head;
    return `${first === last ? first : `${first}-${last}`}\t${cut}${form.closed ? '' : ' (never closed)'}`;
  });
  return lines.length === 0 ? 'There are no forms.' : lines.join('\n');
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
