/** Opening, saving and closing files, and keeping open texts in step with what others write. */
import type { FileText } from '#contract/rpc.ts';
import type { Workspace } from '#contract/settings.ts';
import { call, messageOf } from '../bridge.ts';
import { ask, type Question } from '../layout/ask.tsx';
import { notify } from '../layout/notices.tsx';
import { contribute } from '../workspace.ts';
import {
  activeBuffer,
  addBuffer,
  buffers,
  carets,
  change,
  markSaved,
  modelOf,
  removeBuffer,
  replaceText,
  showBuffer,
  type TextBuffer,
} from './buffers.ts';

function titleOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

export function newFile(): string {
  const taken = new Set(buffers.getState().buffers.map((buffer) => buffer.title));
  let title = 'untitled.lisp';
  for (let count = 2; taken.has(title); count += 1) title = `untitled-${count}.lisp`;
  const id = addBuffer({ path: null, title, text: '', digest: null, dirty: false });
  showBuffer(id);
  return id;
}

/** Asks for a file and shows it. */
export async function chooseFile(): Promise<void> {
  const file = await call('file.choose', {});
  if (file) showFile(file);
}

/** Shows a file, reading it unless it is open. */
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

/** Saves where the text belongs, or asks for a place. False when the person changed their mind. */
export async function save(id: string, elsewhere = false): Promise<boolean> {
  const buffer = find(id);
  const model = modelOf(id);
  if (!buffer || !model) return false;
  if (buffer.readOnly && !elsewhere) {
    notify(
      `${buffer.title} is open to read only: saving it would lose the bytes that are not text. Save it under another name.`,
      'error',
    );
    return false;
  }
  const path =
    elsewhere || buffer.path === null ? (await call('file.choosePlace', { name: buffer.title })).path : buffer.path;
  if (path === null) return false;
  const digest = path === buffer.path ? buffer.digest : null;
  const version = model.getAlternativeVersionId();
  const text = model.getValue();
  // The place was chosen in the system's own dialog, which has asked about replacing a file.
  let result = await call('file.save', { path, text, digest, overwrite: path !== buffer.path });
  if (!result.saved) {
    const answer = await ask(result.reason === 'deleted' ? deletedQuestion(path) : changedQuestion(path));
    if (answer === 'reload') await reload(id);
    if (answer !== 'overwrite') return false;
    result = await call('file.save', { path, text, digest, overwrite: true });
    if (!result.saved) return false;
  }
  change(id, { readOnly: false });
  markSaved(id, { path, title: titleOf(path), digest: result.digest }, version);
  return true;
}

type SaveAnswer = 'cancel' | 'reload' | 'overwrite';

function changedQuestion(path: string): Question<SaveAnswer> {
  return {
    title: `${titleOf(path)} has changed on disk`,
    text: 'Somebody else wrote the file since you opened it. Saving replaces their text with yours.',
    answers: [
      { id: 'cancel', title: 'Cancel' },
      { id: 'reload', title: 'Take the file’s text' },
      { id: 'overwrite', title: 'Replace with mine', kind: 'danger' },
    ],
  };
}

function deletedQuestion(path: string): Question<SaveAnswer> {
  return {
    title: `${titleOf(path)} is no longer on disk`,
    text: 'Somebody deleted or moved the file since you opened it. Saving makes it again.',
    answers: [
      { id: 'cancel', title: 'Cancel' },
      { id: 'overwrite', title: 'Make it again', kind: 'primary' },
    ],
  };
}

/** Closes a text; asks first when it holds something that no file has. */
export async function close(id: string): Promise<void> {
  const buffer = find(id);
  if (!buffer) return;
  if (buffer.dirty) {
    const answer = await ask({
      title: `Save ${buffer.title} before closing?`,
      text: 'What you typed is in no file. Without saving it is lost.',
      answers: [
        { id: 'cancel', title: 'Cancel' },
        { id: 'discard', title: 'Discard', kind: 'danger' },
        { id: 'save', title: 'Save', kind: 'primary' },
      ],
    });
    if (answer !== 'save' && answer !== 'discard') return;
    if (answer === 'save' && !(await save(id))) return;
  }
  removeBuffer(id);
}

/** Takes the file's text in place of the buffer's. */
export async function reload(id: string): Promise<void> {
  const path = find(id)?.path;
  if (path == null) return;
  const file = await call('file.read', { path });
  replaceText(id, file.text, file.digest, file.lossy);
}

/** Looks whether the shown file was written by somebody else: an untouched text follows, a touched one says so. */
export async function followDisk(): Promise<void> {
  const buffer = activeBuffer();
  if (!buffer || buffer.path === null || buffer.notice?.kind === 'unreadable') return;
  const file = await call('file.read', { path: buffer.path }).catch(() => null);
  if (!file || file.digest === find(buffer.id)?.digest) return;
  if (find(buffer.id)?.dirty) change(buffer.id, { notice: { kind: 'changed' } });
  else replaceText(buffer.id, file.text, file.digest, file.lossy);
}

/** Brings back the texts of the last start and keeps them from now on. */
export async function restoreBuffers(workspace: Workspace): Promise<void> {
  await Promise.all(workspace.buffers.map(restoreBuffer));
  const order = new Map(workspace.buffers.map((kept, index) => [kept.id, index]));
  buffers.setState(({ buffers: all }) => ({
    buffers: all.toSorted((left, right) => (order.get(left.id) ?? 0) - (order.get(right.id) ?? 0)),
    active: all.some((buffer) => buffer.id === workspace.activeBuffer) ? workspace.activeBuffer : (all[0]?.id ?? null),
  }));
  contribute(() => {
    const { buffers: all, active } = buffers.getState();
    return { activeBuffer: active, buffers: all.map(keptForm) };
  });
}

async function restoreBuffer(kept: Workspace['buffers'][number]): Promise<void> {
  const { id, path, title, text, baseDigest, caret } = kept;
  if (path === null) {
    addBuffer({ id, path, title, text: text ?? '', digest: null, dirty: (text ?? '') !== '', caret });
    return;
  }
  const file = await call('file.read', { path }).catch((error: unknown) => messageOf(error));
  if (typeof file === 'string') {
    // The text that was kept is all there is: it comes back even when its file does not.
    addBuffer({ id, path, title, text: text ?? '', digest: baseDigest, dirty: text !== null, caret });
    change(id, { notice: { kind: 'unreadable', message: file } });
  } else if (text === null) {
    addBuffer({ id, ...file, title, dirty: false, caret });
  } else {
    addBuffer({ id, path, title, text, digest: baseDigest, dirty: text !== file.text, caret });
    if (file.digest !== baseDigest) change(id, { notice: { kind: 'changed' } });
  }
}

function keptForm(buffer: TextBuffer): Workspace['buffers'][number] {
  const keepsText = buffer.dirty || buffer.notice?.kind === 'unreadable';
  return {
    id: buffer.id,
    path: buffer.path,
    title: buffer.title,
    text: keepsText ? (modelOf(buffer.id)?.getValue() ?? null) : null,
    baseDigest: buffer.digest,
    caret: carets.get(buffer.id) ?? null,
  };
}

function find(id: string): TextBuffer | undefined {
  return buffers.getState().buffers.find((buffer) => buffer.id === id);
}
