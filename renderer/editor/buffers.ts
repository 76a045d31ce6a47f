/** The texts that are open: their files, whether they are saved, which one is shown. The text itself is in Monaco's models. */
import { createStore, useStore } from 'zustand';
import { keepSoon } from '../workspace.ts';
import { LISP } from './language.ts';
import { monaco } from './monaco.ts';

export interface TextBuffer {
  id: string;
  /** Null until it is saved for the first time. */
  path: string | null;
  title: string;
  /** Digest of the bytes that the text is based on; null when there are none. */
  digest: string | null;
  dirty: boolean;
  readOnly: boolean;
  notice: BufferNotice | null;
}

type BufferNotice =
  | { kind: 'lossy' }
  /** The file has other text than the one this buffer is based on. */
  | { kind: 'changed' }
  | { kind: 'unreadable'; message: string };

export interface BuffersState {
  buffers: readonly TextBuffer[];
  active: string | null;
  caret: { line: number; column: number };
  /** Package and definition at the caret. */
  place: { package: string | null; definition: string | null };
}

export const buffers = createStore<BuffersState>(() => ({
  buffers: [],
  active: null,
  caret: { line: 1, column: 1 },
  place: { package: null, definition: null },
}));

const models = new Map<string, monaco.editor.ITextModel>();
/** Monaco's version of each text when it was last equal to its file; -1 when it never was. */
const savedVersions = new Map<string, number>();
export const carets = new Map<string, { line: number; column: number }>();

export function useBuffers<Part>(select: (state: BuffersState) => Part): Part {
  return useStore(buffers, select);
}

export function activeBuffer(): TextBuffer | null {
  const { buffers: all, active } = buffers.getState();
  return all.find((buffer) => buffer.id === active) ?? null;
}

export function modelOf(id: string): monaco.editor.ITextModel | null {
  return models.get(id) ?? null;
}

export interface NewBuffer {
  id?: string;
  path: string | null;
  title: string;
  text: string;
  digest: string | null;
  /** The text differs from its file from the start. */
  dirty: boolean;
  lossy?: boolean;
  caret?: { line: number; column: number } | null;
}

/** Adds a text and gives its id. It is not shown by that. */
export function addBuffer({
  id = crypto.randomUUID(),
  path,
  title,
  text,
  digest,
  dirty,
  lossy = false,
  caret,
}: NewBuffer): string {
  const model = monaco.editor.createModel(text, isLisp(title) ? LISP : 'plaintext');
  // Steps of one column, so that comment signs stand where the code does, not at a multiple of eight.
  model.updateOptions({ tabSize: 8, insertSpaces: true, ...(isLisp(title) ? { indentSize: 1 } : {}) });
  models.set(id, model);
  savedVersions.set(id, dirty ? -1 : model.getAlternativeVersionId());
  if (caret) carets.set(id, caret);
  model.onDidChangeContent(() => {
    change(id, { dirty: isDirty(id) });
    keepSoon();
  });
  const buffer: TextBuffer = {
    id,
    path,
    title,
    digest,
    dirty,
    readOnly: lossy,
    notice: lossy ? { kind: 'lossy' } : null,
  };
  buffers.setState((state) => ({ buffers: [...state.buffers, buffer] }));
  keepSoon();
  return id;
}

export function showBuffer(id: string | null): void {
  buffers.setState({ active: id });
  keepSoon();
}

export function change(id: string, part: Partial<TextBuffer>): void {
  const known = buffers.getState().buffers.find((buffer) => buffer.id === id);
  if (!known || Object.entries(part).every(([key, value]) => known[key as keyof TextBuffer] === value)) return;
  buffers.setState((state) => ({
    buffers: state.buffers.map((buffer) => (buffer.id === id ? { ...buffer, ...part } : buffer)),
  }));
}

/** The text is what the file holds now. `version`: the text that was written, if typing went on meanwhile. */
export function markSaved(id: string, file: { path: string; title: string; digest: string }, version: number): void {
  savedVersions.set(id, version);
  const model = models.get(id);
  if (model) monaco.editor.setModelLanguage(model, isLisp(file.title) ? LISP : 'plaintext');
  change(id, { ...file, dirty: isDirty(id), notice: null });
  keepSoon();
}

/** Puts the file's text in place of the buffer's, as one edit that can be undone. */
export function replaceText(id: string, text: string, digest: string, lossy: boolean): void {
  const model = models.get(id);
  if (!model) return;
  if (model.getValue() !== text) model.pushEditOperations([], [{ range: model.getFullModelRange(), text }], () => null);
  savedVersions.set(id, model.getAlternativeVersionId());
  change(id, { digest, dirty: false, readOnly: lossy, notice: lossy ? { kind: 'lossy' } : null });
}

export function removeBuffer(id: string): void {
  buffers.setState(({ buffers: all, active }) => {
    const index = all.findIndex((buffer) => buffer.id === id);
    const rest = all.filter((buffer) => buffer.id !== id);
    const next = active === id ? (rest[Math.min(index, rest.length - 1)]?.id ?? null) : active;
    return { buffers: rest, active: next };
  });
  models.get(id)?.dispose();
  models.delete(id);
  savedVersions.delete(id);
  carets.delete(id);
  keepSoon();
}

function isDirty(id: string): boolean {
  const buffer = buffers.getState().buffers.find((each) => each.id === id);
  const model = models.get(id);
  if (!model) return false;
  if (buffer?.path === null && model.getValueLength() === 0) return false;
  return model.getAlternativeVersionId() !== savedVersions.get(id);
}

function isLisp(title: string): boolean {
  return !/\.(md|markdown|txt|json|ya?ml|toml|js|ts|css|html?|sh|c|h|py)$/i.test(title);
}
