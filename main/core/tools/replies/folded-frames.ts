/** Frames as lines of an answer, those of a deep recursion folded. Pure. */

/** Frames that are alike and follow each other are shown up to here. */
const SHOWN_ALIKE = 3;

/** Returns a line for each frame, numbered as given; of many that are the same, the first ones and how many more there are. */
export function foldedFrames(frames: readonly { readonly index: number; readonly text: string }[]): string[] {
  const lines: string[] = [];
  for (let at = 0; at < frames.length;) {
    let end = at + 1;
    while (end < frames.length && frames[end]!.text === frames[at]!.text) end += 1;
    const isLong = end - at > SHOWN_ALIKE + 1;
    const shown = frames.slice(at, isLong ? at + SHOWN_ALIKE : end);
    lines.push(...shown.map(({ index, text }) => `${index}: ${text}`));
    if (isLong)
      lines.push(`… ${end - at - SHOWN_ALIKE} more like this${end === frames.length ? ', or further ones' : ''}`);
    at = end;
  }
  return lines;
}
