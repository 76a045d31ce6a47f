/** Writes the files that a launch names, such as the settings of a program, into the home of its agent, which the agent can write. */
import { readHeldFile, writeHeldFile } from '#core/base/held-files.ts';
import type { AgentLaunch } from '../recipes/recipe.ts';

const MOST_OCTETS = 1024 * 1024;

/**
 * Resolves with the names of files in whose place the agent had put something else, such as a link, which was replaced.
 * @throws WorkbenchError `refused` where that is a folder on the way, or a file that has to be read; errors of the system.
 */
export async function writeLaunchFiles({ files = {}, rewrites = {} }: AgentLaunch, home: string): Promise<string[]> {
  const replaced: string[] = [];
  const write = async (name: string, text: string): Promise<void> => {
    if (await writeHeldFile(home, name, text)) replaced.push(name);
  };
  for (const [name, text] of Object.entries(files)) await write(name, text);
  for (const [name, rewrite] of Object.entries(rewrites))
    await write(name, rewrite((await readHeldFile(home, name, MOST_OCTETS)) ?? ''));
  return replaced;
}
