/** Changes of files as diffs that a person takes or leaves by hunk. */
import { plural } from '#contract/text.ts';
import { z } from 'zod';
import type { DiffHunk } from '#contract/approval.ts';
import type { Approved, CardFacts } from '#core/approvals/request.ts';
import { maskTokens, partsWithoutTokens } from '#core/tokens.ts';
import { WorkbenchError } from '#core/error.ts';
import { encodeLike, readExact, withLineEnds, type ExactText } from '#core/project/exact-text.ts';
import { withFileLock } from '#core/project/file-lock.ts';
import { checkWritable, LARGEST_TEXT } from '#core/project/files.ts';
import { isLispPath } from '#core/project/lisp-file.ts';
import { compare, unifiedText } from '#core/project/text-change.ts';
import { replaceDefinition } from './definition-edits.ts';
import { checkPackage, imageNote } from './edited-image.ts';
import { PATH } from './read-and-write.ts';
import { leftOut, shownChange, takenText } from './shown-change.ts';
import { fileFault } from '../replies/reading-fault.ts';
import { defineTool, type ToolContext, type ToolOutcome } from '../tool.ts';

/** A file as it is and as it shall be. */
interface Edit {
  readonly file: string;
  readonly before: ExactText | null;
  readonly after: string;
  /** The definition that becomes another one, in words. */
  readonly renamed?: string | null;
}

const description = z.string().max(2000).describe('Why, in a sentence. The person reads it as your claim.');

export const proposeFileEdit = defineTool({
  name: 'propose_file_edit',
  title: 'Propose an edit of a file',
  level: 'dangerous',
  description:
    'Propose to replace a passage of a project file; use it for files that exist. The person sees the change as a diff and takes or leaves each hunk, or edits it; the answer says what became of each. Several changes of one file go into one call. If the answer says that it waits, continue with await-approval.',
  input: z.strictObject({
    path: z.string().min(1).describe(PATH),
    original: z
      .string()
      .max(LARGEST_TEXT)
      .describe(
        'The passage to be replaced, exactly as it stands in the file and long enough to occur once; the whole text of the file is fine. Empty for a new file.',
      ),
    modified: z.string().max(LARGEST_TEXT).describe('What takes its place.'),
    description,
  }),
  openWorld: false,
  summarize: ({ path, description: why }) => (why ? `${path}: ${why}` : path),
  paths: async ({ path }, { project }) => [await project.locate(path)],
  card: async (args, context) =>
    cardOf(await proposed(args, context), context, args.description || null, 'modified', [
      { name: 'path', value: args.path },
      { name: 'original', value: args.original },
      { name: 'modified', value: args.modified },
      { name: 'description', value: args.description },
    ]),
  run: async (args, context, approved) => write(await proposed(args, context), args.modified, context, approved),
});

export const editDefinition = defineTool({
  name: 'edit_definition',
  title: 'Edit one definition in a file',
  level: 'dangerous',
  description:
    'Replace one top-level form of a Lisp file of the project by another, or put one beside it. Name it as it is defined; the text is checked to be one complete form before the person sees the change. Use it for Lisp code rather than propose-file-edit. The image is not changed by it.',
  input: z.strictObject({
    path: z.string().min(1).describe(PATH),
    definition: z
      .string()
      .min(1)
      .describe(
        'What is defined, e.g. "total", "defun total", or for a method "defmethod discount (club-member)"; or "line 14" for any form that begins there. It must name one form of the file.',
      ),
    line: z.int().min(1).optional().describe('Line in which the form begins, where several have the same name.'),
    text: z
      .string()
      .min(1)
      .max(LARGEST_TEXT)
      .describe('One complete top-level form; comments before it may be part of it.'),
    place: z
      .enum(['replace', 'before', 'after'])
      .optional()
      .describe('Where the text goes: in place of the definition (the default), before it, or after it.'),
    description: description.optional(),
  }),
  openWorld: false,
  summarize: ({ path, definition }) => `${definition} in ${path}`,
  paths: async ({ path }, { project }) => [await project.locate(path)],
  card: async (args, context) =>
    cardOf(await edited(args, context), context, args.description ?? null, 'text', [
      { name: 'path', value: args.path },
      { name: 'definition', value: args.definition },
      { name: 'text', value: args.text },
      ...(args.line === undefined ? [] : [{ name: 'line', value: String(args.line) }]),
      ...(args.place === undefined ? [] : [{ name: 'place', value: args.place }]),
      ...(args.description === undefined ? [] : [{ name: 'description', value: args.description }]),
    ]),
  run: async (args, context, approved) => write(await edited(args, context), args.text, context, approved),
});

