/** A setting of the desktop that a command uses, read without starting the workbench. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { z } from 'zod';
import { settings } from '../../contract/settings.ts';

type Settings = z.output<typeof settings>;

/** Returns a setting from the settings file in the folder `config`; its default if the file does not exist or cannot be read. */
export function storedSetting<Name extends keyof Settings>(name: Name, config: string): Settings[Name] {
  const initial = settings.parse({ version: 1 })[name];
  try {
    const stored = JSON.parse(readFileSync(path.join(config, 'settings.json'), 'utf8')) as Record<string, unknown>;
    const parsed = settings.shape[name].safeParse(stored[name]);
    return parsed.success ? (parsed.data as Settings[Name]) : initial;
  } catch {
    return initial;
  }
}
