/**
 * The command that starts an agent's program. A native program is started directly. A JavaScript script is run by a Node: the workbench's
 * own if it is new enough, so that the person does not have to install one; otherwise, the newer Node that was found.
 */
import path from 'node:path';
import type { FoundProgram } from '../recipes/recipe.ts';

export interface ProgramCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Variables that the command needs in addition to the inherited ones. */
  readonly environment: Readonly<Record<string, string>>;
}

export type StartedProgram = Pick<FoundProgram, 'place' | 'node' | 'path' | 'script'>;

export function programCommand({ place, node, path: paths, script = isScript(place) }: StartedProgram): ProgramCommand {
  if (!script) return { command: place, args: [], environment: {} };
  if (node !== undefined)
    return { command: node, args: [place], environment: paths === undefined ? {} : { PATH: paths } };
  // Programs start other scripts with the path of the Node that runs them, so those scripts need the variable too.
  const environment: Record<string, string> = process.versions['electron'] ? { ELECTRON_RUN_AS_NODE: '1' } : {};
  return { command: process.execPath, args: [place], environment };
}

/** Returns true for a file that Node runs. */
export function isScript(place: string): boolean {
  return ['.js', '.mjs', '.cjs'].includes(path.extname(place));
}
