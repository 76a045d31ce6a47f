/** Compares the image with the definitions that an edit of a file changes. */
import type { CardHunk, DiffHunk } from '#contract/decisions/approval.ts';
import { definitionIn, packageAt } from '#contract/sexp/forms.ts';
import { readText } from '#contract/sexp/reader.ts';
import { WorkbenchError } from '#core/base/error.ts';
import { changedForms, type LispFile, readLisp, touchedForms } from '#core/project/edits/lisp-file.ts';
import { findPackage, noPackageText } from '../../lookup/names.ts';
import type { ToolContext } from '../../tool.ts';

const RUNS = { words: 'Image already runs this', inImage: true };
const DOES_NOT_RUN = { words: 'Image does not run this yet', inImage: false };

/**
 * Returns a note about whether the image runs the new code, because writing a file changes nothing in the image; null if the edit touches
 * no form.
 */
export async function imageNote(
  text: string,
  file: string,
  hunks: readonly DiffHunk[],
  context: ToolContext,
): Promise<string | null> {
  const { project, howToCall } = context;
  const how = `${howToCall('load_file')} with the path ${project.display(file)} loads the file, ${howToCall('compile_form')} one form.`;
  if (context.session.view().pid === null) return `The file is not loaded: ${how}`;
  switch (await stateOf(text, file, hunks, context)) {
    case 'none':
      return null;
    case 'same':
      return 'The image already has this definition.';
    case 'only-in-file':
      return `The image does not have it yet: ${how}`;
    case 'old':
      return `The image still has the old definition: ${how}`;
  }
}

/** Returns a note about several files, which names the files that differ from the code in the image. */
export async function imageNotes(
  files: readonly { file: string; path: string; text: string; hunks: readonly DiffHunk[] }[],
  context: ToolContext,
): Promise<string | null> {
  if (files.length === 0) return null;
  const how = `${context.howToCall('load_file')} loads a file; "load": true loads them with the edits.`;
  if (context.session.view().pid === null) return `The file is not loaded: ${how}`;
  const states = new Map<string, string>();
  for (const { file, path, text, hunks } of files) states.set(path, await stateOf(text, file, hunks, context));
  const old = [...states].filter(([, state]) => state !== 'same' && state !== 'none').map(([path]) => path);
  if (old.length === 0) return [...states.values()].includes('same') ? 'The image already has this definition.' : null;
  return `The image does not run this yet: ${old.join(', ')}. ${how}`;
}

/**
 * Compares the image with the forms that hunks touch. Returns `same` or `only-in-file` if that is the state of all these forms, `none` if
 * the hunks touch no form except IN-PACKAGE, and `old` in all other cases.
 */
async function stateOf(
  text: string,
  file: string,
  hunks: readonly DiffHunk[],
  context: ToolContext,
): Promise<'same' | 'only-in-file' | 'old' | 'none'> {
  const after = readLisp(text);
  const states = await statesOf(after, file, context);
  const touched = hunks
    .flatMap((hunk) => changedForms(hunk, after))
    .filter(({ start }) => !IN_PACKAGE.test(text.slice(start, start + 40)));
  const areAll = (state: string): boolean => touched.every(({ start }) => states?.get(start) === state);
  if (touched.length === 0) return 'none';
  return areAll('same') ? 'same' : areAll('only-in-file') ? 'only-in-file' : 'old';
}

const IN_PACKAGE = /^\((?:[a-z]+:)?in-package\b/i;

/** Returns the state in the image of each definition of a file, by the offset of the definition's form; null if no image can answer. */
async function statesOf(
  { text }: LispFile,
  file: string,
  { session }: ToolContext,
): Promise<ReadonlyMap<number, string> | null> {
  if (session.view().pid === null) return null;
  const asked = { files: [{ file, text }], package: null };
  const found = await session.lookUp('definition-states', asked).catch(() => null);
  return (
    found &&
    new Map(found.definitions.flatMap(({ state, offset }) => (offset === null ? [] : [[offset, state] as const])))
  );
}

/**
 * Returns a note about definitions that are no longer in their files but are still in the image; empty if there are none. If a text is
 * null, the text on disk is used.
 */
export async function leftInImage(
  files: readonly { file: string; text: string | null }[],
  { session }: ToolContext,
): Promise<string[]> {
  if (session.view().pid === null || files.length === 0) return [];
  const asked = { files: files.map(({ file, text }) => ({ file, text })), package: null };
  const { definitions } = await session.lookUp('definition-states', asked);
  const left = definitions
    .filter(({ state }) => state === 'only-in-image')
    .map(({ name, kind }) => `${name} (${kind})`);
  if (left.length === 0) return [];
  return [
    `The image still has definitions that the file no longer has: ${listed(left)}. Remove a function with fmakunbound, or use a fresh image.`,
  ];
}

function listed(names: readonly string[]): string {
  return names.length > MOST_NAMED
    ? `${names.slice(0, MOST_NAMED).join(', ')} and ${names.length - MOST_NAMED} more`
    : names.join(', ');
}

const MOST_NAMED = 10;

/**
 * Returns true if the image has definitions from a file. If the file has no definitions, returns true if the image has the package in which
 * the file is read.
 */
export async function isLoaded(text: string, file: string, context: ToolContext): Promise<boolean> {
  const states = await statesOf(readLisp(text), file, context);
  if (states === null) return false;
  if (states.size > 0) return [...states.values()].some((state) => state !== 'only-in-file');
  const home = packageAt(text, readText(text), text.length);
  return home !== null && (await findPackage(context.session, home)) !== null;
}

/** Adds to each hunk whether the image already has the definitions in it. Adds nothing if there is no image. */
export async function withEvidence(
  hunks: readonly CardHunk[],
  after: LispFile,
  file: string,
  context: ToolContext,
): Promise<CardHunk[]> {
  const states = await statesOf(after, file, context);
  return hunks.map((hunk) => {
    const touched = touchedForms(hunk, 'after', after);
    if (states === null || touched.length === 0) return hunk;
    const runs = touched.every((form) => definitionIn(after.text, form) && states.get(form.start) === 'same');
    return { ...hunk, evidence: runs ? RUNS : DOES_NOT_RUN };
  });
}

/**
 * Refuses a form that names a missing package in its definition if the image has the file's own package, because the file could not be read
 * with that form.
 * @throws WorkbenchError `invalid`.
 */
export async function checkPackage(form: string, whole: string, { session }: ToolContext): Promise<void> {
  const [only] = readText(form).forms;
  const named = only && definitionIn(form, only)?.name;
  const [, prefix] = /^\(?(?:setf )?([^\s:()|"#]+)::?[^\s:]/i.exec(named ?? '') ?? [];
  if (prefix === undefined || session.view().pid === null || DEFINES_PACKAGE.test(whole)) return;
  const home = packageAt(whole, readText(whole), whole.length);
  const isLoaded = home !== null && (await findPackage(session, home)) !== null;
  if (isLoaded && !(await findPackage(session, prefix)))
    throw new WorkbenchError('invalid', `The text defines ${named}. ${await noPackageText(session, prefix)}`);
}

const DEFINES_PACKAGE = /\(\s*(?:[^\s()]+:)?(?:defpackage|define-package|make-package)\b/i;
