/**
 * The recipe for a program that the workbench knows only from the agent list. The recipe uses only data from the list and from the
 * installed package. The program keeps its own tools, because there is no reliable way to turn them off.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { readRecord } from '../programs/installed-record.ts';
import { ownState } from '../recipes/own-state.ts';
import type { RecognisedCall, Recipe, RecipeDownload, ToldCall } from '../recipes/recipe.ts';
import { callByPrefix } from '../recipes/reported-fields.ts';
import { packageName, programName, type RegistryAgent } from './registry-format.ts';
import { lowestNode } from './versions.ts';

const PLATFORM = platformName(process.platform, process.arch);

/** Returns the registry's name for a system, such as `darwin-aarch64` or `windows-x86_64`. @internal Exported for its test. */
export function platformName(platform: string, arch: string): string {
  return `${platform === 'win32' ? 'windows' : platform}-${{ arm64: 'aarch64', x64: 'x86_64' }[arch] ?? arch}`;
}

export function listedRecipe(entry: RegistryAgent, platform = PLATFORM): Recipe {
  const { id, name: title, distribution } = entry;
  const { npx } = distribution;
  const way = wayOf(entry, platform);
  const { args = [], env = {} } = way ?? {};
  const download = downloadOf(entry, platform);
  const recipe: Recipe = {
    id: `registry-${id}`,
    title,
    listed: [id],
    package: npx ? { name: packageName(npx.package), version: null, megabytes: null } : null,
    ...(download === null ? {} : { download }),
    installed: [],
    program: nameOf(way) ?? id,
    node: null,
    versionArguments: null,
    keepsOwnTools: true,
    launch: ({ standing, home }) => ({
      args,
      environment: { ...env, ...(standing === 'unconfined' ? {} : ownState(home)) },
    }),
    ownCall,
    asks: {},
    harmless: [],
    modelAt: (_url, launch) => launch,
    unasked: 'It is not known which commands this agent runs and which files it writes without asking.',
  };
  if (npx) return { ...recipe, completed: (folder) => completed(recipe, folder, npx.cmd) };
  return {
    ...recipe,
    completed: async (folder) => {
      const program = (await readRecord(folder))?.program;
      return program === undefined ? recipe : { ...recipe, installed: [program] };
    },
  };
}

/** Returns the program's distribution for this system; null if there is none. */
function wayOf({ distribution: { npx, binary, uvx } }: RegistryAgent, platform: string) {
  return npx ?? binary?.[platform] ?? uvx ?? null;
}

type Way = NonNullable<ReturnType<typeof wayOf>>;

/** Returns the name under which the program is searched for on the path; null if it has no distribution for this system. */
function nameOf(way: Way | null): string | null {
  if (way === null) return null;
  return 'archive' in way ? programName(way.cmd) : (way.cmd ?? packageName(way.package).replace(/^.*\//, ''));
}

/** Returns the download that *Install* uses; null for an npm package, and for a program that the person installs. */
function downloadOf(entry: RegistryAgent, platform: string): RecipeDownload | null {
  const { version } = entry;
  const way = wayOf(entry, platform);
  if (way === null || way === entry.distribution.npx) return null;
  if (!('archive' in way)) return { kind: 'python', package: way.package, program: nameOf(way)!, version };
  const { archive: address, sha256 = null, cmd: program } = way;
  return isBatchFile(program) ? null : { kind: 'archive', address, sha256, program, version };
}

/** Returns true for a program that only the Windows shell can run. */
function isBatchFile(program: string): boolean {
  return /\.(?:cmd|bat)$/i.test(program);
}

/** Returns the arguments that the list specifies for starting a program. */
export function listedArguments(entry: RegistryAgent): readonly string[] {
  return wayOf(entry, PLATFORM)?.args ?? [];
}

/** Returns instructions for a program that the workbench does not install; null for a program that it installs. */
export function byHand(entry: RegistryAgent, recipe: Recipe, platform = PLATFORM): string | null {
  const { website, repository } = entry;
  const { program, title, package: npm, download } = recipe;
  if (npm !== null || download !== undefined) return null;
  if (wayOf(entry, platform) === null) return `The list has no ${title} for this system (${platform}).`;
  const where = (website ?? repository) ? 'as its page says' : 'as its vendor says';
  return `${title} starts through a batch file on this system, which the workbench cannot run. Install it ${where}, so that "${program}.exe" is on the path, and try again.`;
}

/** The texts with which programs join the name of a server and the name of its tool. */
const JOINTS = [
  (server: string) => `mcp__${server}__`,
  ...['__', '_', '-'].map((joint) => (server: string) => server + joint),
];

/**
 * Returns the call of a workbench tool that the agent's call represents; null if it represents none. The title is only considered if the
 * kind shows that the call is not a command, because the model chooses a command's title.
 */
function ownCall({ name, title, kind, rawInput }: ToldCall, server: { readonly name: string }): RecognisedCall | null {
  const names = kind === null || kind === 'other' ? [name, title] : [name];
  for (const each of names) {
    for (const joint of JOINTS) {
      const call = callByPrefix(each, joint(server.name), rawInput);
      if (call !== null) return call;
    }
  }
  return null;
}

const manifest = z.object({
  version: z.string().optional(),
  bin: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
  engines: z.object({ node: z.string().optional() }).optional(),
});

/** Completes a recipe with data from the installed package: which file to start, and which Node version the package requires. */
async function completed(recipe: Recipe, folder: string, command: string | undefined): Promise<Recipe> {
  const { name } = recipe.package!;
  const root = path.join('node_modules', name);
  const text = await readFile(path.join(folder, root, 'package.json'), 'utf8').catch(() => null);
  if (text === null) return recipe;
  const read = manifest.safeParse(parsed(text));
  if (!read.success) return recipe;
  const { bin = {}, engines } = read.data;
  const unscoped = name.replace(/^.*\//, '');
  const programs = typeof bin === 'string' ? { [unscoped]: bin } : bin;
  const [only, ...others] = Object.keys(programs);
  const chosen = command ?? (others.length === 0 ? only : unscoped) ?? unscoped;
  const file = Object.hasOwn(programs, chosen) ? path.join(root, programs[chosen]!) : null;
  // The package must not specify a file outside its own folder.
  if (file === null || !file.startsWith(`${root}${path.sep}`)) return recipe;
  const start = await readFile(path.join(folder, file)).then(
    (octets) => octets.subarray(0, 200).toString('latin1'),
    () => '',
  );
  const script = /^#![^\n]*\bnode\b/.test(start) || /\.[cm]?js$/.test(file);
  return { ...recipe, installed: [file], script, node: lowestNode(engines?.node ?? '') };
}

/** Resolves with the version of the program that is installed in a folder; null if there is none. */
export async function installedVersion({ package: npm }: Recipe, folder: string): Promise<string | null> {
  if (npm === null) return (await readRecord(folder))?.version ?? null;
  const text = await readFile(path.join(folder, 'node_modules', npm.name, 'package.json'), 'utf8').catch(() => '');
  return manifest.safeParse(parsed(text)).data?.version ?? null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
