/** Rules that no card gave: what nobody may change, and folders of the project that may be written. */
import path from 'node:path';
import type { Project } from '#core/project/project.ts';
import type { Places } from '#core/settings/places.ts';
import type { Rule } from './policy.ts';

/** Effects that fill a folder. Deleting and renaming are asked about even there. */
const FILLING = ['write', 'create-folder'];

/** `writable`: folders relative to the project that agents' code may write in; one that leads out of it or into a dot-folder counts for nothing. */
export function standingRules(places: Places, project: Project, writable: readonly string[]): Rule[] {
  const folders = [...new Set([places.config, places.state, places.cache])];
  const own = folders.flatMap((folder) =>
    [{ effect: '*' }, { tool: '*' }].map((what): Rule => ({
      id: `own-files:${path.basename(folder)}`,
      decision: 'deny',
      client: null,
      subject: { ...what, folder },
      granted: false,
    })),
  );
  return [...own, ...writable.flatMap((folder) => writableRules(project, folder))];
}

function writableRules({ root }: Project, folder: string): Rule[] {
  if (root === null) return [];
  const absolute = path.resolve(root, folder);
  const parts = path.relative(root, absolute).split(path.sep);
  if (parts.some((part) => part.startsWith('.'))) return []; // outside the project, or in a dot-folder (G4)
  return FILLING.map((effect) => ({
    id: `writable:${folder}`,
    decision: 'allow',
    client: null,
    subject: { effect, folder: absolute },
    granted: false,
  }));
}
