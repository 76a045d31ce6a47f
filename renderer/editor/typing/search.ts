/** Searching as one types, on the editor's box for finding: its keys are Emacs's, and leaving it goes back or stays. */
import { activeEditor } from '../groups/active-editor.ts';
import { monaco } from '../monaco/monaco.ts';

/** The editor's own parts for finding, as far as they are used here. */
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

/** The search that goes on: where it began, and in which direction it goes. */
let going: { origin: monaco.Position; backward: boolean; following: monaco.IDisposable } | null = null;
/** The text that was looked for last. */
let latest = '';

/** Begins to search, or goes to the next match; with nothing typed yet it looks for the same as the last time. */
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

/** Monaco's own number for "the focus goes to the field". */
const FOCUS_FIELD = 1;

/** Ends the search: the caret stays at the match, or goes back to where the search began. False where none goes on. */
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
