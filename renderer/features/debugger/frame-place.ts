/** The location of a frame's code in an open text. Pure. */
import type { FrameSource } from '#contract/image/debugger.ts';

/**
 * Returns the offsets of the running form in `text`, in UTF-16 code units; they are equal if only the line is known. Returns null if `text`
 * does not contain the compiled code.
 */
export function placeIn(text: string, source: FrameSource): { start: number; end: number } | null {
  const { running } = source;
  if (!running) return null;
  const at = placeOfText(text, running.text, source.evaluation === null ? running.offset : (source.offset ?? 0));
  return at === null ? null : { start: at + running.start, end: at + running.end };
}

/** Returns the offset of a line, counted from 1; null if the text has fewer lines. */
export function offsetOfLine(text: string, line: number): number | null {
  let at = 0;
  for (let count = 1; count < line; count += 1) {
    const next = text.indexOf('\n', at);
    if (next < 0) return null;
    at = next + 1;
  }
  return at;
}

/** Returns the offset of the occurrence of the form's text that is nearest to `expected`: the form may have moved since it was compiled. */
function placeOfText(text: string, form: string, expected: number): number | null {
  if (text.startsWith(form, expected)) return expected;
  const before = text.lastIndexOf(form, expected);
  const after = text.indexOf(form, expected);
  if (before < 0 || after < 0) return Math.max(before, after) < 0 ? null : Math.max(before, after);
  return expected - before <= after - expected ? before : after;
}
