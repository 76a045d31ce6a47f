/** Adding a library to the project: unsaved changes in the editor that the person reads and saves. */
import type { LibrariesOverview } from '#contract/libraries.ts';
import { call } from '../../base/bridge.ts';
import { showPage } from '../../base/layout/layout-store.ts';
import { openOverlay } from '../../base/layout/overlays.ts';
import { notify } from '../../base/notices/notices.tsx';
import { absolutePath, projectFiles } from '../../base/project-files.ts';
import { fileName, folderPath } from '../../base/text/paths.ts';
import { openFile } from '../../editor/files/files.ts';
import { activeEditor, revealOffset } from '../../editor/groups/active-editor.ts';
import { textDrawn } from '../../editor/monaco/drawn.ts';
import { monaco } from '../../editor/monaco/monaco.ts';
import { buffers, modelOf } from '../../editor/text/buffers.ts';
import { knownSystems, refreshSystems } from '../systems/systems-store.ts';
import { runTool } from './actions.ts';
import { systemsDefinedIn, type TextChange, withDependency, withQlfileLine } from './depends-on.ts';
import { knownOverview } from './libraries-store.ts';

/** A system of the project, and the file that defines it. */
export interface ProjectSystem {
  readonly name: string;
  readonly file: string;
}

/** Adds a library to the project's system. If there are several systems, a dialog asks which one. */
export async function addToProject(library: string): Promise<void> {
  const systems = await projectSystems();
  const [only] = systems;
  if (!only) notify('The project has no system definition (.asd file). New Project… makes one.');
  else if (systems.length > 1) openOverlay({ kind: 'add-library', library });
  else await addToSystem(library, only);
}

/** Returns the systems that the image finds in the project, or those that its files define if there are none. */
export async function projectSystems(): Promise<ProjectSystem[]> {
  if (knownSystems().length === 0) await refreshSystems();
  const known = knownSystems().flatMap(({ name, file, origin }) =>
    origin === 'project' && file !== null ? [{ name, file }] : [],
  );
  if (known.length > 0) return known;
  const definitions = (await projectFiles()).filter((file) => file.endsWith('.asd')).map(absolutePath);
  const found = await Promise.all(
    definitions.map(async (file) => {
      const { text } = await call('file.read', { path: file }).catch(() => ({ text: '' }));
      return systemsDefinedIn(text).map((name) => ({ name, file }));
    }),
  );
  return found.flat();
}

/** Adds a library to the dependencies of a system, and to the libraries of the project's tool. */
export async function addToSystem(library: string, { name, file }: ProjectSystem): Promise<void> {
  const project = (await knownOverview())?.project ?? null;
  const inQlfile = project?.kind === 'qlot' ? await addToQlfile(library, project) : false;
  const model = await show(file);
  if (!model) return;
  const result = withDependency(model.getValue(), name, library);
  if (result.kind === 'no-system') notify(`The file does not contain the definition of “${name}”.`, 'error');
  else if (result.kind === 'added') {
    apply(model, result.change);
    notify(
      inQlfile
        ? `${library} was added to the dependencies of “${name}”, and to the qlfile. Save both files; then Install Locked in Libraries fetches it.`
        : `${library} was added to the dependencies of “${name}”. Save the file to keep it.`,
    );
  } else {
    revealOffset(result.at);
    notify(
      result.kind === 'present'
        ? `“${name}” already depends on ${library}.`
        : `The dependencies of “${name}” are computed, so that ${library} cannot be added here.`,
    );
  }
  if (result.kind === 'added' && project?.kind === 'ocicl' && project.program !== null)
    await runTool(project, 'add', library);
}

/** Adds a library to the project's qlfile. Resolves to false if the file does not exist or names the library already. */
async function addToQlfile(library: string, { path }: NonNullable<LibrariesOverview['project']>): Promise<boolean> {
  const beside = folderPath(path);
  const file = `${fileName(beside) === '.qlot' ? folderPath(beside) : beside}/qlfile`;
  const exists = await call('file.read', { path: file }).then(
    () => true,
    () => false,
  );
  const model = exists ? await show(file) : null;
  const change = model && withQlfileLine(model.getValue(), await projectOf(library));
  if (!model || !change) return false;
  apply(model, change);
  return true;
}

/** Returns the project of a dist that contains a system. */
async function projectOf(library: string): Promise<string> {
  const { found } = await call('libraries.search', { words: library, installedOnly: false, most: 100 }).catch(() => ({
    found: [],
  }));
  return found.find(({ system }) => system === library)?.project ?? library;
}

/** Opens a file in the editor and returns its text; null, with a notice, if it is read-only. */
async function show(file: string): Promise<monaco.editor.ITextModel | null> {
  showPage('editor');
  const id = await openFile(file);
  await textDrawn();
  const buffer = buffers.getState().buffers.find((each) => each.id === id);
  if (!buffer?.readOnly) return modelOf(id);
  notify(`${buffer.title} is read-only.`);
  return null;
}

/** Changes a shown text as one undoable step, and moves the caret behind the new part. */
function apply(model: monaco.editor.ITextModel, { start, end, text }: TextChange): void {
  const range = monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end));
  model.pushStackElement();
  model.pushEditOperations([], [{ range, text }], () => null);
  model.pushStackElement();
  revealOffset(start + text.trimEnd().length);
  activeEditor()?.focus();
}
