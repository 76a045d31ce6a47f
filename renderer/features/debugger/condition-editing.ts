/** The breakpoint whose condition the person edits. The field is always in the list of breakpoints, even if editing started elsewhere. */
import { messageOf } from '../../base/bridge.ts';
import { showDock } from '../../base/layout/layout-store.ts';
import { setCondition } from './breakpoints.ts';
import { makeStore } from '../../base/store.ts';

/** A breakpoint in the list, or a function for which a breakpoint will be set. */
export interface ConditionTarget {
  readonly wanted: string;
  readonly name: string;
  readonly when?: string | undefined;
}

interface Editing extends ConditionTarget {
  /** The error message for the latest text; null if there is none. */
  readonly fault: string | null;
  /** Returns the focus to the element at which editing started. */
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

/** Sets the text as the condition; an empty text removes the condition. On an error, the field stays open and shows the message. */
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

/** Clears the error message after the text changed. */
export function forgetFault(): void {
  const { editing } = store.getState();
  if (editing?.fault != null) store.setState({ editing: { ...editing, fault: null } });
}
