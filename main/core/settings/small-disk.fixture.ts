/** A disk of a few megabytes that can be filled: a mount in memory, where the machine allows one. */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface SmallDisk {
  readonly folder: string;
  /** Until not one block is left. */
  fill(): void;
  free(): void;
  unmount(): void;
}

/** Whether this machine lets us mount one. */
export const canMount = ((): boolean => {
  try {
    mountSmallDisk(1).unmount();
    return true;
  } catch {
    return false;
  }
})();

/** @throws where it may not be mounted. */
export function mountSmallDisk(megabytes: number): SmallDisk {
  const folder = mkdtempSync(path.join(tmpdir(), 'small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', folder], { stdio: 'ignore' });
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw error;
  }
  return {
    folder,
    fill: () => fillDisk(folder),
    free: () => rmSync(path.join(folder, FILLER), { force: true }),
    unmount: () => {
      execFileSync('umount', ['--lazy', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const FILLER = 'filler';

/** Takes all that is left of the disk that holds `folder`. */
export function fillDisk(folder: string): void {
  const descriptor = openSync(path.join(folder, FILLER), 'a');
  try {
    for (const size of [1 << 20, 1 << 12, 1]) {
      try {
        for (;;) writeSync(descriptor, Buffer.alloc(size, 'x'));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    }
  } finally {
    closeSync(descriptor);
  }
}
