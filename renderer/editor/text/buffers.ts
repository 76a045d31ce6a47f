/** The open texts: their files, whether they are saved, and the groups that show them. The contents are in Monaco's models. */
import type { FileText, TextEncoding } from '#contract/text/text-file.ts';
import { keepSoon } from '../../base/layout/workspace.ts';
import { forgetText, startCaret } from './carets.ts';
import { focusedGroup, type Groups, groupOf, oneGroup, shownIn, withoutText, withTab } from '../groups/groups.ts';
import { recentTabs } from '../groups/recent-tabs.ts';
import type { Caret } from '../groups/kept.ts';
import { LISP } from '../monaco/language.ts';
import { isLarge, isTooLarge, noteLarge } from './large-texts.ts';
import { type EditorEnds, type LineEnds, lineEndsOf, withEnds } from '../files/line-ends.ts';
import { isLispText } from './lisp-text.ts';
import { monaco } from '../monaco/monaco.ts';
import { putText } from './put-text.ts';
import { makeStore } from '../../base/store.ts';

export interface TextBuffer {
  id: string;
  /** The absolute path of the buffer's file; null until it is first saved. */
  path: string | null;
  title: string;
  /** The digest of the file content that the text is based on; null if there is no file. */
  digest: string | null;
  /** The encoding of the file, in which the text is saved. */
  encoding: TextEncoding;
  /** The line ends with which the text is saved. If they are mixed, each line keeps its own. */
  lineEnds: LineEnds;
  dirty: boolean;
  readOnly: boolean;
  /** True for a text that is only displayed, such as the code of a frame without a file. Such a text is not saved for the next session. */
  passing: boolean;
  notice: BufferNotice | null;
}

/** One part of an evaluation's output, which is too long for a single text. */
export interface PrintedNotice {
  kind: 'printed';
  evaluation: string;
  part: number;
  parts: number;
  /** The number of line breaks before this part. The next field is the total number of lines. */
  line: number;
  lines: number;
  characters: number;
}

/** The expansion of a form, read in `package`; null for the person's current package. */
export interface ExpansionNotice {
  kind: 'expansion';
  package: string | null;
  /** The REPL in whose image the form was expanded. */
  repl: string;
  /** The number of expansion steps that can be undone. */
  steps: number;
}

/** An evaluated form and the package in which it was read; null if the package is not known. */
export interface EvaluatedNotice {
  kind: 'evaluated';
  package: string | null;
}

export type BufferNotice =
  | PrintedNotice
  | ExpansionNotice
  | EvaluatedNotice
  | { kind: 'lossy' }
  /** The text is too large for colours, completion and markers. */
  | { kind: 'large' }
  /** The file's content is no longer the one that this buffer is based on. */
  | { kind: 'changed' }
  /** The file was deleted. */
  | { kind: 'deleted' }
  | { kind: 'unreadable'; message: string };

export interface BuffersState {
  buffers: readonly TextBuffer[];
  groups: Groups;
  /** The text that the focused group shows. */
  active: string | null;
  /** The caret in the focused group. */
  caret: Caret;
}

export const [buffers, useBuffers] = makeStore<BuffersState>({
  buffers: [],
  groups: oneGroup([], null),
  active: null,
  caret: { line: 1, column: 1 },
});

const models = new Map<string, monaco.editor.ITextModel>();
/** The Monaco version at which each text last equalled its file; -1 if it never did. */
const savedVersions = new Map<string, number>();

export function activeBuffer(): TextBuffer | null {
  const { buffers: all, active } = buffers.getState();
  return all.find((buffer) => buffer.id === active) ?? null;
}

/** Replaces the groups with the result of `change`. */
export function changeGroups(change: (groups: Groups) => Groups): void {
  buffers.setState(({ groups }) => {
    const next = change(groups);
    return { groups: next, active: focusedGroup(next).shown };
  });
  keepSoon();
}

