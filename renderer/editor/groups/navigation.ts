/** The history of caret places, for going back after a jump and forward again. */
import { showPage } from '../../base/layout/layout-store.ts';
import { addPlace, emptyHistory, step, type Place, type PlaceHistory, withoutPlaces } from './place-history.ts';
import { activeEditor } from './active-editor.ts';
import { buffers, showBuffer } from '../text/buffers.ts';
import { textDrawn } from '../monaco/drawn.ts';
import { openFile } from '../files/files.ts';
import type { monaco } from '../monaco/monaco.ts';
import { makeStore } from '../../base/store.ts';

const [store] = makeStore({ history: emptyHistory });

/** True if the history has a place before or after the current one. */
export function canGo(direction: -1 | 1): boolean {
  // Directly after a jump, the history may not contain the current place yet, because a place is recorded only once the caret rests there.
  const now = placeNow();
  const known = reachable(store.getState().history);
  const { places, at } = now ? addPlace(known, now) : known;
  return places[at + direction] !== undefined;
}

/** How long the caret must rest, in milliseconds, before its place is recorded. Showing a text moves the caret several times. */
const REST_MS = 150;
let timer: ReturnType<typeof setTimeout> | null = null;

/** Records where the caret comes to rest. The history decides whether that was a jump from the previous place. */
export function installNavigation(editor: monaco.editor.IStandaloneCodeEditor): monaco.IDisposable {
  const later = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => rememberPlace(), REST_MS);
  };
  const moved = editor.onDidChangeCursorPosition(later);
  const shown = editor.onDidChangeModel(later);
  return {
    dispose: () => {
      if (timer !== null) clearTimeout(timer);
      moved.dispose();
      shown.dispose();
    },
  };
}

/** Records the caret's place immediately, because a jump follows. With `left`, going back returns here even after a short jump. */
export function rememberPlace(left?: 'left'): void {
  if (timer !== null) clearTimeout(timer);
  timer = null;
  const now = placeNow();
  const place = now && left ? { ...now, left: true } : now;
  if (place) store.setState(({ history }) => ({ history: addPlace(history, place) }));
}

/**
 * Settles when the last requested move in the history is complete. Moves run one after another, and each starts where the previous one
 * ended.
 */
let arrived: Promise<void> = Promise.resolve();

/** Goes to the previous or next place in the history. If its text is closed, opens its file. */
export function go(direction: -1 | 1): Promise<void> {
  const going = arrived.then(() => goOn(direction));
  arrived = going.catch(() => {});
  return going;
}

async function goOn(direction: -1 | 1): Promise<void> {
  rememberPlace();
  const { history, place } = step(reachable(store.getState().history), direction);
  if (!place) return;
  store.setState({ history });
  showPage('editor');
  const open = buffers.getState().buffers.find(({ id }) => id === place.buffer);
  if (open) showBuffer(open.id);
  else if (place.file !== null) await openFile(place.file);
  else return;
  await textDrawn();
  const editor = activeEditor();
  editor?.setPosition({ lineNumber: place.line, column: place.column });
  editor?.revealLineInCenterIfOutsideViewport(place.line);
  editor?.focus();
}

/** Returns the history without places of closed texts that have no file. */
function reachable(history: PlaceHistory): PlaceHistory {
  const open = new Set(buffers.getState().buffers.map(({ id }) => id));
  return withoutPlaces(history, ({ buffer, file }) => file === null && !open.has(buffer));
}

function placeNow(): Place | null {
  const position = activeEditor()?.getPosition();
  const { buffers: all, active } = buffers.getState();
  const buffer = all.find(({ id }) => id === active);
  if (!position || !buffer) return null;
  return { buffer: buffer.id, file: buffer.path, line: position.lineNumber, column: position.column };
}
