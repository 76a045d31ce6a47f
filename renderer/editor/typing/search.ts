/**
 * Incremental search in the editor's find box, with Emacs's keys. When the search ends, the caret stays at the match or returns to where
 * the search started.
 */
import { activeEditor } from '../groups/active-editor.ts';
import { monaco } from '../monaco/monaco.ts';

/** The properties of Monaco's internal find feature that are used here. */
interface FindController extends monaco.editor.IEditorContribution {
  getState(): {
    readonly searchString: string;
    readonly isRevealed: boolean;
    change(state: Record<string, unknown>, moveCursor: boolean): void;
    onFindReplaceStateChange(listener: (change: { searchString: boolean }) => void): monaco.IDisposable;
  };
  start(options: Record<string, unknown>, state?: Record<string, unknown>): Promise<void>;
  moveToNextMatch(): boolean;
  moveToPrevMatch(): boolean;
  closeFindWidget(): void;
}

/** The running search, with its start and direction. */
let going: { origin: monaco.Position; backward: boolean; following: monaco.IDisposable } | null = null;
/** The text of the last search. */
let latest = '';

/** Starts a search or goes to the next match. If nothing is typed yet, repeats the last search. */
export function search(backward: boolean, isRegex = false): void {
  const editor = activeEditor();
  const controller = editor?.getContribution<FindController>('editor.contrib.findController');
  if (!editor || !controller) return;
  const state = controller.getState();
  if (state.isRevealed && going) {
    going.backward = backward;
    if (state.searchString === '') state.change({ searchString: latest }, true);
    else if (backward) controller.moveToPrevMatch();
    else controller.moveToNextMatch();
    return;
  }
  going?.following.dispose();
  const origin = editor.getPosition()!;
  editor.setPosition(origin);
  const following = state.onFindReplaceStateChange((change) => {
    if (!change.searchString || !going) return;
    latest = state.searchString || latest;
    if (!going.backward || state.searchString === '') return;
    editor.setPosition(going.origin);
    controller.moveToPrevMatch();
  });
  going = { origin, backward, following };
  void controller.start(
    {
      forceRevealReplace: false,
      seedSearchStringFromSelection: 'none',
      seedSearchStringFromNonEmptySelection: false,
      seedSearchStringFromGlobalClipboard: false,
      shouldFocus: FOCUS_FIELD,
      shouldAnimate: false,
      updateSearchScope: false,
      loop: true,
    },
    { searchString: '', isRegex },
  );
}

/** Monaco's code for moving the focus to the find field. */
const FOCUS_FIELD = 1;

/** Ends the search. The caret stays at the match or returns to where the search started. Returns false if no search is running. */
export function endSearch(to: 'match' | 'origin'): boolean {
  const editor = activeEditor();
  const controller = editor?.getContribution<FindController>('editor.contrib.findController');
  if (!editor || !controller?.getState().isRevealed) return false;
  const selection = editor.getSelection();
  const { origin, backward } = going ?? { origin: null, backward: false };
  going?.following.dispose();
  going = null;
  controller.closeFindWidget();
  const place = to === 'origin' ? origin : backward ? selection?.getStartPosition() : selection?.getEndPosition();
  if (place) {
    editor.setPosition(place);
    editor.revealPositionInCenterIfOutsideViewport(place);
  }
  editor.focus();
  return true;
}
