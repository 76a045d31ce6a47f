/** Functions that examine processes of this machine, which is the target in tests of targets. */
import { readFileSync } from 'node:fs';
import { runs } from '#core/lisp/process.ts';

/** Resolves when `holds` returns true. It polls, because the system does not report such changes. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Resolves when the process has ended. */
export function ended(pid: number): Promise<void> {
  return until(() => !runs(pid));
}

export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
