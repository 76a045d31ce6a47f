/** Changes of files as diffs that a person takes or leaves by hunk. */
import { z } from 'zod';
import type { DiffHunk } from '#contract/approval.ts';
import { definitionIn } from '#contract/sexp/forms.ts';
import type { Approved, CardFacts } from '#core/approvals/request.ts';
import { WorkbenchError } from '#core/error.ts';
import { encodeLike, readExact, withLineEnds, type ExactText } from '#core/project/exact-text.ts';
import { checkWritable, LARGEST_TEXT } from '#core/project/files.ts';
import { hunksOf } from '#core/project/hunks.ts';
import { compare, textChange, unifiedText } from '#core/project/text-change.ts';
import { replaceDefinition } from './definition-edits.ts';
import { checkedChange } from './edit-check.ts';
import { definitionsHeadline, readFile, touchedForms, type ReadFile } from './edited-forms.ts';
import { PATH } from './files.ts';
import { defineTool, type ToolContext, type ToolOutcome } from './tool.ts';

/** A file as it is and as it shall be. */
interface Edit {
  readonly file: string;
  readonly before: ExactText | null;
  readonly after: string;
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
    'Replace one top-level form of a Lisp file of the project by another, or put one beside it. Name it as it is defined; the text is checked to be one complete form before the person sees the change. Use it for Lisp code rather than propose-file-edit. The image is not changed: evaluate the form for that.',
  input: z.strictObject({
    path: z.string().min(1).describe(PATH),
    definition: z
      .string()
      .min(1)
      .describe(
        'What is defined, e.g. "total", "defun total", or for a method "defmethod discount (club-member)". It must name one form of the file.',
      ),
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
  const at = text.indexOf(passage);
  if (at < 0) throw new WorkbenchError('invalid', notFound(path, text, original));
  const count = text.split(passage).length - 1;
  if (passage !== '' && count > 1)
    throw new WorkbenchError('invalid', `The passage occurs ${count} times in ${path}. Give more lines around it.`);
  const after = text.slice(0, at) + withLineEnds(modified, lineEnd) + text.slice(at + passage.length);
  if (after === text) throw new WorkbenchError('invalid', 'That would change nothing.');
  return { file, before, after };
}

/** With the line that comes nearest, since most often only white space differs. */
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
  }: { path: string; definition: string; text: string; place?: 'replace' | 'before' | 'after' | undefined },
  { project }: ToolContext,
): Promise<Edit> {
  const file = await project.locate(path);
  const before = await readExact(file);
  if (before === null) throw new WorkbenchError('invalid', `${path} does not exist. Make it with propose-file-edit.`);
  const after = replaceDefinition(
    before.text,
    definition,
    withLineEnds(text, before.lineEnd),
    place ?? 'replace',
    path,
  );
  if (after === before.text) throw new WorkbenchError('invalid', 'That would change nothing.');
  return { file, before, after };
}

async function cardOf(
  { file, before, after }: Edit,
  context: ToolContext,
  claim: string | null,
  editable: string,
  args: CardFacts['arguments'],
): Promise<CardFacts> {
  const { project } = context;
  // What cannot be written is said before a person is asked.
  encodeLike(before, after);
  await checkWritable(file);
  const shown = project.display(file);
  const hunks = hunksOf(before?.text ?? '', after, isLisp(file));
  const read = isLisp(file) ? { before: readFile(before?.text ?? ''), after: readFile(after) } : null;
  const found = hunks && read ? await withEvidence(hunks.shown, read.after, file, context) : (hunks?.shown ?? null);
  const change = textChange(shown, file, before, after, found);
  const definitions = read && before ? definitionsHeadline(shown, change.hunks, read.before, read.after) : null;
  return {
    headline:
      before === null
        ? `Make the file ${shown}`
        : (definitions ?? `Change ${shown}, ${lineCount(change.added)} added, ${change.removed} removed`),
    checked: read ? await checkedChange(change.hunks, read.after, context) : null,
    arguments: args,
    editable,
    change,
    choosable: change.hunks.length > 1,
    reversible: 'Reversible: the file as it is now is kept and can be put back',
    claim,
    targetState: stateOf(file, before),
  };
}

/** `given`: what the caller, or the person in its place, gave to be written. */
async function write(
  { file, before, after }: Edit,
  given: string,
  { project, kept, actor }: ToolContext,
  approved: Approved | null,
): Promise<ToolOutcome> {
  const shown = project.display(file);
  if (approved?.targetState !== stateOf(file, before))
    return { success: false, text: `${shown} changed in the moment of the approval. Nothing was written.` };
  const hunks = hunksOf(before?.text ?? '', after, isLisp(file));
  const text = hunks?.take(approved.hunks) ?? after;
  await kept.write({ id: approved.id, actor: actor.id }, file, encodeLike(before, text));
  return { success: true, text: outcomeText(shown, hunks?.shown ?? [], approved, given) };
}

/** What became of each hunk, and what the person changed, so that the caller's belief about the file stays true. */
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
  ];
  if (taken !== null) {
    const left = hunks.filter((_, index) => !taken.includes(index));
    lines.push('[Left out by the person]', unifiedText(left), 'Do not propose these again unless you are asked to.');
  }
  if (original) {
    const changes = compare(String(original['modified'] ?? original['text']), given) ?? [];
    lines.push('The person edited this before approving it. Read the file again before you go on.');
    if (changes.length > 0) lines.push('[Changed by the person]', unifiedText(changes));
  }
  return lines.join('\n');
}

/** Marks the hunks whose definition the image has just so. Without an image there is nothing to say. */
async function withEvidence(
  hunks: readonly DiffHunk[],
  after: ReadFile,
  file: string,
  { session }: ToolContext,
): Promise<DiffHunk[]> {
  const living = session.view().pid !== null;
  const states = living
    ? await session
        .lookUp('definition-states', { files: [{ file, text: after.text }], package: null })
        .catch(() => null)
    : null;
  const same = new Set(
    states?.definitions.flatMap(({ state, offset }) => (state === 'same' && offset !== null ? [offset] : [])),
  );
  return hunks.map((hunk) => {
    const touched = touchedForms(hunk, 'after', after);
    const definitions = touched.filter((form) => definitionIn(after.text, form));
    const [only] = definitions;
    const definition = only && definitions.length === 1 ? definitionIn(after.text, only)! : null;
    const runs =
      only !== undefined && definitions.length === touched.length && touched.every(({ start }) => same.has(start));
    return {
      ...hunk,
      title: definition ? `${definition.operator} ${definition.name}` : null,
      evidence:
        states === null || touched.length === 0
          ? null
          : runs
            ? 'Image already runs this'
            : 'Image does not run this yet',
    };
  });
}

function lineCount(count: number): string {
  return count === 1 ? '1 line' : `${count} lines`;
}

function isLisp(file: string): boolean {
  return /\.(lisp|lsp|cl|asd)$/i.test(file);
}

/** Which file it is, links followed, and what it holds. */
function stateOf(file: string, present: ExactText | null): string {
  return JSON.stringify([file, present?.digest ?? null]);
}
