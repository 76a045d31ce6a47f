/**
 * How an agent's program is started: by itself, or, where it is a script of JavaScript, by a Node: that which the workbench runs on, so that none has to be
 * installed, or the newer one that was found for it.
 */
import path from 'node:path';
import type { FoundProgram } from '../recipes/recipe.ts';

export interface ProgramCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Variables that the command needs beside the others. */
  readonly environment: Readonly<Record<string, string>>;
}

export type StartedProgram = Pick<FoundProgram, 'place' | 'node' | 'path' | 'script'>;

export function programCommand({ place, node, path: paths, script = isScript(place) }: StartedProgram): ProgramCommand {
  if (!script) return { command: place, args: [], environment: {} };
  if (node !== undefined)
    return { command: node, args: [place], environment: paths === undefined ? {} : { PATH: paths } };
  // Programs start further scripts by the path of the Node that runs them, so the variable has to be theirs too.
  const environment: Record<string, string> = process.versions['electron'] ? { ELECTRON_RUN_AS_NODE: '1' } : {};
  return { command: process.execPath, args: [place], environment };
}

/** True for a file that Node runs. */
export function isScript(place: string): boolean {
  return ['.js', '.mjs', '.cjs'].includes(path.extname(place));
}
