import { z } from 'zod';
import { LARGEST_TEXT, readText, readTextIfAny, type TextFile } from '#core/project/files.ts';
import { compare, textChange, unifiedText } from '#core/project/text-change.ts';
import { WorkbenchError } from '#core/error.ts';
import { existingFile } from './existing.ts';
import { defineTool } from './tool.ts';

export const PATH = 'Path of the file, relative to the project folder or absolute inside it.';

/** Bytes of a file in one answer, a little less than the doors let through. */
const LONGEST_ANSWER = 1_000_000;

export const readFile = defineTool({
  name: 'read_file',
  title: 'Read a file',
  level: 'safe',
  description: 'The text of a file of the project. Use it before writing to a file.',
  input: z.strictObject({ path: z.string().min(1).describe(PATH) }),
  openWorld: false,
  summarize: ({ path }) => path,
  paths: async ({ path }, { project }) => [await project.locate(path)],
  run: async ({ path }, { project }) => {
    const { text, lossy } = await readText(await existingFile(project, path));
    const shown = beginning(text.replace(/^\uFEFF/, '')); // the tools that change a file keep the mark by themselves
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
  run: async ({ path, content }, { project, kept }, approved) => {
    const file = await project.locate(path);
    if (approved?.targetState !== stateOf(file, await readTextIfAny(file)))
      return { success: false, text: `${path} changed in the moment of the approval. Nothing was written.` };
    const bytes = Buffer.from(content, 'utf8');
    await kept.write(approved.id, file, bytes);
    const done = `Wrote ${inBytes(bytes.length)} to ${project.display(file)}.`;
    const { original } = approved;
    return { success: true, text: original ? `${done}\n${editedText(String(original['content']), content)}` : done };
  },
});

/** As much of a text as an answer holds, by whole lines where it has them, and how to read on. */
function beginning(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= LONGEST_ANSWER) return text;
  const part = new TextDecoder().decode(bytes.subarray(0, LONGEST_ANSWER), { stream: true });
  const shown = part.slice(0, part.lastIndexOf('\n') + 1);
  if (shown === '') return text; // one line: what bounds every answer cuts it
  const next = shown.split('\n').length;
  return `${shown}… the lines from ${next} on are not shown: read-buffer reads them, with start ${next}`;
}

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
