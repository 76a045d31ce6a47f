/** Opens, saves and closes files, and updates open texts when other programs change their files. */
import type { Workspace } from '#contract/settings.ts';
import type { FileText, TextEncoding } from '#contract/text/text-file.ts';
import { call, messageOf, on } from '../../base/bridge.ts';
import { ask, type Question } from '../../base/notices/ask.tsx';
import { askBeforeReplacing, chooseText } from './disk-difference.tsx';
import { notify } from '../../base/notices/notices.tsx';
import { layout } from '../../base/layout/layout-store.ts';
import { keepWithFolder } from '../../base/layout/folder-sessions.ts';
import { contribute } from '../../base/layout/workspace.ts';
import { caretIn, latestCaret, restoreCaret } from '../text/carets.ts';
import { groupsToKeep, keptIn, restoredGroups } from '../groups/kept.ts';
import {
  addBuffer,
  buffers,
  bufferIn,
  change,
  changeGroups,
  markSaved,
  modelOf,
  removeBuffer,
  replaceText,
  showBuffer,
  type TextBuffer,
  textToWrite,
} from '../text/buffers.ts';
import { ENCODING_NAMES } from './encoding-names.ts';
import { sameText } from './line-ends.ts';
import { SaveQueue } from './save-queue.ts';
import { readSettled } from './settled.ts';
import { fileName, pathWithin } from '../../base/text/paths.ts';

function titleOf(path: string): string {
  return fileName(path);
}

export function newFile(): string {
  const taken = new Set(buffers.getState().buffers.map((buffer) => buffer.title));
  let title = 'untitled.lisp';
  for (let count = 2; taken.has(title); count += 1) title = `untitled-${count}.lisp`;
  const id = addBuffer({ path: null, title, text: '', digest: null, dirty: false });
  showBuffer(id);
  return id;
}

/** Lets the person choose a file, and shows it. Returns false if the person chose none. */
export async function chooseFile(): Promise<boolean> {
  const file = await call('file.choose', {});
  if (file) showFile(file);
  return file !== null;
}

/** Shows a file. Reads it first if it is not open yet. */
export async function openFile(path: string): Promise<string> {
  const open = buffers.getState().buffers.find((buffer) => buffer.path === path);
  if (open) {
    showBuffer(open.id);
    return open.id;
  }
  return showFile(await call('file.read', { path }));
}

function showFile(file: FileText): string {
  const open = buffers.getState().buffers.find((buffer) => buffer.path === file.path);
  const id = open?.id ?? addBuffer({ ...file, title: titleOf(file.path), dirty: false });
  showBuffer(id);
  return id;
}

const saves = new SaveQueue();

/** Waits until no save of a text is running. */
export async function saveEnded(id: string): Promise<void> {
  await saves.settled(id);
}

/** Saves the text to its file, or prompts for a path if there is none. Returns false if the text was not saved. */
export function save(id: string, elsewhere = false): Promise<boolean> {
  return saves.run(id, () => saveNow(id, elsewhere));
}

async function saveNow(id: string, elsewhere: boolean): Promise<boolean> {
  const buffer = find(id);
  const model = modelOf(id);
  if (!buffer || !model) return false;
  if (buffer.notice?.kind === 'printed') {
    // The buffer contains only a part of the output, so save the whole output.
    return (await call('output.save', { evaluation: buffer.notice.evaluation })).saved;
  }
  if (buffer.readOnly && !elsewhere && !buffer.passing) {
    tellUnsaved(
      id,
      `${buffer.title} is read-only, because saving it would lose the bytes that are not text. Save it under another name.`,
    );
    return false;
  }
  const path =
    elsewhere || buffer.path === null ? (await call('file.choosePlace', { name: buffer.title })).path : buffer.path;
  if (path === null) return false;
  const digest = path === buffer.path ? buffer.digest : null;
  const version = model.getAlternativeVersionId();
  const text = textToWrite(id)!;
  // If the path is new, the system's dialog has already asked whether to replace an existing file.
  let { encoding } = buffer;
  const mixedLineEnds = buffer.lineEnds === 'mixed';
  const write = (overwrite: boolean) => call('file.save', { path, text, digest, encoding, mixedLineEnds, overwrite });
  let result = await write(path !== buffer.path).catch((error: unknown) => {
    tellUnsaved(id, messageOf(error));
    return null;
  });
  if (result === null) return false;
  if (!result.saved && result.reason === 'unwritable') {
    if ((await ask(unwritableQuestion(titleOf(path), result.character, encoding))) !== 'utf-8') return false;
    encoding = 'utf-8';
    result = await write(path !== buffer.path);
  }
  if (!result.saved) {
    const answer = await (result.reason === 'deleted'
      ? ask(deletedQuestion(path))
      : askBeforeReplacing(titleOf(path), { path, text, encoding }));
    if (answer === 'reload') await reload(id);
    if (answer !== 'overwrite') return false;
    result = await write(true);
    if (!result.saved) return false;
  }
  change(id, { encoding, readOnly: false, passing: false });
  markSaved(id, { path, title: titleOf(path), digest: result.digest }, version);
  return true;
}

