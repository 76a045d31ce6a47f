/** Asks Linux about a process that says it is the other end: which program was started, and by whom. */
import { readFile, stat } from 'node:fs/promises';
import type { PairingRequest } from '#contract/clients/client.ts';

const LONGEST = 300;

/** Resolves with the facts of the process; null where they cannot be told, or where the process is another user's. */
export async function processOf(pid: number | null): Promise<PairingRequest['process']> {
  if (pid === null || process.platform !== 'linux') return null;
  try {
    if ((await stat(`/proc/${pid}`)).uid !== process.getuid!()) return null;
    const status = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything; the parent stands two fields after it.
    const parent = Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1]);
    return { pid, command: await commandOf(pid), startedBy: (await commandOf(parent).catch(() => '')) || null };
  } catch {
    return null; // it may have ended
  }
}

async function commandOf(pid: number): Promise<string> {
  const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0').filter((word) => word !== '');
  return words.join(' ').slice(0, LONGEST);
}
