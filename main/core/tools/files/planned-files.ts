/** Computes the result of a list of edits to the files of a project, before anything is written. */
import { lstat, readlink } from 'node:fs/promises';
import { plural } from '#contract/text/text.ts';
import { WorkbenchError } from '#core/base/error.ts';
import { type ExactText, MARK, readExact, withLineEnds } from '#core/project/files/exact-text.ts';
import { isLispPath } from '#core/project/edits/lisp-file.ts';
import { type Project, readable } from '#core/project/project.ts';
import { maskTokens, partsWithoutTokens } from '#core/base/tokens.ts';
import { definitionSpan, editDefinitionIn, lineOf, type Placement } from './definitions/definition-edits.ts';
import { checkPackage } from './definitions/edited-image.ts';
import type { ToolContext } from '../tool.ts';

/** An edit as the caller specifies it. Its fields determine the kind of edit. */
export interface FileEdit {
  readonly path: string;
  readonly definition?: string | undefined;
  readonly line?: number | undefined;
  readonly place?: Placement | undefined;
  readonly text?: string | undefined;
  readonly old?: string | undefined;
  readonly new?: string | undefined;
  readonly replace_all?: boolean | undefined;
  readonly content?: string | undefined;
  readonly delete?: boolean | undefined;
  readonly move_to?: string | undefined;
}

/** A file before and after the planned change. */
export interface PlannedFile {
  /** Canonical path of the file. For a link that is moved or deleted, this is the path of the link itself. */
  readonly file: string;
  /** The path that the caller specified. */
  readonly given: string;
  /** The text on disk; null if there is no file, or if the file is not read as text. */
  before: ExactText | null;
  /** The new text; null if the content is unchanged. */
  after: string | null;
  /** True if the new text replaces the whole file; false if it replaces parts of the old text. */
  whole: boolean;
  deleted: boolean;
  /** The new path of a moved file. */
  to: string | null;
  /** Sentences about definitions that the edits replace with other definitions. */
  readonly notes: string[];
  readonly present: Present;
}

/** A file on disk, with a digest of its state; null if there is none. */
type Present = {
  readonly size: number;
  readonly modified: number;
  readonly digest: string;
  /** The number of names of the file. It is greater than one if the file has hard links. */
  readonly names: number;
} | null;

/**
 * Applies edits in order, in memory.
 * @throws WorkbenchError with one sentence about the first impossible edit.
 */
export async function planEdits(
  edits: readonly FileEdit[],
  context: ToolContext,
  refused?: Refusal,
): Promise<PlannedFile[]> {
  const plan = new Plan(context);
  await eachOf(edits, (edit) => plan.apply(edit), refused);
  return plan.changed();
}

/** Builds the message for a refused edit in a list, from the message for a single edit. */
export type Refusal = (said: string, edit: FileEdit, index: number) => string;

async function eachOf(
  edits: readonly FileEdit[],
  work: (edit: FileEdit) => Promise<void>,
  refused: Refusal = (said) => said,
): Promise<void> {
  for (const [index, edit] of edits.entries()) {
    try {
      await work(edit);
    } catch (error) {
      if (!(error instanceof WorkbenchError)) throw error;
      throw new WorkbenchError(error.code, refused(error.message, edit, index), { cause: error });
    }
  }
}

/** Returns a plan that replaces the texts of files, which are given by their canonical paths. Line ends and encodings are preserved. */
export async function planTexts(
  changes: readonly { file: string; text: string }[],
  context: ToolContext,
): Promise<PlannedFile[]> {
  const plan = new Plan(context);
  for (const { file, text } of changes) await plan.rewrite(file, text);
  return plan.changed();
}

/** Returns the canonical paths that edits affect. */
export async function pathsOf(edits: readonly FileEdit[], project: Project, refused?: Refusal): Promise<string[]> {
  const found: string[] = [];
  const take = async ({ path, delete: gone, move_to: to }: FileEdit): Promise<void> => {
    found.push(await (gone || to !== undefined ? project.locateName(path) : project.locate(path)));
    if (to !== undefined) found.push(await project.locateName(to));
  };
  await eachOf(edits, take, refused);
  return [...new Set(found)];
}