/** Reports that a text could not be saved, and offers Save As. */
function tellUnsaved(id: string, reason: string): void {
  notify(reason, 'error', { title: 'Save As…', run: () => save(id, true) });
}

/** Saves the text in an encoding. The encoding is restored if the text is not saved. */
export async function saveInEncoding(id: string, encoding: TextEncoding): Promise<void> {
  const before = find(id)?.encoding;
  if (before === undefined) return;
  change(id, { encoding });
  const isSaved = await save(id).catch((error: unknown) => {
    change(id, { encoding: before });
    throw error;
  });
  if (!isSaved) change(id, { encoding: before });
}

/** Shows how the unsaved text differs from its file, and keeps the version that the person chooses. */
export async function compare(id: string): Promise<void> {
  const buffer = find(id);
  const model = modelOf(id);
  if (!buffer?.path || !model) return;
  const { title, path, encoding, digest } = buffer;
  const file = await call('file.read', { path, encoding, digest });
  if (hasTextOf(id, file)) return replaceText(id, file);
  const kept = await chooseText(title, { path, text: textToWrite(id)!, encoding });
  if (kept === 'file') await reload(id);
  if (kept === 'mine') change(id, { notice: null });
}

function unwritableQuestion(title: string, character: string, encoding: TextEncoding): Question<'cancel' | 'utf-8'> {
  const name = ENCODING_NAMES[encoding];
  return {
    title: `${title} cannot be saved in ${name}`,
    text: `${name} has no “${character}”. UTF-8 can store all of your text; other programs must then read the file as UTF-8.`,
    answers: [
      { id: 'cancel', title: 'Cancel' },
      { id: 'utf-8', title: 'Save as UTF-8', kind: 'primary' },
    ],
  };
}

function deletedQuestion(path: string): Question<'cancel' | 'overwrite'> {
  return {
    title: `${titleOf(path)} no longer exists on disk`,
    text: 'The file was deleted or moved since you opened it. Saving creates it again.',
    answers: [
      { id: 'cancel', title: 'Cancel' },
      { id: 'overwrite', title: 'Create it again', kind: 'primary' },
    ],
  };
}

/**
 * Replaces the buffer's text with the file's text, read in the given encoding. If none is given, the file is read in the buffer's encoding,
 * or in the encoding that a rewritten file declares.
 */
export async function reload(id: string, encoding?: TextEncoding): Promise<void> {
  const buffer = find(id);
  if (buffer?.path == null) return;
  const { path, digest } = buffer;
  const how = encoding === undefined ? { encoding: buffer.encoding, digest } : { encoding };
  replaceText(id, await call('file.read', { path, ...how }));
}

/** Checks whether another program changed or removed the files that the groups show. */
export async function followDisk(): Promise<void> {
  const state = buffers.getState();
  const shown = new Set(state.groups.groups.map(({ id }) => bufferIn(state, id)));
  await Promise.all([...shown].filter((buffer) => buffer !== null).map(followFile));
}

/** The maximum number of open files that are watched, inside or outside the project. */
const MOST_FOLLOWED = 500;

/** Watches the project's files and other open files from now on. */
export function followChanges(): void {
  on('files-changed', ({ paths, more }) => {
    const changed = new Set(paths);
    for (const buffer of buffers.getState().buffers)
      if (buffer.path !== null && (more || changed.has(buffer.path))) void followFile(buffer);
  });
  let followed = '';
  const follow = (): void => {
    const paths = buffers.getState().buffers.flatMap(({ path }) => path ?? []);
    const files = [...new Set(paths)].slice(0, MOST_FOLLOWED);
    if (files.join('\n') === followed) return;
    followed = files.join('\n');
    void call('files.follow', { files }).catch(() => {}); // a failure does no harm: changes are also noticed when the window gets the focus
  };
  follow();
  buffers.subscribe(follow);
}

/**
 * Updates a text from its file if the text is unmodified or already equal to the file. For a modified text, shows a notice that the file
 * has changed or was deleted.
 */
async function followFile({ id, path, encoding, digest, notice }: TextBuffer): Promise<void> {
  if (path === null || notice?.kind === 'unreadable') return;
  const file = await readSettled(
    () =>
      call('file.read', { path, encoding, digest }).catch((error: unknown) => (isMissing(error) ? 'missing' : null)),
    () => saves.settled(id),
  );
  const buffer = find(id);
  if (!buffer || file === null || buffer.path !== path) return; // closed, or moved to another path in the meantime
  if (file === 'missing') change(id, { notice: { kind: 'deleted' } });
  else if (file.digest === buffer.digest) change(id, buffer.notice?.kind === 'deleted' ? { notice: null } : {});
  else if (buffer.dirty && !hasTextOf(id, file)) change(id, { notice: { kind: 'changed' } });
  else replaceText(id, file);
}

