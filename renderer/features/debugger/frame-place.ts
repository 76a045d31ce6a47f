/** Where in an open text the code of a frame stands. Pure. */
import type { FrameSource } from '#contract/image/debugger.ts';

/** The running form in `text`, as UTF-16 offsets; equal where only the line is known. Null where `text` is not what was compiled. */
export function placeIn(text: string, source: FrameSource): { start: number; end: number } | null {
  const { running } = source;
  if (!running) return null;
  const at = placeOfText(text, running.text, source.evaluation === null ? running.offset : (source.offset ?? 0));
  return at === null ? null : { start: at + running.start, end: at + running.end };
}

/** The offset of a line, from 1, in a text; null when the text has fewer. */
export function offsetOfLine(text: string, line: number): number | null {
  let at = 0;
  for (let count = 1; count < line; count += 1) {
    const next = text.indexOf('\n', at);
    if (next < 0) return null;
    at = next + 1;
  }
  return at;
}

/** A form may have moved since it was compiled: the place of the same text that is nearest to where it was. */
function placeOfText(text: string, form: string, expected: number): number | null {
  if (text.startsWith(form, expected)) return expected;
  const before = text.lastIndexOf(form, expected);
  const after = text.indexOf(form, expected);
  if (before < 0 || after < 0) return Math.max(before, after) < 0 ? null : Math.max(before, after);
  return expected - before <= after - expected ? before : after;
}
