/** Writes the files of a launch, such as a program's settings, into the agent's home. The agent can write to this home too. */
import { readHeldFile, writeHeldFile } from '#core/base/held-files.ts';
import type { AgentLaunch } from '../recipes/recipe.ts';

const MOST_OCTETS = 1024 * 1024;

/**
 * Writes the files. Resolves with the names of the files that the agent had replaced, for example with a link; the workbench's own versions
 * are then in place again.
 * @throws WorkbenchError `refused` if the agent replaced a parent folder, or a file that must be read; system errors.
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
