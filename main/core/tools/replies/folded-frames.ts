/** Formats frames as lines of an answer, with deep recursion folded. Pure. */

/** The number of equal consecutive frames that are shown. */
const SHOWN_ALIKE = 3;

interface NumberedFrame {
  readonly index: number;
  readonly text: string;
  /** The number of equal frames that follow this one and are left out. */
  readonly alike?: number | undefined;
}

/**
 * Returns a line for each frame, with the given numbers. For a long sequence of equal frames, returns the first ones and the number of
 * omitted frames.
 */
export function foldedFrames(frames: readonly NumberedFrame[]): string[] {
  const lines: string[] = [];
  for (let at = 0; at < frames.length;) {
    let end = at + 1;
    while (end < frames.length && !frames[end - 1]!.alike && frames[end]!.text === frames[at]!.text) end += 1;
    const alike = frames[end - 1]!.alike ?? 0;
    const shown = end - at > SHOWN_ALIKE + 1 ? SHOWN_ALIKE : end - at;
    const more = end - at - shown + alike;
    lines.push(...frames.slice(at, at + shown).map(({ index, text }) => `${index}: ${text}`));
    if (more > 0) lines.push(`… ${end === frames.length ? 'at least ' : ''}${more} more like this`);
    at = end;
  }
  return lines;
}
