/** The selected frame of a debugger, and its variables. */
import { firstFrame, frameRows } from './frames.ts';
import { askLocals, changeView, recordOf, viewOf } from './store.ts';

/** The number of the selected frame; null when there is none. */
export async function selectedFrame(id: string): Promise<number | null> {
  const record = await recordOf(id);
  return viewOf(id).frame ?? (record ? firstFrame(record) : null);
}

/** Selects a frame and asks for its variables. */
export function selectFrame(id: string, frame: number): void {
  changeView(id, ({ text }) => ({ frame, text: text?.frame === frame ? text : null }));
  void askLocals(id, frame);
}

/** Lists all of Lisp's own frames, or folds them all. */
export async function toggleDetails(id: string): Promise<void> {
  const all = (await recordOf(id))?.frames.map(({ index }) => index) ?? [];
  changeView(id, ({ opened }) => ({ opened: new Set(opened.size > 0 ? [] : all) }));
}

/** Selects the next frame that is listed, outwards (1) or inwards (-1); gives its number. */
export async function moveFrame(id: string, by: 1 | -1): Promise<number | null> {
  const record = await recordOf(id);
  const from = await selectedFrame(id);
  if (!record || from === null) return null;
  const listed = frameRows(record.frames, viewOf(id).opened).flatMap((row) =>
    row.kind === 'frame' ? [row.frame.index] : [],
  );
  const frame = by > 0 ? listed.find((each) => each > from) : listed.findLast((each) => each < from);
  if (frame === undefined) return null;
  selectFrame(id, frame);
  return frame;
}
