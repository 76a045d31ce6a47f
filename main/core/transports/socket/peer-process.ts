/**
 * Gets information from Linux about the process at the other end of a connection: the program that was started, and the program that
 * started it.
 */
import { readFile, stat } from 'node:fs/promises';
import type { PairingRequest } from '#contract/clients/client.ts';

const LONGEST = 300;

/** Resolves with the information about the process; null if it is unavailable, or if the process belongs to another user. */
export async function processOf(pid: number | null): Promise<PairingRequest['process']> {
  if (pid === null || process.platform !== 'linux') return null;
  try {
    if ((await stat(`/proc/${pid}`)).uid !== process.getuid!()) return null;
    const status = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may contain any characters, so the last closing parenthesis is used. The parent is two fields after it.
    const parent = Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1]);
    return { pid, command: await commandOf(pid), startedBy: (await commandOf(parent).catch(() => '')) || null };
  } catch {
    return null; // ignored, because the process may have ended
  }
}

async function commandOf(pid: number): Promise<string> {
  const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0').filter((word) => word !== '');
  return words.join(' ').slice(0, LONGEST);
}
