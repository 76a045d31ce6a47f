/**
 * The library tool of a project whose libraries are locked in files of the project: qlot or ocicl. What it downloads and writes is its own
 * affair, so its program runs as in a terminal, in the project's folder.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ProjectLibraries } from '#contract/libraries.ts';
import { WorkbenchError } from '#core/base/error.ts';
import { findTool, runTool } from '#core/programs/tool-programs.ts';
import type { WorkReport } from './libraries.ts';

/** The projects' tools, apart from Quicklisp. */
type ProjectTool = Exclude<ProjectLibraries['kind'], 'quicklisp'>;

/** The action of a tool's program: it adds a library, installs what is locked, or updates it. */
export type ToolAction =
  | { readonly action: 'add'; readonly library: string }
  | { readonly action: 'install' | 'update' };

/** The pages that describe how to install the programs. */
const PAGES: Record<ProjectTool, string> = { qlot: 'https://qlot.tech', ocicl: 'https://github.com/ocicl/ocicl' };

/** Returns the tool of the project in a folder, with the path of its program; null if the project has none. */
export async function toolOfProject(root: string, environment: NodeJS.ProcessEnv): Promise<ProjectLibraries | null> {
  const found = findLists(root);
  if (found === null) return null;
  const { kind, path: file } = found;
  const program = await findTool(kind, { environment, project: root });
  return { kind, path: file, count: await librariesIn(kind, file), program };
}

/** Returns the file that lists the project's libraries: one of qlot in the folder, or one of ocicl in it or above it. */
function findLists(root: string): { kind: ProjectTool; path: string } | null {
  const qlfile = ['qlfile', '.qlot/setup.lisp'].map((name) => path.join(root, name)).find((file) => existsSync(file));
  if (qlfile !== undefined) return { kind: 'qlot', path: qlfile };
  for (let folder = root; ; folder = path.dirname(folder)) {
    const list = ['ocicl.csv', 'systems.csv'].map((name) => path.join(folder, name)).find((file) => existsSync(file));
    if (list !== undefined) return { kind: 'ocicl', path: list };
    if (folder === path.dirname(folder)) return null;
  }
}

/** Returns the number of libraries that the lock file of qlot or the list of ocicl names; null if there is no such file. */
async function librariesIn(kind: ProjectTool, file: string): Promise<number | null> {
  if (kind === 'ocicl') return linesOf(await readFile(file, 'utf8').catch(() => ''));
  const lock = await readFile(path.join(path.dirname(file), 'qlfile.lock'), 'utf8').catch(() => null);
  // Each library begins with `("name" .` in column 0.
  return lock === null ? null : (lock.match(/^\("/gm)?.length ?? 0);
}

function linesOf(text: string): number {
  return text.split('\n').filter((line) => line.trim() !== '').length;
}

/** Returns the arguments of the program for an action. */
function toolArguments(kind: ProjectTool, request: ToolAction): string[] {
  if (kind === 'qlot') return request.action === 'add' ? ['add', request.library] : [request.action];
  if (request.action === 'add') return ['install', request.library];
  return request.action === 'install' ? ['install'] : ['latest'];
}

/**
 * Runs the program of a project's tool. Resolves with the end of its output. @throws WorkbenchError `not-found` if the program is not
 * installed, `system` with its output if it failed.
 */
export async function runProjectTool(
  root: string,
  request: ToolAction,
  environment: NodeJS.ProcessEnv,
  { signal, progress }: WorkReport,
): Promise<string> {
  const tool = await toolOfProject(root, environment);
  if (tool === null || tool.kind === 'quicklisp')
    throw new WorkbenchError('not-found', 'The project has no list of libraries of qlot or ocicl.');
  const { kind, program } = tool;
  if (program === null)
    throw new WorkbenchError(
      'not-found',
      `The program ${kind} was not found on the search path. ${PAGES[kind]} describes how to install it.`,
    );
  if (request.action === 'add' && !/^\w[\w.+@/:-]*$/.test(request.library))
    throw new WorkbenchError('invalid', `${JSON.stringify(request.library)} is not the name of a library.`);
  const args = toolArguments(kind, request);
  progress(args.join(' '), 0, 0, '');
  const { how, log } = await runTool({
    tool: program,
    args,
    directory: root,
    environment,
    signal,
    said: (text) => {
      const line = text.trimEnd().split('\n').at(-1)!;
      if (line !== '') progress(args.join(' '), 0, 0, line.slice(0, 200));
    },
  });
  signal.throwIfAborted();
  if (how !== null) throw new WorkbenchError('system', `${kind} ${args.join(' ')} ended with ${how}. ${log.trim()}`);
  return log.trim();
}
