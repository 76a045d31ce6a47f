/** Changes of system definitions that follow from new and renamed files. They are unsaved changes in the editor, to read and save. */
import { call } from '../../base/bridge.ts';
import { showPage } from '../../base/layout/layout-store.ts';
import { ask } from '../../base/notices/ask.tsx';
import { notify } from '../../base/notices/notices.tsx';
import { absolutePath, projectFiles, refreshProjectFiles } from '../../base/project-files.ts';
import { fileName, folderPath } from '../../base/text/paths.ts';
import { openFile } from '../../editor/files/files.ts';
import { revealSource } from '../../editor/monaco/reveal-source.ts';
import { workOnFile } from '../../editor/files/work-on-file.ts';
import { monaco } from '../../editor/monaco/monaco.ts';
import { buffers, modelOf } from '../../editor/text/buffers.ts';
import { addedComponent, type AddedComponent, type TextEdit } from '../../sexp/components/added-component.ts';
import { type FilePackage, packageOfFile } from '../../sexp/components/file-package.ts';
import { renamedComponents } from '../../sexp/components/renamed-components.ts';
import { chooseInTree } from './files-store.ts';

/** The maximum number of files in a folder that are read to find the package of a new file. */
const MOST_READ = 20;
const NO_PACKAGE = '(in-package #:cl-user)';

/**
 * Creates a Lisp file in the package of the file beside it, and adds it to the system definition that lists the folder, as an unsaved
 * change. Both files are opened; the system definition is shown. Calls `done` when the file exists.
 */
export async function createComponent(path: string, beside: string | null, done: () => void): Promise<void> {
  const near = await packageNear(path, beside);
  const made = await call('files.create', { path, text: `${near?.line ?? NO_PACKAGE}\n\n` });
  done();
  await refreshProjectFiles();
  chooseInTree({ kind: 'file', path: made.path });
  const found = await definitionFor(made.path, near?.file ?? beside, near?.defined ?? false);
  await workOnFile(absolutePath(made.path));
  if ('edit' in found) {
    await applyEdits(found.definition, [found.edit]);
    notify(`${fileName(found.definition)} lists ${fileName(made.path)} now. Save the file to keep the change.`);
  } else notify(found.why);
}

/** Returns the package of a file beside a new one: of the given file, or else of another Lisp file in the folder. */
async function packageNear(path: string, beside: string | null): Promise<(FilePackage & { file: string }) | null> {
  const folder = folderPath(path);
  const others = (await projectFiles()).filter(
    (file) => folderPath(file) === folder && file.endsWith('.lisp') && file !== path,
  );
  const files = beside?.endsWith('.lisp') ? [beside] : others.slice(0, MOST_READ);
  let defined: (FilePackage & { file: string }) | null = null;
  for (const file of files) {
    const found = packageOfFile((await textOf(file)) ?? '');
    if (found && (!found.defined || beside === file)) return { ...found, file };
    if (found) defined ??= { ...found, file };
  }
  return defined;
}

type Found = { readonly definition: string; readonly edit: TextEdit } | { readonly why: string };

const FITS = ['beside', 'folder', 'above'] as const;

/** Returns the system definition that should list a new file, the nearest and best fitting one, with its edit. */
async function definitionFor(path: string, beside: string | null, needsIt: boolean): Promise<Found> {
  const found: { definition: string; added: AddedComponent }[] = [];
  for (const { definition, folder, text } of await definitionsAbove(path)) {
    const own = (file: string): string => withinFolder(file, folder)!;
    const near = beside !== null && withinFolder(beside, folder) !== null ? own(beside) : null;
    found.push({ definition, added: addedComponent(text, { path: own(path), beside: near, needsIt }) });
  }
  for (const fit of FITS)
    for (const { definition, added } of found)
      if (added.edit !== null && added.fit === fit) return { definition, edit: added.edit };
  const other = found[0];
  if (!other) return { why: `No system definition (.asd) is in a folder above ${path}, so only the file was created.` };
  const name = fileName(other.definition);
  if (other.added.edit === null && other.added.why === 'inferred')
    return { why: `${name} finds its files by their packages, so it needs no change. Give the file its own package.` };
  return { why: `${name} has no :components to which ${fileName(path)} could be added. Only the file was created.` };
}

