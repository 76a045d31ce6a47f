/** The tools that make one kind of change to one file. Each has the same effect as a single edit in the list of `edit_files`. */
import { counted } from '#contract/text/text.ts';
import { z } from 'zod';
import { LARGEST_TEXT } from '#core/project/files/files.ts';
import { writtenInWords } from './edit-files.ts';
import { reviewApproved } from './definitions/approved-definitions.ts';
import { cardOf, editedByPerson, imageRemarks, perform, remarks } from './file-changes.ts';
import { type FileEdit, pathsOf, planEdits } from './planned-files.ts';
import { PATH } from './read-file.ts';
import type { NamedValue } from '#core/approvals/request.ts';
import { defineTool, type Tool } from '../tool.ts';

const description = z.string().max(2000).describe('Why, in a sentence. The person reads it as your claim.');

interface OneEdit<Input extends z.ZodObject> extends Pick<
  Tool<Input>,
  'name' | 'title' | 'description' | 'input' | 'summarize'
> {
  readonly edit: (args: z.output<Input>) => FileEdit;
  /** The argument that the person can change before approving. */
  readonly editable?: keyof z.output<Input> & string;
  /** The headline of the card, and the first line of the answer. Omitted if they are the same as for other edits. */
  readonly words?: {
    readonly asked: (size: string, path: string) => string;
    readonly done: (size: string, path: string) => string;
  };
  /** True if the answer says whether the image has the change. */
  readonly tellsOfImage?: true;
}

function oneEdit<Input extends z.ZodObject>({ edit, editable, words, tellsOfImage, ...tool }: OneEdit<Input>): Tool {
  return defineTool<Input>({
    ...tool,
    level: 'dangerous',
    openWorld: false,
    paths: (args, { project }) => pathsOf([edit(args)], project),
    card: async (args, context) =>
      cardOf(await planEdits([edit(args)], context), context, {
        arguments: argumentsOf(args),
        editable: editable ?? null,
        ...(words && { headline: ({ bytesAfter, path }) => words.asked(counted(bytesAfter, 'byte'), path) }),
        claim: (args as { description?: string }).description || null,
      }),
    run: async (args, context, approved) => {
      const written = await perform(await planEdits([edit(args)], context), context, approved);
      if (typeof written === 'string') return { success: false, text: written };
      const original = editable && approved?.original?.[editable];
      const given = editable ? String(args[editable]) : '';
      const lines = [
        writtenInWords(written, words?.done),
        ...remarks(written),
        ...(original === undefined ? [] : editedByPerson(original, given)),
        ...(tellsOfImage ? await imageRemarks(written, context) : []),
      ];
      await reviewApproved(written, context, approved);
      return { success: true, text: lines.join('\n') };
    },
  });
}

function argumentsOf(args: Readonly<Record<string, unknown>>): NamedValue[] {
  return Object.entries(args).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value: typeof value === 'string' ? value : JSON.stringify(value) }],
  );
}

export const proposeFileEdit = oneEdit({
  name: 'propose_file_edit',
  title: 'Propose an edit to a file',
  description:
    'Propose to replace a passage of a project file; use it for files that exist. The person sees a diff and accepts, rejects or edits each hunk; the reply lists the outcomes. Put several changes of one file into one call. If the reply says that it waits, continue with await-approval.',
  input: z.strictObject({
    path: z.string().min(1).describe(PATH),
    original: z
      .string()
      .max(LARGEST_TEXT)
      .describe(
        'The passage to replace, exactly as in the file and long enough to occur once; the whole file is fine. Empty for a new file.',
      ),
    modified: z.string().max(LARGEST_TEXT).describe('The replacement.'),
    description,
  }),
  summarize: ({ path, description: why }) => (why ? `${path}: ${why}` : path),
  edit: ({ path, original, modified }) => ({ path, old: original, new: modified }),
  editable: 'modified',
  tellsOfImage: true,
});

export const editDefinition = oneEdit({
  name: 'edit_definition',
  title: 'Edit one definition in a file',
  description:
    'Replace one top-level form in a Lisp file of the project, or add one next to it. Identify the form by what it defines; the new text must be one complete form. Use it for Lisp code. It needs approval and does not change the image.',
  input: z.strictObject({
    path: z.string().min(1).describe(PATH),
    definition: z
      .string()
      .min(1)
      .describe(
        'The definition, e.g. "total", "defun total", or for a method "defmethod discount (club-member)"; or "line 14" for any form that begins there. It must match one form of the file.',
      ),
    text: z
      .string()
      .min(1)
      .max(LARGEST_TEXT)
      .describe('One complete top-level form; comments before it may be part of it.'),
    line: z.int().min(1).optional().describe('Line in which the form begins, if several have the same name.'),
    place: z
      .enum(['replace', 'before', 'after'])
      .optional()
      .describe('Where the text goes: in place of the definition (the default), before it, or after it.'),
    description: description.optional(),
  }),
  summarize: ({ path, definition }) => `${definition} in ${path}`,
  edit: ({ path, definition, line, text, place }) => ({ path, definition, line, text, place }),
  editable: 'text',
  tellsOfImage: true,
});

export const writeFile = oneEdit({
  name: 'write_file',
  title: 'Write a file',
  description:
    'Write a whole file of the project, when a person approves. Use it for a new file; to change one, or several at once, use edit-files.',
  input: z.strictObject({
    path: z.string().min(1).describe(PATH),
    content: z.string().max(LARGEST_TEXT).describe('The complete text.'),
  }),
  summarize: ({ path, content }) => `${path}, ${counted(Buffer.byteLength(content, 'utf8'), 'byte')}`,
  edit: ({ path, content }) => ({ path, content }),
  words: { asked: (size, path) => `Write ${size} to ${path}`, done: (size, path) => `Wrote ${size} to ${path}` },
  editable: 'content',
});

export const moveFile = oneEdit({
  name: 'move_file',
  title: 'Move or rename a file',
  description:
    'Move or rename a file of the project to a path that does not exist. A person approves it first; change references to it elsewhere after that.',
  input: z.strictObject({
    path: z.string().min(1).describe(PATH),
    to: z.string().min(1).describe('Its new path, inside the project. Missing folders are created.'),
  }),
  summarize: ({ path, to }) => `${path} to ${to}`,
  edit: ({ path, to }) => ({ path, move_to: to }),
});

export const deleteFile = oneEdit({
  name: 'delete_file',
  title: 'Delete a file',
  description: 'Delete one file of the project, after a person has approved it. The person can undo it later.',
  input: z.strictObject({ path: z.string().min(1).describe(PATH) }),
  summarize: ({ path }) => path,
  edit: ({ path }) => ({ path, delete: true }),
});