/** Returns the text that a group shows. */
export function bufferIn({ buffers: all, groups }: BuffersState, group: string): TextBuffer | null {
  const shown = groupOf(groups, group)?.shown;
  return all.find(({ id }) => id === shown) ?? null;
}

/** Returns the buffer of a model; null for a model without a tab, such as one in a peek. */
export function bufferOf(model: monaco.editor.ITextModel | null): TextBuffer | null {
  return buffers.getState().buffers.find(({ id }) => models.get(id) === model) ?? null;
}

export function modelOf(id: string): monaco.editor.ITextModel | null {
  return models.get(id) ?? null;
}

/** Returns the text of a buffer to write, with its file's line ends unless they are mixed; null for a text that is not open. */
export function textToWrite(id: string): string | null {
  const buffer = buffers.getState().buffers.find((each) => each.id === id);
  const model = models.get(id);
  return buffer && model ? withEnds(model.getValue(), buffer.lineEnds) : null;
}

export interface NewBuffer {
  id?: string;
  path: string | null;
  title: string;
  text: string;
  digest: string | null;
  /** True if the text already differs from its file when it is added. */
  dirty: boolean;
  encoding?: TextEncoding;
  /** True if the file has mixed line ends, even if the text has only one kind. */
  mixedLineEnds?: boolean;
  lossy?: boolean;
  /** See {@link TextBuffer}; such a text is also read-only. */
  passing?: boolean;
  /** True if the text is not Lisp, even if its title suggests Lisp. */
  plain?: boolean;
  caret?: Caret | null;
}

/** Adds a text with a tab in the focused group, without showing it. Returns its id. */
export function addBuffer({
  id = crypto.randomUUID(),
  path,
  title,
  text,
  digest,
  dirty,
  encoding = 'utf-8',
  mixedLineEnds = false,
  lossy = false,
  passing = false,
  plain = false,
  caret,
}: NewBuffer): string {
  const tooLarge = isTooLarge(text);
  const isLisp = !plain && isLispText({ path, title, text, lossy });
  const model = monaco.editor.createModel(text, isLisp && !tooLarge ? LISP : 'plaintext');
  if (tooLarge) noteLarge(model);
  const lineEnds = mixedLineEnds ? 'mixed' : lineEndsOf(text);
  // Replace CR with LF, which is also one character, so that offsets in the text match the file.
  if (lineEnds === 'CR') model.setEOL(monaco.editor.EndOfLineSequence.LF);
  // Indent in steps of one column, so that comments align with the code and not at multiples of eight.
  model.updateOptions({ tabSize: 8, insertSpaces: true, ...(isLisp ? { indentSize: 1 } : {}) });
  models.set(id, model);
  savedVersions.set(id, dirty ? -1 : model.getAlternativeVersionId());
  if (caret) startCaret(id, caret);
  model.onDidChangeContent(({ isEolChange }) => {
    change(id, { dirty: isDirty(id), ...(isEolChange ? { lineEnds: endsIn(model) } : {}) });
    keepSoon();
  });
  const buffer: TextBuffer = {
    id,
    path,
    title,
    digest,
    encoding,
    lineEnds,
    dirty,
    readOnly: lossy || passing,
    passing,
    notice: lossy ? { kind: 'lossy' } : tooLarge ? { kind: 'large' } : null,
  };
  buffers.setState((state) => ({ buffers: [...state.buffers, buffer], groups: withTab(state.groups, id) }));
  keepSoon();
  return id;
}

/** Shows a text in the focused group. */
export function showBuffer(id: string | null): void {
  changeGroups((groups) => shownIn(groups, id));
}

export function change(id: string, part: Partial<TextBuffer>): void {
  const known = buffers.getState().buffers.find((buffer) => buffer.id === id);
  if (!known || Object.entries(part).every(([key, value]) => known[key as keyof TextBuffer] === value)) return;
  buffers.setState((state) => ({
    buffers: state.buffers.map((buffer) => (buffer.id === id ? { ...buffer, ...part } : buffer)),
  }));
}

