/** The file operations that the person can undo, the last one first. */
import { mirror } from '../../base/mirror.ts';
import { type NoticeAction } from '../../base/notices/notices.tsx';

interface Operation {
  /** A description of the undo, such as "restores cart.lisp". */
  readonly words: string;
  /** Undoes the operation. Returns false if that was not possible. */
  readonly undo: () => Promise<boolean>;
}

const MOST = 50;

let operations: readonly Operation[] = [];

/** Adds an operation. Returns the action that undoes it, for a notice. */
export function addOperation(operation: Operation): NoticeAction {
  operations = [...operations.slice(1 - MOST), operation];
  return { title: 'Undo', run: () => undo(operation) };
}

/** Returns what the next undo does; null if there is nothing to undo. */
export function lastOperation(): string | null {
  return operations.at(-1)?.words ?? null;
}

export async function undoLast(): Promise<void> {
  const last = operations.at(-1);
  if (last) await undo(last);
}

/** Forgets all operations when another project is opened. */
export function followOperations(): void {
  mirror.subscribe((state, before) => {
    if (state.project?.path !== before.project?.path) operations = [];
  });
}

async function undo(operation: Operation): Promise<void> {
  if (!operations.includes(operation)) return; // the person pressed Undo twice
  const before = operations;
  operations = operations.filter((each) => each !== operation);
  let done = false;
  try {
    done = await operation.undo();
  } finally {
    if (!done) operations = before;
  }
}
