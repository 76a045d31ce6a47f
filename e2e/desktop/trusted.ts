/** The person's trust in a folder, recorded before a start. */
import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Records trust in `project` as if the person had granted it before. */
export async function trust(home: string, project: string): Promise<void> {
  const file = path.join(home, 'config', 'trust.json');
  await mkdir(path.dirname(file), { recursive: true });
  const before = await readFile(file, 'utf8').catch(() => '{"folders":[]}');
  const { folders } = JSON.parse(before) as { folders: string[] };
  await writeFile(file, JSON.stringify({ version: 1, folders: [...folders, await realpath(project)] }));
}
