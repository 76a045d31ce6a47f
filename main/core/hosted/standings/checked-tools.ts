/**
 * The latest result of checking a program's tools, stored in a file beside the installation. The check runs again when the program or its
 * launch has changed.
 */
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { writeFileAtomic } from '#core/base/atomic-write.ts';
import { readRegularFile } from '#core/base/held-files.ts';
import { publishedName, tools } from '#core/tools/registry.ts';
import type { AgentLaunch, FoundProgram, Recipe } from '../recipes/recipe.ts';
import { StandingError } from './standing-error.ts';

const stored = z.object({ version: z.literal(1), key: z.string(), tools: z.array(z.string()).max(10_000) });

const FILE = 'checked-tools.json';
const MOST_OCTETS = 1024 * 1024;
const OURS = new Set(tools.map(publishedName));

/** Returns true for the name of a workbench tool, in any of the forms in which programs combine it with the server's name. */
export function isOurs(name: string): boolean {
  return /lisp[-_]workbench/.test(name) || OURS.has(name);
}

/** Everything that determines which tools a program offers. If any of it changes, the tools are checked again. */
export interface ProgramState {
  readonly recipe: Recipe;
  readonly found: FoundProgram;
  readonly launch: AgentLaunch;
  /** The `_meta` of the program's sessions. */
  readonly meta: Readonly<Record<string, unknown>> | null;
  /** The version of the workbench. */
  readonly version: string;
}

/**
 * Verifies that a program offers its model no tools of its own that act outside the conversation. `look` starts the program to get its
 * tools. It is called only once as long as the program's state does not change.
 * @throws StandingError that names the tools.
 */
export async function requireOurToolsOnly(
  { recipe, found, launch, meta, version }: ProgramState,
  folder: string,
  look: () => Promise<string[]>,
): Promise<void> {
  const { mtimeMs, size } = await stat(found.place);
  const program = [found.place, found.version, mtimeMs, size];
  const state = [
    version,
    program,
    launch.args,
    Object.entries(launch.environment),
    launch.files,
    rewritten(launch),
    meta,
  ];
  const key = createHash('sha256').update(JSON.stringify(state)).digest('hex');
  const file = path.join(folder, FILE);
  const known = await readRegularFile(file, MOST_OCTETS).then(
    (octets) => stored.safeParse(parsed(octets.toString())).data,
    () => undefined,
  );
  const offered = known?.key === key ? known.tools : await look();
  if (known?.key !== key)
    await writeFileAtomic(file, JSON.stringify({ version: 1, key, tools: offered }), { mode: 0o600 });
  const others = offered.filter((name) => !isOurs(name) && !recipe.harmless.includes(name));
  if (others.length === 0) return;
  throw new StandingError(
    `${recipe.title} ${found.version ?? ''} offers its model other tools that could not be switched off: ${others.slice(0, 12).join(', ')}${others.length > 12 ? ` and ${others.length - 12} more` : ''}. Therefore it cannot be limited to Lisp Workbench.`,
    'project-read-only',
  );
}

/** Returns the files that a launch rewrites, with the content that they would have in an empty home. */
function rewritten({ rewrites = {} }: AgentLaunch): Record<string, string> {
  return Object.fromEntries(Object.entries(rewrites).map(([name, rewrite]) => [name, rewrite('')]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
