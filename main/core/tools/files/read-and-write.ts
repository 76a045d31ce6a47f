/** The tools that read a file of the project and write one whole, once the person has agreed. */
import { counted } from '#contract/text.ts';
import { z } from 'zod';
import { withFileLock } from '#core/project/file-lock.ts';
import { checkWritable, LARGEST_TEXT, readText, readTextIfAny, type TextFile } from '#core/project/files.ts';
import { namedChange } from '#core/project/hunk-names.ts';
import { compare, textChange, unifiedText } from '#core/project/text-change.ts';
import { WorkbenchError } from '#core/error.ts';
import { fileOf, readableAt } from './existing.ts';
import { linesOf, outlineOf } from './pages.ts';
import { leftOut, shownChange, takenText } from './shown-change.ts';
import { REPLIES } from '../replies/long-replies.ts';
import { fileFault } from '../replies/reading-fault.ts';
import { defineTool, type ToolContext } from '../tool.ts';

export const PATH = 'Path of the file, relative to the project folder or absolute inside it.';

export const readFile = defineTool({
  name: 'read_file',
  title: 'Read a file',
  level: 'safe',
  description:
    'The text of a file of the project or of a loaded system, whole or by lines, or its outline. Use it before writing to a file, and to go on with a reply that was too long for one answer.',
  input: z.strictObject({
    path: z.string().min(1).describe(`${PATH} Or where a long reply goes on, as it said: ${REPLIES}….`),
    offset: z.int().min(1).optional().describe('First line to show, from 1.'),
    limit: z.int().min(1).optional().describe('At most so many lines.'),
    outline: z
      .boolean()
      .optional()
      .describe(
        'Of a Lisp file only the beginning of each top-level form, with its lines. Use it before you read a long file.',
      ),
  }),
  openWorld: false,
  summarize: ({ path }) => path,
  paths: async ({ path }, context) => (path.startsWith(REPLIES) ? [] : [await canonicalOf(path, context)]),
  run: async ({ path, offset, limit, outline }, context) => {
    const { replies, replySize, actor } = context;
    if (path.startsWith(REPLIES)) {
      const page = replies.page(path, actor);
      if (page !== null) return { success: true, text: page };
      throw new WorkbenchError('not-found', 'No long reply of yours is kept there. Send the call again that made it.');
    }
    const { text, lossy } = await readText(fileOf(await readableAt(context, path)));
    const whole = text.replace(/^\uFEFF/, ''); // the tools that change a file keep the mark by themselves
    const shown = outline ? outlineOf(whole) : linesOf(whole, path, offset ?? 1, limit ?? Infinity, replySize);
    return {
      success: true,
      text: lossy ? `(This file is no valid UTF-8: what could not be read shows as \uFFFD.)\n${shown}` : shown,
    };
  },
});

/** The path by which rules are asked, also where nothing is there. */
async function canonicalOf(given: string, context: Pick<ToolContext, 'project' | 'session'>): Promise<string> {
  return context.project.locate(given).catch(async () => (await readableAt(context, given)).file);
}

export const writeFile = defineTool({
  name: 'write_file',
  title: 'Write a file',
  level: 'dangerous',
  description:
    'Write a whole file of the project. A person sees the change and approves, edits or denies it, of a file that exists each hunk; nothing is written before. If the answer says that it waits, continue with await-approval.',
  input: z.strictObject({
    path: z.string().min(1).describe(PATH),
    content: z.string().max(LARGEST_TEXT).describe('The complete new text of the file.'),
  }),
  openWorld: false,
  summarize: ({ path, content }) => `${path}, ${Buffer.byteLength(content, 'utf8')} bytes`,
  paths: async ({ path }, { project }) => [await project.locate(path)],
  card: async ({ path, content }, context) => {
    const { project } = context;
    const file = await project.locate(path);
    if (file === project.root) throw new WorkbenchError('invalid', `${path} is a folder.`);
    const before = await readTextIfAny(file);
    await checkWritable(file); // said before a person is asked
    const { change, checked, choosable } = before
      ? await shownChange({ file, before, after: content }, context)
      : newFile(project.display(file), file, content);
    return {
      headline: `Write ${inBytes(change.bytesAfter)} to ${change.path}`,
      arguments: [
        { name: 'path', value: path },
        { name: 'content', value: content },
      ],
      editable: 'content',
      change,
      choosable,
      checked,
      reversible: before
        ? 'Reversible: the file as it is now is kept and can be put back'
        : 'Reversible: the file is new and can be deleted',
      claim: null,
      files: [file],
      targetState: stateOf(file, before),
    };
  },
  run: async ({ path, content }, { project, backups, actor }, approved) => {
    const file = await project.locate(path);
    const taken = approved?.hunks ?? null;
    const wrote = await withFileLock([file], async () => {
      const before = await readTextIfAny(file);
      if (approved?.targetState !== stateOf(file, before)) return null;
      const { text, hunks } = takenText({ file, before, after: content }, taken);
      await backups.write({ id: approved.id, actor: actor.id }, file, Buffer.from(text, 'utf8'));
      return { text, hunks };
    });
    if (!wrote || approved === null)
      return { success: false, text: `${path} changed in the moment of the approval. Nothing was written.` };
    const fault = fileFault(file, wrote.text);
    const some = taken === null ? '' : `: the person took ${taken.length} of ${wrote.hunks.length} hunks`;
    const lines = [
      `Wrote ${inBytes(Buffer.byteLength(wrote.text, 'utf8'))} to ${project.display(file)}${some}.`,
      ...(fault === null ? [] : [`It does not read as Lisp: ${fault}`]),
      ...leftOut(wrote.hunks, taken),
      ...(approved.original ? [editedText(String(approved.original['content']), content)] : []),
    ];
    return { success: true, text: lines.join('\n') };
  },
});

/** A new file is written whole. */
function newFile(
  shown: string,
  file: string,
  content: string,
): Pick<Awaited<ReturnType<typeof shownChange>>, 'change' | 'checked' | 'choosable'> {
  const fault = fileFault(file, content);
  return {
    change: namedChange(textChange(shown, file, null, content), content),
    choosable: false,
    checked: fault === null ? null : { words: `does not read: ${fault}`, fault: true },
  };
}

/** Reads the target: which file it is, links followed, and what it holds. */
function stateOf(file: string, present: TextFile | null): string {
  return JSON.stringify([file, present?.digest ?? null]);
}

function inBytes(count: number): string {
  return counted(count, 'byte');
}

/** Returns the person's changes before the approval, so that the caller's belief about the file stays true. */
function editedText(original: string, content: string): string {
  const hunks = compare(original, content) ?? [];
  return `The person edited this before approving it.${hunks.length > 0 ? `\n[Changed by the person]\n${unifiedText(hunks)}` : ''}`;
}
