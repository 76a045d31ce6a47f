/**
 * Searches for an agent's program, first in the workbench's own folder and then on the person's path. Runs the program to get its version.
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { beginning } from '#contract/text/text.ts';
import { messageOf } from '#core/base/error.ts';
import { inheritable } from '#core/lisp/start/environment.ts';
import { missingNode, searchNode } from './node-search.ts';
import { isScript, programCommand, type StartedProgram } from './program-command.ts';
import type { FoundProgram, Recipe } from '../recipes/recipe.ts';

/** The places to search. */
export interface SearchPlaces {
  /** The folder into which the workbench installs this program. */
  readonly installation: string;
  readonly environment: NodeJS.ProcessEnv;
  /** The project's folder, which is not searched, because another person may have planted a program there. Null if no project is open. */
  readonly project: string | null;
}

/** The result of a search. `found` is null if there is no usable program; `problem` then explains why, with advice. */
export interface SearchResult {
  readonly found: FoundProgram | null;
  /** The path of the program, even if it is unusable. */
  readonly place: string | null;
  readonly problem: string | null;
}

/** How long, in milliseconds, a program may take to report its version. On a busy machine, some programs take seconds. */
const VERSION_MS = 30_000;
const MOST_SAID = 64 * 1024;

export async function searchProgram(recipe: Recipe, places: SearchPlaces): Promise<SearchResult> {
  const installed = await installedPlace(recipe, places.installation);
  const place = installed ?? (await placeOnPath(recipe, places));
  if (place === null) return { found: null, place, problem: null };
  const script = installed !== null && recipe.script === true;
  const needed = script || isScript(place) ? recipe.node : null;
  const search = needed === null ? null : await searchNode(needed, places);
  if (search?.found === false)
    return { found: null, place, problem: missingNode(recipe.title, needed!, search.newest) };
  const program = {
    place,
    ...(script ? { script } : {}),
    ...(search?.place == null ? {} : { node: search.place }),
    ...(search?.path == null ? {} : { path: search.path }),
  };
  try {
    return { found: { ...program, version: await versionOf(recipe, program, places) }, place, problem: null };
  } catch (error) {
    return { found: null, place, problem: `${place} does not run: ${messageOf(error)} Install ${recipe.title} again.` };
  }
}

/** Returns the program of an installation; null if there is none, or if the installation is incomplete. */
async function installedPlace({ installed }: Recipe, installation: string): Promise<string | null> {
  for (const name of installed) {
    const place = path.join(installation, name);
    if (await isFile(place)) return place;
  }
  return null;
}

async function placeOnPath(recipe: Recipe, { environment, project }: SearchPlaces): Promise<string | null> {
  const folders = (environment['PATH'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  for (const folder of folders) {
    for (const candidate of candidates(recipe, folder)) {
      const place = await runnable(candidate);
      if (place !== null && !isWithin(place, project) && !isWithin(candidate, project)) return place;
    }
  }
  return null;
}

/**
 * Returns the files to try. On Windows, npm puts a batch file on the path, which only a shell can run, so the program beside the batch file
 * is used.
 */
function candidates({ program, installed }: Recipe, folder: string): string[] {
  if (process.platform !== 'win32') return [path.join(folder, program)];
  return [`${program}.exe`, ...installed].map((name) => path.join(folder, name));
}

async function runnable(candidate: string): Promise<string | null> {
  try {
    if (!isScript(candidate)) await access(candidate, constants.X_OK);
    return (await isFile(candidate)) ? await realpath(candidate) : null;
  } catch {
    return null;
  }
}

async function isFile(name: string): Promise<boolean> {
  return (await stat(name).catch(() => null))?.isFile() ?? false;
}

function isWithin(name: string, folder: string | null): boolean {
  return folder !== null && `${name}/`.startsWith(`${folder}/`);
}

/**
 * The versions that programs have reported, by the state of the program's file. They are stored because starting each program again takes
 * seconds.
 */
const told = new Map<string, string | null>();

async function versionOf(recipe: Recipe, program: StartedProgram, places: SearchPlaces): Promise<string | null> {
  if (recipe.versionArguments === null) return null;
  const { mtimeMs, size } = await stat(program.place);
  const key = JSON.stringify([program, mtimeMs, size]);
  const known = told.get(key);
  if (known !== undefined) return known;
  const said = await output(recipe.versionArguments, program, places);
  const version = /\d+\.\d+\.\d+(?:[-+][\w.+-]+)?/.exec(said)?.[0] ?? null;
  told.set(key, version);
  return version;
}

/** Resolves with the complete output of the program. @throws Error that describes how the program failed. */
function output(
  versionArguments: readonly string[],
  program: StartedProgram,
  { environment }: SearchPlaces,
): Promise<string> {
  const { command, args, environment: more } = programCommand(program);
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args, ...versionArguments], {
      cwd: path.dirname(program.place), // files in the folder in which the workbench was started may configure the program
      env: { ...inheritable(environment), ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    });
    let said = '';
    const take = (text: string): void => void (said = (said + text).slice(0, MOST_SAID));
    child.stdout.setEncoding('utf8').on('data', take);
    child.stderr.setEncoding('utf8').on('data', take);
    const timer = setTimeout(() => {
      endGroup(child.pid!);
      reject(new Error(`it did not report its version within ${VERSION_MS / 1000} seconds.`));
    }, VERSION_MS);
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (code === 0) return resolve(said);
      const end = signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;
      reject(new Error(`${end}${said.trim() === '' ? '.' : `, and printed: ${beginning(said.trim(), 300)}`}`));
    });
  });
}

function endGroup(pid: number): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // the process has already ended
  }
}