/**
 * Records that the text is saved in the file. `version` is the version that was saved, because the person may have typed more in the
 * meantime.
 */
export function markSaved(id: string, file: { path: string; title: string; digest: string }, version: number): void {
  savedVersions.set(id, version);
  const model = models.get(id);
  if (model) chooseLanguage(model, { ...file, text: model.getValue() });
  change(id, { ...file, dirty: isDirty(id), notice: null });
  keepSoon();
}

/** Records that the file of a text has another path now. The text, its caret and its undo steps stay. */
export function movePath(id: string, path: string, title: string): void {
  const model = models.get(id);
  if (model) chooseLanguage(model, { path, title, text: model.getValue() });
  change(id, { path, title });
  keepSoon();
}

/** Replaces the buffer's text with the file's text, as one undoable edit. */
export function replaceText(
  id: string,
  { text, digest, encoding, lossy }: Pick<FileText, 'text' | 'digest' | 'encoding' | 'lossy'>,
): void {
  const model = models.get(id);
  if (!model) return;
  const lineEnds = lineEndsOf(text);
  if (lineEnds === 'LF' || lineEnds === 'CRLF') putEnds(model, lineEnds);
  putText(model, text);
  const known = buffers.getState().buffers.find((buffer) => buffer.id === id);
  if (known) chooseLanguage(model, { ...known, text, lossy });
  savedVersions.set(id, model.getAlternativeVersionId());
  change(id, { digest, encoding, lineEnds, dirty: false, readOnly: lossy, notice: lossy ? { kind: 'lossy' } : null });
}

/** Gives all lines of a text the same line end, as one undoable step. */
export function changeLineEnds(id: string, lineEnds: EditorEnds): void {
  const model = models.get(id);
  if (!model) return;
  // The model supports only one kind of line end. If the file has another kind or a mixture, the text counts as changed for this reason.
  if (buffers.getState().buffers.find((buffer) => buffer.id === id)?.lineEnds !== endsIn(model))
    savedVersions.set(id, -1);
  model.pushStackElement();
  putEnds(model, lineEnds);
  model.pushStackElement();
  change(id, { lineEnds, dirty: isDirty(id) });
  keepSoon();
}

/** Shows another part of a long text in place of the previous one. */
export function showPart(id: string, text: string, notice: PrintedNotice | ExpansionNotice): void {
  const model = models.get(id);
  if (!model) return;
  if (model.getValue() !== text) model.setValue(text);
  savedVersions.set(id, model.getAlternativeVersionId());
  change(id, { dirty: false, notice });
}

export function removeBuffer(id: string): void {
  buffers.setState(({ buffers: all, groups }) => {
    const left = withoutText(groups, id, recentTabs());
    return { buffers: all.filter((buffer) => buffer.id !== id), groups: left, active: focusedGroup(left).shown };
  });
  models.get(id)?.dispose();
  models.delete(id);
  savedVersions.delete(id);
  forgetText(id);
  keepSoon();
}

function chooseLanguage(model: monaco.editor.ITextModel, text: Parameters<typeof isLispText>[0]): void {
  if (!isLarge(model)) monaco.editor.setModelLanguage(model, isLispText(text) ? LISP : 'plaintext');
}

function putEnds(model: monaco.editor.ITextModel, lineEnds: EditorEnds): void {
  const { LF, CRLF } = monaco.editor.EndOfLineSequence;
  if (endsIn(model) !== lineEnds) model.pushEOL(lineEnds === 'LF' ? LF : CRLF);
}

function endsIn(model: monaco.editor.ITextModel): EditorEnds {
  return model.getEOL() === '\n' ? 'LF' : 'CRLF';
}

function isDirty(id: string): boolean {
  const buffer = buffers.getState().buffers.find((each) => each.id === id);
  const model = models.get(id);
  if (!model) return false;
  if (buffer?.path === null && model.getValueLength() === 0) return false;
  return model.getAlternativeVersionId() !== savedVersions.get(id);
}
