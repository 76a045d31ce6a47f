/**
 * Changes to files whose hunks a person can accept or leave out individually. Creates the card for a plan, and writes the accepted changes:
 * all of them or none.
 */
import type { CardChange, CardFile, CardHunk } from '#contract/decisions/approval.ts';
import { counted, plural } from '#contract/text/text.ts';
import { WorkbenchError } from '#core/base/error.ts';
import type { Approved, CardFacts } from '#core/approvals/request.ts';
import { encodeLike } from '#core/project/files/exact-text.ts';
import { withFileLock } from '#core/project/files/file-lock.ts';
import { checkWritable } from '#core/project/files/files.ts';
import type { FileStep } from '#core/project/files/backups.ts';
import { hasAllNamesInside } from '#core/project/files/hard-links.ts';
import { namedChange } from '#core/project/edits/hunk-names.ts';
import { isLispPath } from '#core/project/edits/lisp-file.ts';
import { compare, textChange, unifiedText } from '#core/project/edits/text-change.ts';
import { faultWithPlace, fileFault } from '../replies/reading-fault.ts';
import { imageNote, imageNotes, leftInImage } from './definitions/edited-image.ts';
import { type PlannedFile, stateOf } from './planned-files.ts';
import { shownChange, takenText } from './shown-change.ts';
import type { ToolContext } from '../tool.ts';

type Claimed = Pick<CardFacts, 'arguments' | 'claim' | 'editable'> & {
  readonly headline?: (change: CardChange) => string;
};

/** Returns the card of a plan. If only one file is changed, moved or deleted, the card is simpler. */
export async function cardOf(plan: readonly PlannedFile[], context: ToolContext, about: Claimed): Promise<CardFacts> {
  for (const planned of plan) {
    if (planned.deleted || planned.after === null) continue;
    bytesOf(planned, planned.after); // Called only because it throws an error for characters that cannot be written, which is thus reported before a person is asked.
    await checkWritable(planned.file);
  }
  const [only, ...others] = plan as [PlannedFile, ...PlannedFile[]];
  const facts = {
    arguments: about.arguments,
    claim: about.claim,
    files: plan.flatMap(({ file, to }) => (to === null ? [file] : [file, to])),
    targetState: await stateOf(plan),
  };
  if (others.length === 0 && (only.deleted || only.after === null))
    return { ...facts, ...namedCard(only, context), editable: null, change: null };
  const shown = await Promise.all(plan.map((planned) => shownFile(planned, context)));
  const isOne = others.length === 0 && only.to === null;
  const change = isOne ? shown[0]!.change! : changeOf(shown, context);
  const isNew = isOne && only.present === null;
  const linked = await linksInWords(plan, context);
  return {
    ...facts,
    headline: about.headline?.(change) ?? (isOne ? headlineOf(shown[0]!) : headlineOfSeveral(shown, context)),
    checked: checkedTogether(shown),
    editable: isOne ? about.editable : null,
    change,
    choosable: change.hunks.length > 1 && !isNew,
    reversible: isNew
      ? 'Reversible: the file is new and can be deleted'
      : `Reversible: the ${isOne ? 'current file is' : 'current files are'} stored and can be restored${linked}`,
  };
}

interface ShownFile {
  readonly planned: PlannedFile;
  /** The path as the person sees it. */
  readonly path: string;
  /** The change to the file's text; null if the text is unchanged. */
  readonly change: CardChange | null;
  readonly hunks: readonly CardHunk[];
  readonly checked: Awaited<ReturnType<typeof shownChange>>['checked'];
  readonly definitions: string | null;
}

/** Returns a file with the parts that a person can accept or leave out: its move or deletion, and the hunks of its text. */
async function shownFile(planned: PlannedFile, context: ToolContext): Promise<ShownFile> {
  const { file, before, after, deleted, to, present } = planned;
  const path = context.project.display(file);
  const plain = { planned, path, checked: null, definitions: null };
  if (deleted) return { ...plain, change: null, hunks: [deletion(planned)] };
  const moved = to === null ? [] : [part(`moved to ${context.project.display(to)}`)];
  if (after === null) return { ...plain, change: null, hunks: moved };
  if (before === null) {
    const fault = fileFault(file, after);
    const checked = fault === null ? null : { words: `cannot be read: ${fault}`, fault: true, forms: 0, lacking: null };
    const overwritten = present === null ? null : { text: '', bytes: present.size, lossy: true };
    const change = namedChange(textChange(path, file, overwritten, after), after);
    return { ...plain, change, checked, hunks: [part(present === null ? 'new file' : 'new text', after, 'added')] };
  }
  const { change, checked, definitions } = await shownChange({ file, before, after }, context);
  const hunks = change.withoutDiff === null ? change.hunks : [part('new text', after, 'added')];
  return { planned, path, change, checked, definitions, hunks: [...moved, ...hunks] };
}