class Plan {
  readonly #files: PlannedFile[] = [];
  readonly #context: ToolContext;

  constructor(context: ToolContext) {
    this.#context = context;
  }

  changed(): PlannedFile[] {
    const changed = this.#files.filter(
      ({ after, deleted, to, present }) => (deleted ? present !== null : to !== null) || (!deleted && after !== null),
    );
    if (changed.length === 0) throw new WorkbenchError('invalid', 'This edit changes nothing.');
    return changed;
  }

  async apply(edit: FileEdit): Promise<void> {
    const kind = kindOf(edit);
    if (kind === 'delete') {
      const found = await this.#named(edit.path);
      found.deleted = true;
    } else if (kind === 'move') await this.#move(edit.path, edit.move_to!);
    else {
      const found = await this.#at(edit.path, await this.#context.project.locate(edit.path), kind === 'write');
      if (kind === 'write') write(found, edit.content!);
      else await this.#change(found, edit, kind);
    }
  }

  async rewrite(file: string, text: string): Promise<void> {
    const found = await this.#at(this.#context.project.display(file), file);
    found.after = text;
  }

  async #change(found: PlannedFile, edit: FileEdit, kind: 'definition' | 'passage'): Promise<void> {
    const { path } = edit;
    if (edit.old?.startsWith(MARK)) showMark(found);
    const text = textOf(found);
    if (text === null) {
      if (found.present !== null && !found.deleted && found.to === null)
        throw new WorkbenchError('refused', `${path} is not a text file.`);
      if (kind === 'passage' && edit.old === '') return write(found, edit.new!);
      const why = kind === 'passage' ? ', so the text in "old" is not in it' : '';
      throw new WorkbenchError('invalid', `${path} does not exist${why}. Create it with "content".`);
    }
    const lineEnd = found.before?.lineEnd ?? '\n';
    if (kind === 'passage') found.after = withPassage(text, edit, lineEnd);
    else {
      const { definition, line = null, place = 'replace' } = edit;
      const given = edit.text === undefined ? null : withLineEnds(edit.text, lineEnd);
      if (isLispPath(found.file) && given !== null) await checkPackage(given, text, this.#context);
      const edited = editDefinitionIn(text, definition!, given, place, path, line);
      found.after = edited.text;
      if (edited.renamed) found.notes.push(edited.renamed);
    }
    if (found.after === text) throw new WorkbenchError('invalid', 'This edit changes nothing.');
  }

  async #move(path: string, to: string): Promise<void> {
    const found = await this.#named(path);
    const goal = await this.#context.project.locateName(to);
    const taker = this.#files.find((each) => !each.deleted && placeOf(each) === goal && isThere(each));
    const vacated = this.#files.some((each) => each.file === goal && (each.deleted || each.to !== null));
    if (taker || (!vacated && (await presentAt(goal)) !== null))
      throw new WorkbenchError('refused', `${to} already exists.`);
    if (found.present === null)
      throw new WorkbenchError('invalid', `${path} is created by this same call. Create it as ${to} instead.`);
    found.to = goal === found.file ? null : goal;
  }

  /** Returns the file or link with a name; it must exist. */
  async #named(path: string): Promise<PlannedFile> {
    const file = await this.#context.project.locateName(path);
    const found = await this.#at(path, file, true);
    if (!isThere(found)) throw new WorkbenchError('system', `${file} does not exist.`);
    return found;
  }

  async #at(given: string, file: string, anything = false): Promise<PlannedFile> {
    const known = this.#files.find((each) => placeOf(each) === file);
    if (known) return known;
    const left = this.#files.some((each) => each.file === file);
    const present = left ? null : await presentAt(file);
    const planned = {
      file,
      given,
      before: null,
      after: null,
      whole: false,
      deleted: false,
      to: null,
      notes: [],
      present,
    };
    // A file that is moved, deleted or overwritten is not necessarily text.
    const before =
      present === null ? null : await readExact(file).catch((error: unknown) => (anything ? null : fail(error)));
    const added: PlannedFile = { ...planned, before };
    this.#files.push(added);
    return added;
  }
}

