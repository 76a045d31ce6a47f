/** The files that are open in the window, by absolute path, and whether each has unsaved changes, as reported by the main process. */
import { createContext, useContext } from 'react';
import type { ShownQueue } from '#contract/decisions/approval.ts';

export const Unsaved = createContext<ShownQueue['unsaved']>({});

/** Returns whether a file has unsaved changes in the editor; null for a file that is not open. */
export function useUnsaved(file: string): boolean | null {
  const known = useContext(Unsaved);
  return Object.hasOwn(known, file) ? known[file]! : null;
}
