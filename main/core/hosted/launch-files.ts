/** Writes the files that a launch names, such as the settings of a program, into the home of its agent, which the agent can write. */
import { readHeldFile, writeHeldFile } from '#core/held-files.ts';
import type { AgentLaunch } from './recipes/recipe.ts';

const MOST_OCTETS = 1024 * 1024;

/** @throws WorkbenchError `refused` where the agent has put a link or something else in the place of a folder or file; errors of the system. */
export async function writeLaunchFiles({ files = {}, rewrites = {} }: AgentLaunch, home: string): Promise<void> {
  for (const [name, text] of Object.entries(files)) await writeHeldFile(home, name, text);
  for (const [name, rewrite] of Object.entries(rewrites))
    await writeHeldFile(home, name, rewrite((await readHeldFile(home, name, MOST_OCTETS)) ?? ''));
}
