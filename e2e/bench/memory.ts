/** The memory of processes, as Linux tells it. */
import { readFile, writeFile } from 'node:fs/promises';

/** Octets that belong to the process, with its share of what it has in common with others. */
export async function proportionalSize(pid: number): Promise<number> {
  return octets(await readFile(`/proc/${pid}/smaps_rollup`, 'utf8'), 'Pss');
}

/** Octets of the process that are in memory, what it has in common with others included: so others do not change the figure. */
export async function residentSize(pid: number): Promise<number> {
  return octets(await readFile(`/proc/${pid}/smaps_rollup`, 'utf8'), 'Rss');
}

/** The most octets that the process held in memory at once while `work` was done. */
export async function peakDuring(pid: number, work: () => Promise<unknown>): Promise<number> {
  await writeFile(`/proc/${pid}/clear_refs`, '5'); // peaks are counted anew from now on
  await work();
  return octets(await readFile(`/proc/${pid}/status`, 'utf8'), 'VmHWM');
}

function octets(text: string, name: string): number {
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1];
  if (kilobytes === undefined) throw new Error(`The kernel does not tell ${name}.`);
  return Number(kilobytes) * 1024;
}
