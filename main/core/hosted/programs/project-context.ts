/** The context of an agent's first prompt: the project with its systems and branch, the rules, and the project's instructions. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { AgentStanding, PromptContext } from '#contract/clients/hosted-agent.ts';
import { RULES } from '#core/guide/rules.ts';
import { readCanonicalFile, readRegularFile } from '#core/base/held-files.ts';
import type { Project } from '#core/project/project.ts';
import { SKIPPED } from '#core/project/search/search.ts';

/** Instruction files for agents, in order of priority. */
const INSTRUCTIONS = ['AGENTS.md', 'CLAUDE.md'];
const MOST_TEXT = 100_000;
const MOST_OCTETS = 4 * 1024 * 1024;
/**
 * How deeply nested the searched folders can be when looking for system definitions. The next constant is the maximum number of these files
 * that are read.
 */
const MOST_DEPTH = 2;
const MOST_FILES = 50;
const MOST_SYSTEMS = 60;

/** Returns the context for the first prompt. Each item is a chip that the person sees and can remove. */
export async function projectContext(project: Project, standing: AgentStanding): Promise<PromptContext[]> {
  const { root, name } = project;
  if (root === null || name === null) return [];
  const [systems, branch, instructions] = await Promise.all([systemsOf(root), branchOf(root), instructionsOf(project)]);
  const lines = [
    `You work in Lisp Workbench on the project ${name}, in the folder ${root}${branch === null ? '' : `, branch ${branch}`}.`,
    systems.length === 0
      ? 'It defines no ASDF systems.'
      : `Its ASDF systems: ${systems.slice(0, MOST_SYSTEMS).join(', ')}${systems.length > MOST_SYSTEMS ? ' and more' : ''}.`,
    'A person works in the same live SBCL image, through the MCP server lisp-workbench, and sees what you do.',
    OWN_TOOLS[standing],
    ...RULES.map((rule) => `- ${rule}`),
  ];
  return [{ kind: 'project', title: `Project ${name}`, text: lines.join('\n') }, ...instructions];
}

const OWN_TOOLS: Readonly<Record<AgentStanding, string>> = {
  'workbench-only':
    'Your own tools are not available here: read, search and write files with the tools of lisp-workbench.',
  'project-read-only':
    'Your own tools and your shell can read the project, but not write it: change files with the tools of lisp-workbench.',
  unconfined: 'Change Lisp files with the tools of lisp-workbench, so that the person can review and undo each change.',
};

/** Returns the names of the systems that the project defines. The definitions are only read as text, not evaluated. */
async function systemsOf(root: string): Promise<string[]> {
  const files = (await definitionsIn(root, 0)).slice(0, MOST_FILES);
  const texts = await Promise.all(files.map((file) => textIfAny(file)));
  const names = texts.flatMap((text) =>
    [...text.matchAll(/^\s*\((?:[\w/.-]+::?)?defsystem\s+(?:#?:|")?([^\s")(]+)/gim)].map(([, name]) =>
      name!.toLowerCase(),
    ),
  );
  return [...new Set(names)];
}

async function definitionsIn(folder: string, depth: number): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.asd'));
  const folders = entries.filter((entry) => entry.isDirectory() && !SKIPPED.has(entry.name));
  const below =
    depth === MOST_DEPTH
      ? []
      : await Promise.all(folders.map(({ name }) => definitionsIn(path.join(folder, name), depth + 1)));
  return [...found.map(({ name }) => path.join(folder, name)), ...below.flat()];
}

/** Returns the checked-out git branch; null without a repository or with a detached HEAD. */
async function branchOf(root: string): Promise<string | null> {
  for (let folder = root; ; folder = path.dirname(folder)) {
    const head = await headOf(path.join(folder, '.git'));
    if (head !== null) return /^ref: refs\/heads\/(\S+)/.exec(head)?.[1] ?? null;
    if (path.dirname(folder) === folder) return null;
  }
}

/** Returns the text of git's HEAD; null if there is none. In a linked work tree, `.git` is a file that contains the path of the folder. */
async function headOf(git: string): Promise<string | null> {
  const named = /^gitdir: (.+)/.exec(await textIfAny(git, readRegularFile))?.[1];
  const folder = named ? path.resolve(path.dirname(git), named) : git;
  return (await textIfAny(path.join(folder, 'HEAD'), readRegularFile)) || null;
}

/** Returns the project's instructions. Files with equal texts are included once, because one file is often a link to the other. */
async function instructionsOf(project: Project): Promise<PromptContext[]> {
  const found: PromptContext[] = [];
  for (const name of INSTRUCTIONS) {
    const text = await project.locate(name).then(
      (file) => textIfAny(file),
      () => '',
    );
    if (text.trim() === '' || found.some((each) => each.text === shortened(text))) continue;
    found.push({ kind: 'instructions', title: name, text: shortened(text) });
  }
  return found;
}

/** Reads a project file by its canonical path. Returns an empty text if the file does not exist or is not a regular file. */
async function textIfAny(file: string, read = readCanonicalFile): Promise<string> {
  return (await read(file, MOST_OCTETS).catch(() => '')).toString();
}

function shortened(text: string): string {
  return text.length <= MOST_TEXT ? text : `${text.slice(0, MOST_TEXT)}\n… (cut)`;
}
