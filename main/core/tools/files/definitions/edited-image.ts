/** The image's state compared with the definitions that an edit of a file changes. */
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
 * Returns the note whether the image runs the new code, because writing a file changes nothing in the image; null if no form was touched.
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

/** Returns the note about several files: which of them differ from the code that the image runs. */
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
 * Compares the image with the forms that hunks touch. Returns `old` also if the image has only some of them, `none` if the hunks touch no
 * form except IN-PACKAGE.
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

/** Returns the image's state for each definition of a file, by the offset of its form; null if no image can answer. */
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
 * Returns the note about definitions that the image still has although their files no longer contain them; empty if there are none. A null
 * text means the text on disk.
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

/** Returns true if the image has definitions of a file; for a file without definitions, if it has the package in which the file is read. */
export async function isLoaded(text: string, file: string, context: ToolContext): Promise<boolean> {
  const states = await statesOf(readLisp(text), file, context);
  if (states === null) return false;
  if (states.size > 0) return [...states.values()].some((state) => state !== 'only-in-file');
  const home = packageAt(text, readText(text), text.length);
  return home !== null && (await findPackage(context.session, home)) !== null;
}

/** Adds to each hunk whether the image has its definitions in that form. Without an image, adds nothing. */
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
 * Refuses a form whose definition names a missing package although the image has the file's package, because the file could not be read.
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
