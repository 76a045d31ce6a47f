/** Records the person's trust in a folder before the program starts. */
import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Records trust in `project` as the program does when the person grants it. */
export async function trust(home: string, project: string): Promise<void> {
  const file = path.join(home, 'config', 'trust.json');
  await mkdir(path.dirname(file), { recursive: true });
  const before = await readFile(file, 'utf8').catch(() => '{"folders":[]}');
  const { folders } = JSON.parse(before) as { folders: string[] };
  await writeFile(file, JSON.stringify({ version: 1, folders: [...folders, await realpath(project)] }));
}