function fail(error: unknown): never {
  throw error;
}

function placeOf({ file, to }: PlannedFile): string {
  return to ?? file;
}

function isThere({ present, after, deleted }: PlannedFile): boolean {
  return !deleted && (present !== null || after !== null);
}

/** Returns the text after the edits so far; null if there is no text. */
function textOf({ before, after, deleted }: PlannedFile): string | null {
  return deleted ? null : (after ?? before?.text ?? null);
}

/** Makes the file's byte-order mark part of its text, so that an edit can remove the mark. */
function showMark(found: PlannedFile): void {
  const { before, after } = found;
  if (!before?.mark) return;
  found.before = { ...before, text: MARK + before.text, mark: false };
  if (after !== null) found.after = MARK + after;
}

/**
 * Writes a new text for the whole file. Preserves the byte-order mark. Also preserves the line ends if the old text uses only one kind,
 * except if the new text has line ends of its own. If an earlier edit deleted the file, neither is preserved.
 */
function write(found: PlannedFile, content: string): void {
  if (found.deleted) showMark(found); // A new file that replaces a deleted one has its own mark.
  const before = found.deleted ? null : found.before;
  const isWindows = before?.lineEnd === '\r\n' && !/(^|[^\r])\n/.test(before.text);
  const text = before?.mark ? content.replace(/^\uFEFF/, '') : content;
  found.after = isWindows ? withLineEnds(text, '\r\n') : text;
  found.whole = true;
  found.deleted = false;
}

/** Returns the kind of an edit. @throws WorkbenchError `invalid` for an edit that specifies no change, or several. */
function kindOf(edit: FileEdit): 'write' | 'delete' | 'move' | 'definition' | 'passage' {
  const { definition, place, text, old, content, delete: gone, move_to: to } = edit;
  const isPassage = old !== undefined || edit.new !== undefined;
  const kinds = [
    ...(content === undefined ? [] : ['write' as const]),
    ...(gone ? ['delete' as const] : []),
    ...(to === undefined ? [] : ['move' as const]),
    ...(isPassage ? ['passage' as const] : []),
    ...(!isPassage && (definition !== undefined || text !== undefined || place !== undefined)
      ? ['definition' as const]
      : []),
  ];
  const [kind, ...others] = kinds;
  if (kind === undefined || others.length > 0)
    throw new WorkbenchError(
      'invalid',
      `${kind === undefined ? 'The edit does not say what to do' : 'The edit does several things at once'}. Give one of "definition" with "text" or with place "delete", "old" with "new", "content", "delete" (of the file), "move_to".`,
    );
  if (kind === 'passage') {
    if (old === undefined || edit.new === undefined) throw new WorkbenchError('invalid', 'Give both "old" and "new".');
    if (text !== undefined || place !== undefined)
      throw new WorkbenchError('invalid', '"text" and "place" cannot be combined with "old" and "new".');
  }
  if (kind === 'definition') {
    if (definition === undefined)
      throw new WorkbenchError(
        'invalid',
        `"${place === undefined ? 'text' : 'place'}" needs a "definition" that the text replaces or is inserted next to. "line 14" names any form by its line.`,
      );
    if (place === 'delete' && text !== undefined)
      throw new WorkbenchError('invalid', 'The place "delete" does not take a "text".');
    if (place !== 'delete' && text === undefined) throw new WorkbenchError('invalid', '"definition" needs a "text".');
  }
  return kind;
}

