/** The selected frame of a debugger, and its variables. */
import { firstFrame, type FrameArgument, frameArguments, frameRows } from './frames.ts';
import { addFurtherFrames, askLocals, changeView, recordOf, viewOf } from './store.ts';

/** The number of the selected frame; null when there is none. */
export async function selectedFrame(id: string): Promise<number | null> {
  const record = await recordOf(id);
  return viewOf(id).frame ?? (record ? firstFrame(record) : null);
}

/** Selects a frame and asks for its variables. */
export function selectFrame(id: string, frame: number): void {
  changeView(id, ({ text }) => ({
    frame,
    argument: null,
    text: text?.frame === frame ? text : null,
  }));
  void askLocals(id, frame);
}

/** Means the next argument of the selected frame (1) or the one before (-1), and none before the first. */
export async function moveArgument(id: string, by: 1 | -1): Promise<void> {
  const { length } = await argumentsOfSelected(id);
  if (length === 0) return;
  changeView(id, ({ argument }) => {
    const next = (argument ?? -1) + by;
    return { argument: next < 0 ? null : Math.min(next, length - 1) };
  });
}

/** The argument that the keys mean; null when they mean the frame. */
export async function chosenArgument(id: string): Promise<FrameArgument | null> {
  const { argument } = viewOf(id);
  return argument === null ? null : ((await argumentsOfSelected(id))[argument] ?? null);
}

async function argumentsOfSelected(id: string): Promise<FrameArgument[]> {
  const [record, selected] = [await recordOf(id), await selectedFrame(id)];
  const frame = record?.frames.find(({ index }) => index === selected);
  return frame ? frameArguments(frame) : [];
}

/** Lists all of Lisp's own frames, or folds them all. */
export async function toggleDetails(id: string): Promise<void> {
  const all = (await recordOf(id))?.frames.map(({ index }) => index) ?? [];
  changeView(id, ({ opened }) => ({ opened: new Set(opened.size > 0 ? [] : all) }));
}

/**
 * Selects the next frame that is listed, outwards (1), where further ones are asked for after the last, or inwards (-1), the first of all,
 * or the last, for which all are asked for; gives its number.
 */
export async function moveFrame(id: string, to: 1 | -1 | 'first' | 'last'): Promise<number | null> {
  if (to === 'last') while (await addFurtherFrames(id)) continue;
  const record = await recordOf(id);
  const from = await selectedFrame(id);
  if (!record || from === null) return null;
  const listed = frameRows(record.frames, viewOf(id).opened).flatMap((row) =>
    row.kind === 'frame' ? [row.frame.index] : [],
  );
  const frame =
    to === 'first'
      ? listed[0]
      : to === 'last'
        ? listed.at(-1)
        : to > 0
          ? listed.find((each) => each > from)
          : listed.findLast((each) => each < from);
  if (frame === undefined) return to === 1 && (await addFurtherFrames(id)) ? moveFrame(id, to) : null;
  selectFrame(id, frame);
  return frame;
}
