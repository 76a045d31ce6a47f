/** Frames as lines of an answer, those of a deep recursion folded. Pure. */

/** Frames that are alike and follow each other are shown up to here. */
const SHOWN_ALIKE = 3;

interface NumberedFrame {
  readonly index: number;
  readonly text: string;
  /** Frames like this one that are left out after it. */
  readonly alike?: number | undefined;
}

/** Returns a line for each frame, numbered as given; of many that are the same, the first ones and how many more there are. */
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
