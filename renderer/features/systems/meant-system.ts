/** The system that a command means: the one chosen in the panel Systems while the keyboard is there, else that of the shown file. */
import { plural } from '#contract/text/text.ts';
import { chosenSystem, knownSystems, refreshSystems } from './systems-store.ts';
import { systemOfFile } from './descriptions.ts';
import { activeBuffer, buffers } from '../../editor/text/buffers.ts';

export function meantSystem(): string | null {
  const file = activeBuffer()?.path ?? null;
  const isInPanel = document.activeElement?.closest('[data-region="Systems"]') != null;
  const ofFile = file === null ? null : systemOfFile(knownSystems(), file);
  return (isInPanel ? chosenSystem() : null) ?? ofFile ?? chosenSystem();
}

/** The meant system, after asking for the systems in reach where nobody has looked yet. */
export async function findMeantSystem(): Promise<string | null> {
  if (knownSystems().length === 0) await refreshSystems();
  return meantSystem();
}

/** True when a command could mean a system. */
export function couldMeanSystem(): boolean {
  return meantSystem() !== null || (knownSystems().length === 0 && (activeBuffer()?.path ?? null) !== null);
}

/** The words beside a reload where open files are not saved, since what is on the disk is loaded. Empty where all are saved. */
export function unsavedWords(): string {
  const count = buffers.getState().buffers.filter(({ dirty, path }) => dirty && path?.endsWith('.lisp')).length;
  return count === 0 ? '' : ` ${plural(count, 'open file')} not saved: what is on the disk was loaded.`;
}
