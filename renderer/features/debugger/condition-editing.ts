/** The breakpoint whose condition the person edits: its field stands in the list of breakpoints, wherever editing was begun. */
import { messageOf } from '../../base/bridge.ts';
import { showDock } from '../../base/layout/layout-store.ts';
import { setCondition } from './breakpoints.ts';
import { makeStore } from '../../base/store.ts';

/** A breakpoint as the list has it, or the function that is to have one. */
export interface ConditionTarget {
  readonly wanted: string;
  readonly name: string;
  readonly when?: string | undefined;
}

interface Editing extends ConditionTarget {
  /** The words that are said against the latest text; null for none. */
  readonly fault: string | null;
  /** Gives the focus back to where editing was begun. */
  readonly back: () => void;
}

const [store, useStored] = makeStore<{ editing: Editing | null }>({ editing: null });

export const useConditionEditing = (): Editing | null => useStored(({ editing }) => editing);

/** Opens the field for the condition of a breakpoint. */
export function editCondition({ wanted, name, when }: ConditionTarget, back: () => void): void {
  showDock('debugger');
  store.setState({ editing: { wanted, name, when, fault: null, back } });
}

export function leaveCondition(): void {
  const { editing } = store.getState();
  store.setState({ editing: null });
  editing?.back();
}

/** Takes the text as the condition, an empty one as none. What is said against it stands at the field, which stays open then. */
export async function takeCondition(text: string): Promise<void> {
  const { editing } = store.getState();
  if (!editing) return;
  const form = text.trim();
  try {
    await setCondition(editing.wanted, form === '' ? null : form);
  } catch (error) {
    store.setState(({ editing: now }) => (now === editing ? { editing: { ...now, fault: messageOf(error) } } : {}));
    return;
  }
  if (store.getState().editing === editing) leaveCondition();
}

/** The text was changed: what was said against it is about another. */
export function forgetFault(): void {
  const { editing } = store.getState();
  if (editing?.fault != null) store.setState({ editing: { ...editing, fault: null } });
}
