/**
 * Rules that do not come from a card. They protect files that must never be changed, and allow writing in the project's writable folders.
 */
import path from 'node:path';
import type { ServerRecord } from '#contract/clients/server.ts';
import type { Project } from '#core/project/project.ts';
import type { Paths } from '#core/settings/paths.ts';
import type { Rule } from './policy.ts';

/** Effects that are allowed in writable folders. Deleting and renaming need approval even there. */
const FILLING = ['write', 'create-folder'];

/** Functions that return the paths and addresses with which code on a target reaches this program's own folders and ports. */
export interface NamesThere {
  readonly foldersThere: (folders: readonly string[]) => readonly string[];
  readonly addressesThere: (address: string) => readonly string[];
}

const NOWHERE: NamesThere = { foldersThere: () => [], addressesThere: () => [] };

/**
 * Returns a function that returns the rules that do not come from a card. The rules are recomputed whenever the project, the folders, the
 * ports or the targets change. `writable` returns the folders, relative to the project, in which agents' code may write; folders outside
 * the project or in a dot-folder are ignored.
 */
export function standingRules(
  paths: Paths,
  project: () => Project,
  writable: () => readonly string[],
  servers: () => readonly ServerRecord[] = () => [],
  names: NamesThere = NOWHERE,
): () => readonly Rule[] {
  const here = [...new Set([paths.config, paths.state, paths.cache])];
  let made: { readonly project: Project; readonly writable: readonly string[]; readonly own: string } | null = null;
  let rules: readonly Rule[] = [];
  return () => {
    const folders = [...here, ...names.foldersThere(here)];
    const addresses = openAddresses(servers()).flatMap((address) => [address, ...names.addressesThere(address)]);
    const now = { project: project(), writable: writable(), own: JSON.stringify([folders, addresses]) };
    if (made?.project !== now.project || made.writable !== now.writable || made.own !== now.own) {
      made = now;
      rules = [
        ...folders.flatMap(ownFileRules),
        ...now.writable.flatMap((folder) => writableRules(now.project, folder)),
        ...addresses.map(addressRule),
      ];
    }
    return rules;
  };
}

function ownFileRules(folder: string): Rule[] {
  return [{ effect: '*' }, { tool: '*' }].map((what): Rule => ({
    id: `own-files:${path.basename(folder)}`,
    decision: 'deny',
    client: null,
    subject: { ...what, folder },
    granted: false,
  }));
}

/** Returns the addresses of the SWANK and telnet servers, which are not protected by a guard. */
function openAddresses(servers: readonly ServerRecord[]): string[] {
  const ports = servers.flatMap(({ kind, port }) => (kind === 'swank' || kind === 'telnet' ? (port ?? []) : []));
  const hosts = ['127.0.0.1', '0.0.0.0', '[0:0:0:0:0:0:0:1]', '[0:0:0:0:0:ffff:7f00:1]'];
  return ports.flatMap((port) => hosts.map((host) => `${host}:${port}`));
}

/** Returns the rule that denies connections to a server that evaluates code as the person's. The rule has priority over all grants. */
function addressRule(target: string): Rule {
  return {
    id: `own-port:${/\d+$/.exec(target)![0]}`,
    decision: 'deny',
    client: null,
    subject: { effect: 'connect', target },
    granted: false,
  };
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
