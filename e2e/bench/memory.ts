/** The memory of processes, as Linux reports it. */
import { readFile, writeFile } from 'node:fs/promises';

/** Returns the proportional set size of a process in octets: its own memory, and its share of the shared memory. */
export async function proportionalSize(pid: number): Promise<number> {
  return octets(await readFile(`/proc/${pid}/smaps_rollup`, 'utf8'), 'Pss');
}

/**
 * Returns the resident set size of a process in octets. It includes all shared memory, which means that other processes do not change the
 * figure.
 */
export async function residentSize(pid: number): Promise<number> {
  return octets(await readFile(`/proc/${pid}/smaps_rollup`, 'utf8'), 'Rss');
}

/** Returns the peak memory of the process while `work` ran, in octets. */
export async function peakDuring(pid: number, work: () => Promise<unknown>): Promise<number> {
  await writeFile(`/proc/${pid}/clear_refs`, '5'); // resets the peak
  await work();
  return octets(await readFile(`/proc/${pid}/status`, 'utf8'), 'VmHWM');
}

function octets(text: string, name: string): number {
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1];
  if (kilobytes === undefined) throw new Error(`The kernel does not tell ${name}.`);
  return Number(kilobytes) * 1024;
}
