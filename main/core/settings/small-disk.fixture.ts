/** A disk of a few megabytes in memory, which tests can fill. */
import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface SmallDisk {
  readonly folder: string;
  /** Fills the disk completely. */
  fill(): void;
  free(): void;
  unmount(): void;
}

/** The command prefixes with which mounting the disk may be allowed: none, for root, or sudo, if it needs no password. */
const WAYS: readonly (readonly string[])[] = [[], ['sudo', '-n']];

/**
 * Mounts the disk. @throws Error if mounting is not allowed. A test that needs the disk then fails, instead of passing without having
 * tested anything.
 */
export function mountSmallDisk(megabytes: number): SmallDisk {
  const folder = mkdtempSync(path.join(tmpdir(), 'small-disk-'));
  const options = `size=${megabytes}m,mode=700,uid=${process.getuid?.() ?? 0},gid=${process.getgid?.() ?? 0}`;
  const refused: string[] = [];
  for (const way of WAYS) {
    const [program, ...first] = [...way, 'mount'];
    const { status, error, stderr } = spawnSync(program, [...first, '-t', 'tmpfs', '-o', options, 'none', folder], {
      encoding: 'utf8',
    });
    if (status === 0) return diskAt(folder, way);
    refused.push(`${[program, ...first].join(' ')}: ${error?.message ?? stderr.trim()}`);
  }
  rmSync(folder, { recursive: true });
  throw new Error(
    `This test needs a small disk that it can fill, and may not mount one. Run the tests as root, or run "sudo -v" before them. ${refused.join('; ')}`,
  );
}

function diskAt(folder: string, way: readonly string[]): SmallDisk {
  return {
    folder,
    fill: () => fillDisk(folder),
    free: () => rmSync(path.join(folder, FILLER), { force: true }),
    unmount: () => {
      const [program, ...first] = [...way, 'umount'];
      execFileSync(program, [...first, '--lazy', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const FILLER = 'filler';

/** Uses up all free space of the disk that contains `folder`. */
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
