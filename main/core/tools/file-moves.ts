/** Moving and deleting files of the project, with what was there kept. */
import { stat } from 'node:fs/promises';
import { z } from 'zod';
import type { CardFacts } from '#core/approvals/request.ts';
import { WorkbenchError } from '#core/error.ts';
import { readExact } from '#core/project/exact-text.ts';
import { readable } from '#core/project/project.ts';
import { PATH } from './files.ts';
import { defineTool, type ToolContext } from './tool.ts';

export const moveFile = defineTool({
  name: 'move_file',
  title: 'Move a file',
  level: 'dangerous',
  description:
    'Move or rename a file of the project to a place where no file is. A person approves it first; change references to it elsewhere after that.',
  input: z.strictObject({
    path: z.string().min(1).describe(PATH),
    to: z.string().min(1).describe('Its new path, inside the project. Folders on the way are made.'),
  }),
  openWorld: false,
  summarize: ({ path, to }) => `${path} to ${to}`,
  paths: async ({ path, to }, { project }) => [await project.locate(path), await project.locate(to)],
  card: async ({ path, to }, { project }) => {
    const [file, goal] = [await project.locate(path), await project.locate(to)];
    if (await stat(goal).catch(() => null)) throw new WorkbenchError('refused', `${to} exists already.`);
    return {
      ...(await factsOf(file)),
      headline: `Move ${project.display(file)} to ${project.display(goal)}`,
      arguments: [
        { name: 'path', value: path },
        { name: 'to', value: to },
      ],
      targetState: JSON.stringify([await stateOf(file), goal]),
    };
  },
  run: async ({ path, to }, { project, kept, actor }, approved) => {
    const [file, goal] = [await project.locate(path), await project.locate(to)];
    if (approved?.targetState !== JSON.stringify([await stateOf(file), goal]))
      return { success: false, text: `${path} changed in the moment of the approval. Nothing was moved.` };
    await kept.move({ id: approved.id, actor: actor.id }, file, goal);
    return { success: true, text: `Moved ${project.display(file)} to ${project.display(goal)}.` };
  },
});

export const deleteFile = defineTool({
  name: 'delete_file',
  title: 'Delete a file',
  level: 'dangerous',
  description: 'Delete one file of the project. A person approves it first, and can take it back after that.',
  input: z.strictObject({ path: z.string().min(1).describe(PATH) }),
  openWorld: false,
  summarize: ({ path }) => path,
  paths: async ({ path }, { project }) => [await project.locate(path)],
  card: async ({ path }, { project }: ToolContext) => {
    const file = await project.locate(path);
    return {
      ...(await factsOf(file)),
      headline: `Delete ${project.display(file)}`,
      arguments: [{ name: 'path', value: path }],
      targetState: await stateOf(file),
    };
  },
  run: async ({ path }, { project, kept, actor }, approved) => {
    const file = await project.locate(path);
    if (approved?.targetState !== (await stateOf(file)))
      return { success: false, text: `${path} changed in the moment of the approval. Nothing was deleted.` };
    await kept.delete({ id: approved.id, actor: actor.id }, file);
    return { success: true, text: `Deleted ${project.display(file)}.` };
  },
});

async function factsOf(file: string): Promise<Omit<CardFacts, 'headline' | 'arguments' | 'targetState'>> {
  const found = await stat(file).catch((error: unknown) => {
    throw readable(error, file);
  });
  if (found.isDirectory()) throw new WorkbenchError('refused', `${file} is a folder. Only files are moved or deleted.`);
  const target = { absolutePath: file, size: found.size, modified: found.mtimeMs };
  return {
    editable: null,
    change: null,
    target,
    reversible: 'Reversible: the file is kept and can be put back',
    claim: null,
  };
}

/** A file that is no text counts by size and time. */
async function stateOf(file: string): Promise<string> {
  const text = await readExact(file).catch(() => null);
  if (text) return JSON.stringify([file, text.digest]);
  const found = await stat(file).catch((error: unknown) => {
    throw readable(error, file);
  });
  return JSON.stringify([file, found.size, found.mtimeMs]);
}