async function proposed(
  { path, original, modified }: { path: string; original: string; modified: string },
  { project }: ToolContext,
): Promise<Edit> {
  const file = await project.locate(path);
  const before = await readExact(file);
  if (before === null) {
    if (original !== '') throw new WorkbenchError('invalid', `${path} does not exist, so it has no such passage.`);
    return { file, before, after: modified };
  }
  const { text, lineEnd } = before;
  if (original === '' && text !== '')
    throw new WorkbenchError('invalid', `${path} exists: "original" must be the passage of it that is to be replaced.`);
  const passage = text.includes(original) ? original : withLineEnds(original, lineEnd);
  // Not within a token: who may not read it could find it out by what is found.
  const parts = partsWithoutTokens(text);
  const count = parts.reduce((sum, part) => sum + part.text.split(passage).length - 1, 0);
  const part = parts.find((each) => each.text.includes(passage));
  if (!part) throw new WorkbenchError('invalid', notFound(path, maskTokens(text), original));
  const at = part.at + part.text.indexOf(passage);
  if (passage !== '' && count > 1)
    throw new WorkbenchError('invalid', `The passage occurs ${count} times in ${path}. Give more lines around it.`);
  const after = text.slice(0, at) + withLineEnds(modified, lineEnd) + text.slice(at + passage.length);
  if (after === text) throw new WorkbenchError('invalid', 'That would change nothing.');
  return { file, before, after };
}

/** Returns the refusal with the line that comes nearest, since most often only white space differs. */
function notFound(path: string, text: string, original: string): string {
  const squeezed = (line: string): string => line.replaceAll(/\s+/g, ' ').trim().toLowerCase();
  const first = squeezed(original.split('\n').find((line) => line.trim() !== '') ?? '');
  const near = text.split('\n').findIndex((line) => first !== '' && squeezed(line).includes(first));
  const hint = near < 0 ? 'Read the file again.' : `Its first line is much like line ${near + 1}; white space counts.`;
  return `${path} has no such passage. ${hint}`;
}

async function edited(
  {
    path,
    definition,
    text,
    place,
    line,
  }: {
    path: string;
    definition: string;
    text: string;
    place?: 'replace' | 'before' | 'after' | undefined;
    line?: number | undefined;
  },
  context: ToolContext,
): Promise<Edit> {
  const file = await context.project.locate(path);
  const before = await readExact(file);
  if (before === null) throw new WorkbenchError('invalid', `${path} does not exist. Make it with propose-file-edit.`);
  if (isLispPath(file)) await checkPackage(text, before.text, context);
  const { text: after, renamed } = replaceDefinition(
    before.text,
    definition,
    withLineEnds(text, before.lineEnd),
    place ?? 'replace',
    path,
    line ?? null,
  );
  if (after === before.text) throw new WorkbenchError('invalid', 'That would change nothing.');
  return { file, before, after, renamed };
}

async function cardOf(
  { file, before, after }: Edit,
  context: ToolContext,
  claim: string | null,
  editable: string,
  args: CardFacts['arguments'],
): Promise<CardFacts> {
  // What cannot be written is said before a person is asked.
  encodeLike(before, after);
  await checkWritable(file);
  const { change, choosable, checked, definitions } = await shownChange({ file, before, after }, context);
  return {
    headline:
      before === null
        ? `Make the file ${change.path}`
        : (definitions ?? `Change ${change.path}, ${lineCount(change.added)} added, ${change.removed} removed`),
    checked,
    arguments: args,
    editable,
    change,
    choosable,
    reversible: 'Reversible: the file as it is now is kept and can be put back',
    claim,
    files: [file],
    targetState: stateOf(file, before),
  };
}

/** `given`: what the caller, or the person in its place, gave to be written. */
async function write(
  { file, before, after, renamed }: Edit,
  given: string,
  context: ToolContext,
  approved: Approved | null,
): Promise<ToolOutcome> {
  const { project, backups, actor } = context;
  const shown = project.display(file);
  const { text, hunks } = takenText({ file, before, after }, approved?.hunks ?? null);
  const wrote = await withFileLock([file], async () => {
    const now = await readExact(file);
    if (approved?.targetState !== stateOf(file, now) || now?.digest !== before?.digest) return false;
    await backups.write({ id: approved.id, actor: actor.id }, file, encodeLike(before, text));
    return true;
  });
  if (!wrote || approved === null)
    return { success: false, text: `${shown} changed in the moment of the approval. Nothing was written.` };
  const told = outcomeText(shown, hunks, approved, given);
  const fault = fileFault(file, text);
  const image =
    fault !== null
      ? `It does not read as Lisp: ${fault}`
      : isLispPath(file)
        ? await imageNote(text, file, hunks, context)
        : null;
  return { success: true, text: [told, ...(renamed ? [renamed] : []), ...(image === null ? [] : [image])].join('\n') };
}

/** Returns the outcome of each hunk and the person's changes, so that the caller's belief about the file stays true. */
function outcomeText(
  shown: string,
  hunks: readonly DiffHunk[],
  { hunks: taken, original }: Approved,
  given: string,
): string {
  const lines = [
    taken === null
      ? `Changed ${shown}.`
      : `Changed ${shown}: the person took ${taken.length} of ${hunks.length} hunks.`,
    ...leftOut(hunks, taken),
  ];
  if (original) {
    const changes = compare(String(original['modified'] ?? original['text']), given) ?? [];
    lines.push('The person edited this before approving it. Read the file again before you go on.');
    if (changes.length > 0) lines.push('[Changed by the person]', unifiedText(changes));
  }
  return lines.join('\n');
}

function lineCount(count: number): string {
  return plural(count, 'line');
}

/** Reads a file: which it is, links followed, and what it holds. */
function stateOf(file: string, present: ExactText | null): string {
  return JSON.stringify([file, present?.digest ?? null]);
}
