/** Writes the files that a launch names, such as the settings of a program, into the home of its agent. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { AgentLaunch } from './recipes/recipe.ts';

export async function writeLaunchFiles({ files = {}, rewrites = {} }: AgentLaunch, home: string): Promise<void> {
  for (const [name, text] of Object.entries(files)) await write(path.join(home, name), text);
  for (const [name, rewrite] of Object.entries(rewrites)) {
    const file = path.join(home, name);
    await write(file, rewrite(await readFile(file, 'utf8').catch(() => '')));
  }
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, text, { mode: 0o600 });
}