function deletion({ before, present }: PlannedFile): CardHunk {
  return before === null
    ? part(`deleted, ${counted(present?.size ?? 0, 'byte')}`)
    : part('deleted', before.text, 'removed');
}

/** Returns a hunk that shows all lines of a text, or a hunk without lines. */
function part(what: string, text = '', kind: 'added' | 'removed' = 'added'): CardHunk {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  const hunk = lines.map((line, index) => ({
    kind,
    text: line,
    before: kind === 'removed' ? index + 1 : null,
    after: kind === 'added' ? index + 1 : null,
  }));
  return { lines: hunk, title: null, name: null, what, evidence: null };
}

/** Combines the changes of several files into one change, in which each hunk has its file. */
function changeOf(shown: readonly ShownFile[], { project }: ToolContext): CardChange {
  const files: CardFile[] = [];
  let first = 0;
  for (const { planned, path, hunks, change } of shown) {
    const { file, deleted, present } = planned;
    const bytesAfter = deleted ? null : (change?.bytesAfter ?? present?.size ?? 0);
    files.push({ path, absolutePath: file, bytesBefore: present?.size ?? null, bytesAfter, first });
    first += hunks.length;
  }
  const hunks = shown.flatMap((each) => each.hunks);
  const count = (kind: string): number =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.kind === kind).length, 0);
  return {
    path: plural(files.length, 'file'),
    absolutePath: project.root ?? '',
    bytesBefore: files.reduce((sum, { bytesBefore }) => sum + (bytesBefore ?? 0), 0),
    bytesAfter: files.reduce((sum, { bytesAfter }) => sum + (bytesAfter ?? 0), 0),
    hunks,
    files,
    added: count('added'),
    removed: count('removed'),
    withoutDiff: null,
  };
}

/** Returns the card for a file or link that is moved or deleted. */
function namedCard(
  { file, to, present }: PlannedFile,
  { project }: ToolContext,
): Pick<CardFacts, 'headline' | 'target' | 'reversible'> {
  const link = present?.digest.startsWith('link ') ? present.digest.slice('link '.length) : null;
  const what = link === null ? project.display(file) : `the link ${project.display(file)}, not its target ${link}`;
  return {
    headline: to === null ? `Delete ${what}` : `Move ${what}${link === null ? '' : ','} to ${project.display(to)}`,
    ...(present ? { target: { absolutePath: file, size: present.size, modified: present.modified } } : {}),
    reversible: `Reversible: the ${link === null ? 'file' : 'link'} is stored and can be restored`,
  };
}

function headlineOf({ change, definitions, planned }: ShownFile): string {
  const { path, added, removed } = change!;
  if (planned.present === null) return `Create the file ${path}`;
  return definitions ?? `Change ${path}, ${plural(added, 'line')} added, ${removed} removed`;
}