/** Returns the text with a passage replaced. If the edit names a definition, only that definition is searched. */
function withPassage(text: string, edit: FileEdit, lineEnd: ExactText['lineEnd']): string {
  const { path, definition, line = null, replace_all: all = false } = edit;
  const old = edit.old!;
  const span = definition === undefined ? null : definitionSpan(text, definition, line, path);
  const [from, to] = span ? [span.start, span.end] : [0, text.length];
  const inside = text.slice(from, to);
  const where = span ? `${definition} in ${path}` : path;
  if (old === '' && text !== '')
    throw new WorkbenchError('invalid', `${path} already exists. Give the passage to replace as "old".`);
  const passage = inside.includes(old) ? old : withLineEnds(old, lineEnd);
  const given = withLineEnds(edit.new!, lineEnd);
  if (old === '') return given;
  // Secret tokens are not searched, because a caller that may not read a token could guess it by searching for parts of it.
  const parts = partsWithoutTokens(inside);
  const places = parts.flatMap((part) => placesIn(part.text, passage).map((at) => from + part.at + at));
  if (places.length === 0)
    throw new WorkbenchError('invalid', notFound(where, maskTokens(text), from, maskTokens(inside), old));
  if (places.length > 1 && !all)
    throw new WorkbenchError(
      'invalid',
      `The passage occurs ${plural(places.length, 'time')} in ${where}, in ${linesInWords(text, places)}. Give more lines around it, or set replace_all.`,
    );
  let result = '';
  let end = 0;
  for (const at of places) {
    result += text.slice(end, at) + given;
    end = at + passage.length;
  }
  return result + text.slice(end);
}

/** Returns text such as "lines 3, 14 and 20", with at most ten lines. */
function linesInWords(text: string, places: readonly number[]): string {
  const lines = [...new Set(places.map((at) => lineOf(text, at)))];
  const shown = lines.slice(0, 10).map(String);
  const more = lines.length > 10 ? [`${lines.length - 10} more`] : [];
  const all = [...shown, ...more];
  if (all.length === 1) return `line ${all[0]}`;
  return `lines ${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}

function placesIn(text: string, passage: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(passage); at >= 0; at = text.indexOf(passage, at + passage.length)) places.push(at);
  return places;
}

/**
 * Returns the message that refuses an edit whose passage was not found. It shows the most similar line, because usually only white space
 * differs.
 */
function notFound(where: string, whole: string, from: number, text: string, old: string): string {
  const squeezed = (line: string): string => line.replaceAll(/\s+/g, ' ').trim().toLowerCase();
  const first = squeezed(old.split('\n').find((line) => line.trim() !== '') ?? '');
  const near = text.split('\n').findIndex((line) => first !== '' && squeezed(line).includes(first));
  const line = whole.slice(0, from).split('\n').length + near;
  const hint =
    near < 0 ? 'Read the file again.' : `The first line of "old" resembles line ${line}; white space must match.`;
  return `The text in "old" does not occur in ${where}. ${hint}`;
}

/** Returns the file's state on disk; null if there is no file. @throws WorkbenchError `refused` for a folder, a pipe or a device. */
async function presentAt(file: string): Promise<Present> {
  const found = await lstat(file).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw readable(error, file);
  });
  if (found === null) return null;
  const measures = { size: found.size, modified: found.mtimeMs, names: found.nlink };
  if (found.isSymbolicLink()) return { ...measures, digest: `link ${await readlink(file)}` };
  if (found.isDirectory()) throw new WorkbenchError('refused', `${file} is a folder. Only files can be changed.`);
  if (!found.isFile())
    throw new WorkbenchError('refused', `${file} is not a regular file, so it cannot be read or written.`);
  const text = await readExact(file).catch(() => null);
  return { ...measures, digest: text?.digest ?? `${found.size} ${found.mtimeMs}` };
}

/** Returns a text that identifies the files of a plan and their state on disk. An approval is bound to that state. */
export async function stateOf(plan: readonly PlannedFile[]): Promise<string> {
  const states: unknown[] = [];
  for (const { file, to } of plan) states.push([file, (await presentAt(file))?.digest ?? null, to]);
  return JSON.stringify(states);
}
