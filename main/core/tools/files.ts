import { z } from 'zod';
import { checkWritable, LARGEST_TEXT, readText, readTextIfAny, type TextFile } from '#core/project/files.ts';
import { compare, textChange, unifiedText } from '#core/project/text-change.ts';
import { WorkbenchError } from '#core/error.ts';
import { existingFile } from './existing.ts';
import { REPLIES } from './long-replies.ts';
import { defineTool } from './tool.ts';

export const PATH = 'Path of the file, relative to the project folder or absolute inside it.';

export const readFile = defineTool({
  name: 'read_file',
  title: 'Read a file',
  level: 'safe',
  description:
    'The text of a file of the project. Use it before writing to a file, and to go on with a reply that was too long for one answer.',
  input: z.strictObject({
    path: z.string().min(1).describe(`${PATH} Or where a long reply goes on, as it said: ${REPLIES}….`),
  }),
  openWorld: false,
  summarize: ({ path }) => path,
  paths: async ({ path }, { project }) => (path.startsWith(REPLIES) ? [] : [await project.locate(path)]),
  run: async ({ path }, { project, replies, actor }) => {
    if (path.startsWith(REPLIES)) {
      const page = replies.page(path, actor);
      if (page !== null) return { success: true, text: page };
      throw new WorkbenchError('not-found', 'No long reply of yours is kept there. Send the call again that made it.');
    }
    const { text, lossy } = await readText(await existingFile(project, path));
    const shown = text.replace(/^\uFEFF/, ''); // the tools that change a file keep the mark by themselves
    return {
      success: true,
      text: lossy ? `(This file is no valid UTF-8: what could not be read shows as \uFFFD.)\n${shown}` : shown,
    };
  },
});

export const writeFile = defineTool({
  name: 'write_file',
  title: 'Write a file',
  level: 'dangerous',
  description:
    'Write a whole file of the project. A person sees the change and approves, edits or denies it; nothing is written before. If the answer says that it waits, continue with await-approval.',
  input: z.strictObject({
    path: z.string().min(1).describe(PATH),
    content: z.string().max(LARGEST_TEXT).describe('The complete new text of the file.'),
  }),
  openWorld: false,
  summarize: ({ path, content }) => `${path}, ${Buffer.byteLength(content, 'utf8')} bytes`,
  paths: async ({ path }, { project }) => [await project.locate(path)],
  card: async ({ path, content }, { project }) => {
    const file = await project.locate(path);
    if (file === project.root) throw new WorkbenchError('invalid', `${path} is a folder.`);
    const before = await readTextIfAny(file);
    await checkWritable(file); // said before a person is asked
    const change = textChange(project.display(file), file, before, content);
    return {
      headline: `Write ${inBytes(change.bytesAfter)} to ${change.path}`,
      arguments: [
        { name: 'path', value: path },
        { name: 'content', value: content },
      ],
      editable: 'content',
      change,
      reversible: before
        ? 'Reversible: the file as it is now is kept and can be put back'
        : 'Reversible: the file is new and can be deleted',
      claim: null,
      targetState: stateOf(file, before),
    };
  },
  run: async ({ path, content }, { project, kept, actor }, approved) => {
    const file = await project.locate(path);
    if (approved?.targetState !== stateOf(file, await readTextIfAny(file)))
      return { success: false, text: `${path} changed in the moment of the approval. Nothing was written.` };
    const bytes = Buffer.from(content, 'utf8');
    await kept.write({ id: approved.id, actor: actor.id }, file, bytes);
    const done = `Wrote ${inBytes(bytes.length)} to ${project.display(file)}.`;
    const { original } = approved;
    return { success: true, text: original ? `${done}\n${editedText(String(original['content']), content)}` : done };
  },
});

/** Which file it is, links followed, and what it holds. */
function stateOf(file: string, present: TextFile | null): string {
  return JSON.stringify([file, present?.digest ?? null]);
}

function inBytes(count: number): string {
  return count === 1 ? '1 byte' : `${count.toLocaleString('en-US')} bytes`;
}

/** What the person changed before approving, so that the caller's belief about the file stays true. */
function editedText(original: string, content: string): string {
  const hunks = compare(original, content) ?? [];
  return `The person edited this before approving it.${hunks.length > 0 ? `\n[Changed by the person]\n${unifiedText(hunks)}` : ''}`;
}
