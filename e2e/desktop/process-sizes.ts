/** Measures the desktop's processes, for stories that check for memory growth. */
import { readdir, readFile } from 'node:fs/promises';
import type { Desktop } from './fixture.ts';

interface Size {
  readonly descriptors: number;
  readonly megabytes: number;
}

/**
 * Returns the size of a process. Only Linux reports the sizes of other processes; on other systems a story checks everything except sizes.
 */
async function sizeOf(pid: number): Promise<Size> {
  if (process.platform !== 'linux') return { descriptors: 0, megabytes: 0 };
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const descriptors = (await readdir(`/proc/${pid}/fd`)).length;
  return { descriptors, megabytes: Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024 };
}

/** Returns the sizes of the main process and of the page's process. */
export async function sizes(desktop: Desktop, page: number): Promise<{ main: Size; page: Size }> {
  return { main: await sizeOf(desktop.app.process().pid!), page: await sizeOf(page) };
}
