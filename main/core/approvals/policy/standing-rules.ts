/** Rules that no card gave: what nobody may change, and folders of the project that may be written. */
import path from 'node:path';
import type { ServerRecord } from '#contract/server.ts';
import type { Project } from '#core/project/project.ts';
import type { Paths } from '#core/settings/paths.ts';
import type { Rule } from './policy.ts';

/** Effects that fill a folder. Deleting and renaming are asked about even there. */
const FILLING = ['write', 'create-folder'];

/**
 * A function of the rules that no card gave, made anew when the project or the folders are others. `writable`: folders relative to
 * the project that agents' code may write in; one that leads out of it or into a dot-folder counts for nothing.
 */
export function standingRules(
  paths: Paths,
  project: () => Project,
  writable: () => readonly string[],
  servers: () => readonly ServerRecord[] = () => [],
): () => readonly Rule[] {
  let made: {
    readonly project: Project;
    readonly writable: readonly string[];
    readonly ports: string;
    readonly rules: readonly Rule[];
  } | null = null;
  return () => {
    const ports = openPorts(servers());
    const now = { project: project(), writable: writable(), ports: ports.join() };
    if (made?.project !== now.project || made.writable !== now.writable || made.ports !== now.ports)
      made = { ...now, rules: [...rulesOf(paths, now.project, now.writable), ...portRules(ports)] };
    return made.rules;
  };
}

function rulesOf(paths: Paths, project: Project, writable: readonly string[]): Rule[] {
  const folders = [...new Set([paths.config, paths.state, paths.cache])];
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

/** Ports of this program behind which there is no guard. */
function openPorts(servers: readonly ServerRecord[]): number[] {
  return servers.flatMap(({ kind, port }) => (kind === 'swank' || kind === 'telnet' ? (port ?? []) : []));
}

/** Agents' code never connects to a server that would evaluate for it as the person, whatever the person grants elsewhere. */
function portRules(ports: readonly number[]): Rule[] {
  return ports.flatMap((port) =>
    ['127.0.0.1', '0.0.0.0', '[0:0:0:0:0:0:0:1]', '[0:0:0:0:0:ffff:7f00:1]'].map((host): Rule => ({
      id: `own-port:${port}`,
      decision: 'deny',
      client: null,
      subject: { effect: 'connect', target: `${host}:${port}` },
      granted: false,
    })),
  );
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
