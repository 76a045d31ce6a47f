/** The places that the person came from, in order: to go back after a jump, and forward again. */
import { createStore, useStore } from 'zustand';
import { showPage } from '../base/layout-store.ts';
import { addPlace, emptyHistory, step, type Place } from '../features/place-history.ts';
import { activeEditor } from './active-editor.ts';
import { buffers, showBuffer } from './buffers.ts';
import { openFile } from './files.ts';
import type { monaco } from './monaco.ts';

const store = createStore(() => ({ history: emptyHistory }));

export function useNavigation(): { canGoBack: boolean; canGoForward: boolean } {
  const { history } = useStore(store);
  return { canGoBack: history.at > 0, canGoForward: history.at < history.places.length - 1 };
}

export function canGo(direction: -1 | 1): boolean {
  const { history } = store.getState();
  return history.places[history.at + direction] !== undefined;
}

/** Notes where the caret is; whether that is a jump from the place before is the history's matter. */
export function installNavigation(editor: monaco.editor.IStandaloneCodeEditor): monaco.IDisposable {
  const note = (): void => {
    const place = placeNow();
    if (place) store.setState(({ history }) => ({ history: addPlace(history, place) }));
  };
  const moved = editor.onDidChangeCursorPosition(note);
  const shown = editor.onDidChangeModel(note);
  return {
    dispose: () => {
      moved.dispose();
      shown.dispose();
    },
  };
}

/** Goes to the place before, or after, in the history; one whose text is not open any more is opened from its file. */
export async function go(direction: -1 | 1): Promise<void> {
  const { history, place } = step(store.getState().history, direction);
  if (!place) return;
  store.setState({ history });
  showPage('editor');
  const open = buffers.getState().buffers.find(({ id }) => id === place.buffer);
  if (open) showBuffer(open.id);
  else if (place.file !== null) await openFile(place.file);
  else return;
  requestAnimationFrame(() =>
    setTimeout(() => {
      const editor = activeEditor();
      editor?.setPosition({ lineNumber: place.line, column: place.column });
      editor?.revealLineInCenterIfOutsideViewport(place.line);
      editor?.focus();
    }, 0),
  );
}

function placeNow(): Place | null {
  const position = activeEditor()?.getPosition();
  const { buffers: all, active } = buffers.getState();
  const buffer = all.find(({ id }) => id === active);
  if (!position || !buffer) return null;
  return { buffer: buffer.id, file: buffer.path, line: position.lineNumber, column: position.column };
}
