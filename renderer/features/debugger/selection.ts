/** The selected frame of a debugger, and its variables. */
import { firstFrame, type FrameArgument, frameArguments, frameRows } from './frames.ts';
import { addFurtherFrames, askLocals, changeView, recordOf, viewOf } from './store.ts';

/** Returns the number of the selected frame; null if there is none. */
export async function selectedFrame(id: string): Promise<number | null> {
  const record = await recordOf(id);
  return viewOf(id).frame ?? (record ? firstFrame(record) : null);
}

/** Selects a frame and requests its variables. */
export function selectFrame(id: string, frame: number): void {
  changeView(id, ({ text }) => ({
    frame,
    argument: null,
    text: text?.frame === frame ? text : null,
  }));
  void askLocals(id, frame);
}

/** Selects the next (1) or previous (-1) argument of the selected frame. Going back from the first argument selects none. */
export async function moveArgument(id: string, by: 1 | -1): Promise<void> {
  const { length } = await argumentsOfSelected(id);
  if (length === 0) return;
  changeView(id, ({ argument }) => {
    const next = (argument ?? -1) + by;
    return { argument: next < 0 ? null : Math.min(next, length - 1) };
  });
}

/** Returns the selected argument. Returns null if none is selected, in which case keys act on the frame. */
export async function chosenArgument(id: string): Promise<FrameArgument | null> {
  const { argument } = viewOf(id);
  return argument === null ? null : ((await argumentsOfSelected(id))[argument] ?? null);
}

async function argumentsOfSelected(id: string): Promise<FrameArgument[]> {
  const [record, selected] = [await recordOf(id), await selectedFrame(id)];
  const frame = record?.frames.find(({ index }) => index === selected);
  return frame ? frameArguments(frame) : [];
}

/** Unfolds all of Lisp's own frames, or folds them all. */
export async function toggleDetails(id: string): Promise<void> {
  const all = (await recordOf(id))?.frames.map(({ index }) => index) ?? [];
  changeView(id, ({ opened }) => ({ opened: new Set(opened.size > 0 ? [] : all) }));
}

/**
 * Selects another listed frame: the next one outwards (1) or inwards (-1), the first or the last. Requests more frames at the end of the
 * list; for the last frame, requests all. Returns the frame's number, or null if there is none.
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