/** Returns text such as "Change src/a.lisp and src/b.lisp, create c.lisp, delete d.lisp". */
function headlineOfSeveral(shown: readonly ShownFile[], { project }: ToolContext): string {
  const paths = (wanted: (planned: PlannedFile) => boolean): string[] =>
    shown.filter(({ planned }) => wanted(planned)).map(({ path }) => path);
  const groups = [
    ['change', paths(({ present, after, deleted }) => present !== null && after !== null && !deleted)],
    ['create', paths(({ present }) => present === null)],
    [
      'move',
      shown.flatMap(({ planned: { to, deleted }, path }) =>
        to === null || deleted ? [] : [`${path} to ${project.display(to)}`],
      ),
    ],
    ['delete', paths(({ deleted }) => deleted)],
  ] as const;
  const words = groups
    .filter(([, files]) => files.length > 0)
    .map(([verb, files]) => `${verb} ${files.length > MOST_NAMED ? plural(files.length, 'file') : inWords(files)}`)
    .join(', ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const MOST_NAMED = 4;

function inWords(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** Combines the checks of all files. Returns the faults by file, or, if there are none, the number of forms. */
function checkedTogether(shown: readonly ShownFile[]): NonNullable<CardFacts['checked']> | null {
  const checked = shown.flatMap(({ path, checked: each }) => (each ? [{ path, ...each }] : []));
  const [only, ...others] = checked;
  if (!only) return null;
  if (others.length === 0 && shown.length === 1) return { words: only.words, fault: only.fault };
  const faults = checked.filter(({ fault }) => fault);
  if (faults.length > 0) return { words: faults.map(({ path, words }) => `${path} ${words}`).join('; '), fault: true };
  const forms = checked.reduce((sum, each) => sum + each.forms, 0);
  return { words: `${plural(forms, 'complete form')} in ${plural(checked.length, 'file')}`, fault: false };
}

/** Returns a sentence about files that have several names (hard links), with the other names; empty if there are none. */
async function linksInWords(plan: readonly PlannedFile[], { project }: ToolContext): Promise<string> {
  const linked = plan.filter(({ present, after, deleted }) => after !== null && !deleted && (present?.names ?? 1) > 1);
  if (linked.length === 0) return '';
  const kept = await Promise.all(linked.map(({ file }) => hasAllNamesInside(file, project.root!)));
  return kept.every(Boolean)
    ? '; its other names in the project (hard links) have the new text, too'
    : '; its other names (hard links) keep the old text, because not all of them are in the project';
}

/** The outcome of a plan: the written files. */
export interface Written {
  readonly changed: readonly WrittenFile[];
  /** The hunks of the plan. `taken` contains the indices of the accepted hunks, or is null if all were accepted. */
  readonly hunks: readonly CardHunk[];
  readonly taken: readonly number[] | null;
}

interface WrittenFile {
  readonly planned: PlannedFile;
  /** The path before the change, as the person sees it. `path` is the path after the change. */
  readonly from: string;
  readonly path: string;
  /** The canonical path after the change. */
  readonly file: string;
  /** The written text; null if the content is unchanged. */
  readonly text: string | null;
  readonly hunks: readonly CardHunk[];
  /** A sentence about packages that the change names and the image lacks; null if it has all of them. */
  readonly lacking: string | null;
  readonly outcome: 'changed' | 'created' | 'moved' | 'deleted';
}

/**
 * Writes the approved parts of a plan. If a file has changed since the card was drawn, writes nothing and resolves with a sentence that
 * says so.
 */
export async function perform(
  plan: readonly PlannedFile[],
  context: ToolContext,
  approved: Approved | null,
): Promise<Written | string> {
  if (approved === null) return 'Nothing was approved, so nothing was written.';
  const { backups, actor } = context;
  const [only] = plan;
  const shown = await Promise.all(plan.map((planned) => shownFile(planned, context)));
  const hunks = shown.flatMap((each) => each.hunks);
  let first = 0;
  const changed = shown.flatMap((each) => {
    const count = each.hunks.length;
    const own = approved.hunks?.filter((at) => at >= first && at < first + count).map((at) => at - first);
    first += count;
    return takenOf(each, own ?? null, context) ?? [];
  });
  const deed =
    plan.length > 1 || !only || (only.after !== null && !only.deleted) ? 'written' : only.deleted ? 'deleted' : 'moved';
  const locked = plan.flatMap(({ file, to }) => (to === null ? [file] : [file, to]));
  return withFileLock(locked, async () => {
    const stale = await changedSince(approved.targetState, plan);
    if (stale !== null) return `${stale} changed during the approval, so nothing was ${deed}.`;
    await backups.change({ id: approved.id, actor: actor.id }, await withLinks(stepsOf(changed), plan, context));
    return { changed, hunks, taken: approved.hunks };
  });
}

/** Returns the steps. For a file with several names (hard links), each step specifies whether it writes through all names. */
function withLinks(
  steps: readonly FileStep[],
  plan: readonly PlannedFile[],
  { project }: ToolContext,
): Promise<FileStep[]> {
  const linked = new Set(plan.flatMap(({ file, present }) => ((present?.names ?? 1) > 1 ? [file] : [])));
  return Promise.all(
    steps.map(async (step) =>
      step.kind === 'write' && linked.has(step.file)
        ? { ...step, keepLinks: await hasAllNamesInside(step.file, project.root!) }
        : step,
    ),
  );
}

/** Returns the path of the first file that differs from the state that its card showed; null if there is none. */
async function changedSince(state: string, plan: readonly PlannedFile[]): Promise<string | null> {
  const now = await stateOf(plan);
  if (now === state) return null;
  const [was, is] = [JSON.parse(state) as unknown[], JSON.parse(now) as unknown[]];
  const at = is.findIndex((each, index) => JSON.stringify(each) !== JSON.stringify(was[index]));
  return (plan[at] ?? plan[0]!).given;
}

/**
 * Returns the accepted part of a file's change; null if none of it was accepted. `taken` contains the indices of the accepted hunks of this
 * file, or is null for all.
 */
function takenOf(
  { planned, path, hunks, change, checked }: ShownFile,
  taken: readonly number[] | null,
  { project }: ToolContext,
): WrittenFile | null {
  if (taken?.length === 0) return null;
  const { file, before, after, deleted, to, present } = planned;
  const result = { planned, from: path, hunks, lacking: checked?.lacking ?? null };
  if (deleted) return { ...result, file, path: project.display(file), text: null, outcome: 'deleted' };
  const moves = to !== null && (taken === null || taken.includes(0));
  const place = moves ? to : file;
  const shift = to === null ? 0 : 1;
  const own = taken?.filter((at) => at >= shift).map((at) => at - shift) ?? null;
  const isWhole = before === null || change === null || change.withoutDiff !== null;
  const text =
    after === null || own?.length === 0 ? null : isWhole ? after : takenText({ file, before, after }, own).text;
  const outcome = present === null ? 'created' : text === null ? 'moved' : 'changed';
  return { ...result, file: place, path: project.display(place), text, outcome };
}

/** Returns the steps in an order in which each path becomes free before it is used again. */
function stepsOf(changed: readonly WrittenFile[]): FileStep[] {
  const writes = changed.flatMap(({ planned, text }): { step: FileStep; isNew: boolean }[] =>
    text === null
      ? []
      : [
          {
            step: { kind: 'write', file: planned.file, bytes: bytesOf(planned, text) },
            isNew: planned.present === null,
          },
        ],
  );
  return [
    ...writes.filter(({ isNew }) => !isNew).map(({ step }) => step),
    ...changed.flatMap(({ planned: { file }, outcome }): FileStep[] =>
      outcome === 'deleted' ? [{ kind: 'delete', file }] : [],
    ),
    ...changed.flatMap(({ planned, file }): FileStep[] =>
      file === planned.file ? [] : [{ kind: 'move', file: planned.file, to: file }],
    ),
    ...writes.filter(({ isNew }) => isNew).map(({ step }) => step),
  ];
}

/** Encodes a text in the file's encoding. @throws WorkbenchError `invalid` for characters that the encoding lacks. */
function bytesOf({ before, whole }: PlannedFile, text: string): Buffer {
  try {
    return encodeLike(before, text);
  } catch (error) {
    if (whole && error instanceof WorkbenchError) return Buffer.from(text, 'utf8');
    throw error;
  }
}

/**
 * Returns lines for the answer: the hunks that the person left out, code that cannot be read, and definitions that were replaced by others.
 */
export function remarks({ changed, hunks, taken }: Written): string[] {
  const left = taken === null ? [] : hunks.filter((_, index) => !taken.includes(index));
  return [
    ...(left.length === 0
      ? []
      : [
          '[Left out by the person]',
          left.map((hunk) => (hunk.lines.length === 0 ? hunk.what : unifiedText([hunk]))).join('\n…\n'),
          'Do not propose these again unless you are asked to.',
        ]),
    ...changed.flatMap(({ file, path, text }) => {
      const fault = text === null ? null : faultWithPlace(path, file, text);
      return fault === null ? [] : [fault];
    }),
    ...changed.flatMap(({ lacking, path }) =>
      lacking === null ? [] : [changed.length > 1 ? `${path}: ${lacking}` : lacking],
    ),
    ...changed.flatMap(({ planned }) => planned.notes),
  ];
}

/** Returns lines about the image's state for the written Lisp files that can be read. */
export async function imageRemarks({ changed }: Written, context: ToolContext): Promise<string[]> {
  const lisp = changed.flatMap(({ file, path, text, hunks }) =>
    text !== null && isLispPath(file) && fileFault(file, text) === null ? [{ file, path, text, hunks }] : [],
  );
  const [only, ...others] = lisp;
  const note =
    only && others.length === 0
      ? await imageNote(only.text, only.file, only.hunks, context)
      : await imageNotes(lisp, context);
  const gone = changed.flatMap(({ planned: { file }, outcome }) =>
    outcome === 'deleted' && isLispPath(file) ? [{ file, text: '' }] : [],
  );
  return [...(note === null ? [] : [note]), ...(await leftInImage([...lisp, ...gone], context))];
}

/** Returns lines about the person's changes to a text before the approval, so that the caller knows the file's real content. */
export function editedByPerson(original: unknown, given: string, more: readonly string[] = []): string[] {
  const changes = compare(String(original), given) ?? [];
  return [
    'The person edited this before approving it.',
    ...more,
    ...(changes.length > 0 ? ['[Changed by the person]', unifiedText(changes)] : []),
  ];
}