/** Offers to change the system definitions that list a file or folder, after it was renamed or moved. */
export async function offerComponents(from: string, to: string): Promise<void> {
  const changes: { definition: string; edits: readonly TextEdit[] }[] = [];
  const left = new Set<string>();
  for (const { definition, folder, text } of await definitionsAbove(from)) {
    const goal = withinFolder(to, folder);
    // A path beyond the folder of the definition cannot be a component, so it is reported as left.
    const { edits, left: without } = renamedComponents(text, withinFolder(from, folder)!, goal ?? `../${to}`);
    if (edits.length > 0 && goal !== null) changes.push({ definition, edits });
    else if (without.length > 0 || edits.length > 0) left.add(definition);
  }
  for (const definition of left)
    notify(
      `${fileName(definition)} still lists ${from}. Change it by hand, because the file is now elsewhere.`,
      'info',
      {
        title: `Open ${fileName(definition)}`,
        run: () => workOnFile(absolutePath(definition)),
      },
    );
  if (changes.length === 0) return;
  const names = changes.map(({ definition }) => fileName(definition)).join(' and ');
  const answer = await ask({
    title: `Change ${names}, too?`,
    text: `${names} ${changes.length === 1 ? 'lists' : 'list'} ${from} as a component. The change is unsaved, so that you can read and undo it.`,
    answers: [
      { id: 'no', title: 'Not Now' },
      { id: 'change', title: `Change ${names}`, kind: 'primary' },
    ],
  });
  if (answer === 'change') for (const { definition, edits } of changes) await applyEdits(definition, edits);
}

interface Definition {
  /** The path of the `.asd` relative to the project. */
  readonly definition: string;
  readonly folder: string;
  readonly text: string;
}

/** Returns the system definitions in the folder of a file and in the folders above it, the nearest first. */
async function definitionsAbove(path: string): Promise<Definition[]> {
  const files = (await projectFiles()).filter((file) => file.endsWith('.asd') && file !== path);
  const above = files.filter((file) => withinFolder(path, folderPath(file)) !== null);
  const nearest = above.toSorted((one, other) => folderPath(other).length - folderPath(one).length);
  const read = await Promise.all(
    nearest.map(async (definition) => ({ definition, folder: folderPath(definition), text: await textOf(definition) })),
  );
  return read.flatMap(({ text, ...rest }) => (text === null ? [] : [{ ...rest, text }]));
}

/** Returns the text of a project file: as it is in the editor, or on disk; null if it cannot be read. */
async function textOf(file: string): Promise<string | null> {
  const path = absolutePath(file);
  const open = buffers.getState().buffers.find((buffer) => buffer.path === path);
  const model = open ? modelOf(open.id) : null;
  if (model) return model.getValue();
  return call('file.read', { path }).then(
    ({ text }) => text,
    () => null,
  );
}

function withinFolder(path: string, folder: string): string | null {
  if (folder === '') return path;
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : null;
}

/** Makes edits in a file as one undoable step, without saving it, and shows the first of them. */
async function applyEdits(file: string, edits: readonly TextEdit[]): Promise<void> {
  const path = absolutePath(file);
  showPage('editor');
  const id = await openFile(path);
  const model = modelOf(id);
  const buffer = buffers.getState().buffers.find((each) => each.id === id);
  if (!model || !buffer) return;
  if (buffer.readOnly) return void notify(`${buffer.title} is read-only, so it was not changed.`);
  model.pushStackElement();
  model.pushEditOperations(
    [],
    edits.map(({ start, end, text }) => ({
      range: monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end)),
      text,
    })),
    () => null,
  );
  model.pushStackElement();
  const [first] = edits;
  const offset = first!.start + first!.text.length - first!.text.trimStart().length;
  await revealSource({ file: path, offset, line: null });
}
