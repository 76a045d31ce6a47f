/** The places that the person came from, in order: to go back after a jump, and forward again. */
import { showPage } from '../../base/layout/layout-store.ts';
import { addPlace, emptyHistory, step, type Place, type PlaceHistory, withoutPlaces } from './place-history.ts';
import { activeEditor } from './active-editor.ts';
import { buffers, showBuffer } from '../text/buffers.ts';
import { textDrawn } from '../monaco/drawn.ts';
import { openFile } from '../files/files.ts';
import type { monaco } from '../monaco/monaco.ts';
import { makeStore } from '../../base/store.ts';

const [store] = makeStore({ history: emptyHistory });

/** True when there is a place before, or after, the present one. */
export function canGo(direction: -1 | 1): boolean {
  // The present place is noted once the caret rests there, and may be one that was just jumped to.
  const now = placeNow();
  const known = reachable(store.getState().history);
  const { places, at } = now ? addPlace(known, now) : known;
  return places[at + direction] !== undefined;
}

/** Milliseconds for which the caret rests at a place that is worth going back to: what shows a text moves it several times. */
const REST_MS = 150;
let timer: ReturnType<typeof setTimeout> | null = null;

/** Notes where the caret comes to rest; whether that is a jump from the place before is the history's matter. */
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

/** Notes where the caret is, at once: a jump is about to be made, `left` for one that is gone back from however near it leads. */
export function rememberPlace(left?: 'left'): void {
  if (timer !== null) clearTimeout(timer);
  timer = null;
  const now = placeNow();
  const place = now && left ? { ...now, left: true } : now;
  if (place) store.setState(({ history }) => ({ history: addPlace(history, place) }));
}

/** Settles when nobody is on the way to a place: one key after the other is taken, and each begins where the one before arrived. */
let arrived: Promise<void> = Promise.resolve();

/** Goes to the place before, or after, in the history; one whose text is not open any more is opened from its file. */
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

/** The history without places of texts that were closed and have no file to be opened from. */
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
