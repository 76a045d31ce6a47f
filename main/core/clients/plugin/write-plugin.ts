/** Writes the plugin into a folder from which programs can install it. The plugin contains this installation's command. */
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomic } from '#core/base/atomic-write.ts';
import { systemCode, WorkbenchError } from '#core/base/error.ts';
import { pluginFiles, type PluginFacts } from './plugin-files.ts';

/**
 * Writes the plugin files that are missing or different into `folder`, with access for the owner only.
 * @throws WorkbenchError `system` if the folder is not writable.
 */
export async function writePlugin(folder: string, facts: PluginFacts): Promise<void> {
  try {
    for (const [name, text] of pluginFiles(facts)) {
      const file = path.join(folder, ...name.split('/'));
      if ((await readFile(file, 'utf8').catch(() => null)) === text) continue;
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      await writeFileAtomic(file, text, { mode: 0o600 });
    }
  } catch (error) {
    const code = systemCode(error) ?? String(error);
    throw new WorkbenchError(
      'system',
      `The plugin cannot be written to ${folder} (${code}). Use the configuration file instead.`,
      {
        cause: error,
      },
    );
  }
}