/** True if the text of a buffer, saved or not, equals its file, which means that there is no conflict. */
function hasTextOf(id: string, { text, lossy }: FileText): boolean {
  const model = modelOf(id);
  return model !== null && !lossy && sameText(model.getValue(), text);
}

function isMissing(error: unknown): boolean {
  return /does not exist/.test(messageOf(error));
}

/**
 * Restores the texts of the previous session. From now on, saves the open texts, and exchanges them when another folder is opened.
 */
export async function restoreBuffers(workspace: Workspace): Promise<void> {
  await restoreTexts(workspace);
  contribute(openTexts);
  keepWithFolder({
    take: takeTexts,
    put: (session) => (session === null ? undefined : restoreTexts(session)),
  });
}

type KeptTexts = Pick<Workspace, 'buffers' | 'activeBuffer' | 'layout'>;

/** Opens stored texts in their groups. Texts that are open already keep a tab; the one that was opened last stays in front. */
async function restoreTexts({ buffers: stored, activeBuffer, layout: storedLayout }: KeptTexts): Promise<void> {
  const paths = new Set(buffers.getState().buffers.map(({ path }) => path));
  const wanted = stored.filter(({ id, path }) => !find(id) && (path === null || !paths.has(path)));
  await Promise.all(wanted.map(restoreBuffer));
  const kept = keptIn(storedLayout);
  const { active } = buffers.getState();
  const order = new Map(stored.map(({ id }, index) => [id, index]));
  const inOrder = (left: TextBuffer, right: TextBuffer): number =>
    (order.get(left.id) ?? 0) - (order.get(right.id) ?? 0);
  const all = buffers.getState().buffers.toSorted(inOrder);
  for (const { id, tabs } of kept?.groups ?? [])
    for (const { text, caret } of tabs) if (caret && find(text)) restoreCaret(id, text, caret);
  buffers.setState({ buffers: all });
  const texts = all.map(({ id }) => id);
  changeGroups(() => restoredGroups(kept, texts, activeBuffer));
  if (active !== null && find(active)) showBuffer(active);
}

/** Returns the open texts, as they are stored. */
function openTexts(): KeptTexts {
  const { buffers: all, active, groups } = buffers.getState();
  const editor = groupsToKeep(groups, (id) => find(id)?.passing === false, caretIn);
  return {
    activeBuffer: active,
    buffers: all.filter(({ passing }) => !passing).map(keptForm),
    layout: { ...layout.getState(), editor },
  };
}

/** Closes all texts except those of files in the folder `next`, and returns them as they are stored. */
function takeTexts(next: string): KeptTexts {
  const taken = openTexts();
  const stays = ({ path }: { path: string | null }): boolean => path !== null && pathWithin(next, path) !== null;
  for (const buffer of buffers.getState().buffers) if (!stays(buffer)) removeBuffer(buffer.id);
  return { ...taken, buffers: taken.buffers.filter((buffer) => !stays(buffer)) };
}

async function restoreBuffer(kept: Workspace['buffers'][number]): Promise<void> {
  const { id, path, title, text, baseDigest, caret, encoding, mixedLineEnds } = kept;
  if (path === null) {
    addBuffer({ id, path, title, text: text ?? '', digest: null, dirty: (text ?? '') !== '', caret });
    return;
  }
  const file = await call('file.read', { path, encoding, digest: baseDigest }).catch((error: unknown) =>
    messageOf(error),
  );
  if (typeof file === 'string') {
    // The file cannot be read, so the stored text is the only copy. Restore it anyway.
    addBuffer({
      id,
      path,
      title,
      text: text ?? '',
      digest: baseDigest,
      encoding,
      mixedLineEnds,
      dirty: text !== null,
      caret,
    });
    change(id, { notice: { kind: 'unreadable', message: file } });
  } else if (text === null || (!file.lossy && sameText(text, file.text))) {
    addBuffer({ id, ...file, title, dirty: false, caret });
  } else {
    addBuffer({ id, path, title, text, digest: baseDigest, encoding, mixedLineEnds, dirty: text !== file.text, caret });
    if (file.digest !== baseDigest) change(id, { notice: { kind: 'changed' } });
  }
}

function keptForm(buffer: TextBuffer): Workspace['buffers'][number] {
  const keepsText = buffer.dirty || buffer.notice?.kind === 'unreadable';
  return {
    id: buffer.id,
    path: buffer.path,
    title: buffer.title,
    text: keepsText ? textToWrite(buffer.id) : null,
    baseDigest: buffer.digest,
    encoding: buffer.encoding,
    mixedLineEnds: buffer.lineEnds === 'mixed',
    caret: latestCaret(buffer.id),
  };
}

function find(id: string): TextBuffer | undefined {
  return buffers.getState().buffers.find((buffer) => buffer.id === id);
}
