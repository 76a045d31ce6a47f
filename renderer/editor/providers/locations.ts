/**
 * The texts of locations outside the visible text. An open file uses its buffer. For a peek, any other file is read into a separate model,
 * which is disposed when it has not been used for a long time.
 */
import type { DefinitionSource } from '#contract/image/definition.ts';
import { call } from '../../base/bridge.ts';
import { showPage } from '../../base/layout/layout-store.ts';
import { activeEditor, readingOf } from '../groups/active-editor.ts';
import { buffers, modelOf, showBuffer } from '../text/buffers.ts';
import { textDrawn } from '../monaco/drawn.ts';
import { openEvaluated } from '../text/evaluated-texts.ts';
import { openFile } from '../files/files.ts';
import { LISP } from '../monaco/language.ts';
import { monaco } from '../monaco/monaco.ts';
import { rememberPlace } from '../groups/navigation.ts';
import { hasFolder } from '../../base/text/paths.ts';

type Model = monaco.editor.ITextModel;

/** The number of files with separate models; the least recently used is disposed first. */
const KEPT = 40;

const read = new Map<string, Promise<Model | null>>();

/** Returns the model of a file by its path, or of a buffer without a file by its title; null if it cannot be read. */
export function modelForFile(file: string): Promise<Model | null> | Model | null {
  const open = buffers.getState().buffers.find((buffer) => buffer.path === file || buffer.title === file);
  if (open) return modelOf(open.id);
  if (!hasFolder(file)) return null;
  const known = read.get(file);
  if (known) {
    read.delete(file);
    read.set(file, known);
    return known;
  }
  const model = call('file.read', { path: file }).then(
    ({ text }) => {
      const uri = monaco.Uri.file(file);
      return monaco.editor.getModel(uri) ?? monaco.editor.createModel(text, LISP, uri);
    },
    () => null,
  );
  read.set(file, model);
  for (const [oldest, promise] of [...read].slice(0, Math.max(0, read.size - KEPT))) {
    read.delete(oldest);
    void promise.then((each) => each?.dispose());
  }
  return model;
}

/** Makes the editor open locations in other texts as tabs, because its default handling knows only one text. */
export function installOpener(): monaco.IDisposable {
  return monaco.editor.registerEditorOpener({
    openCodeEditor: async (_source, resource, wanted) => {
      rememberPlace();
      await openPlace(resource, wanted);
      return true;
    },
  });
}

/** Shows a text, focuses it, and moves the caret to a position in it. */
export async function openPlace(resource: monaco.Uri, wanted?: monaco.IRange | monaco.IPosition): Promise<void> {
  const id = buffers.getState().buffers.find((each) => modelOf(each.id)?.uri.toString() === resource.toString())?.id;
  showPage('editor');
  const shown = id ?? openEvaluated(resource);
  if (shown === null) await openFile(resource.fsPath);
  else showBuffer(shown);
  if (wanted) await reveal(wanted);
}

/** Scrolls to a position in the newly shown text once the text is drawn. */
async function reveal(wanted: monaco.IRange | monaco.IPosition): Promise<void> {
  await textDrawn();
  const editor = activeEditor();
  const place = 'startLineNumber' in wanted ? monaco.Range.getStartPosition(wanted) : wanted;
  editor?.setPosition(place);
  editor?.revealLineInCenterIfOutsideViewport(place.lineNumber);
  editor?.focus();
}

/** Converts a location that the image reports to a range in a model; null if the text cannot be read. */
export async function locationOf(source: DefinitionSource): Promise<monaco.languages.Location | null> {
  const model = await modelForFile(source.file);
  if (!model) return null;
  const offset =
    source.offset ?? model.getOffsetAt({ lineNumber: Math.min(source.line ?? 1, model.getLineCount()), column: 1 });
  return { uri: model.uri, range: monaco.Range.fromPositions(model.getPositionAt(nameIn(model, offset))) };
}

/** Returns the offset of the name in the definition that starts at `offset`, or `offset` itself if the name is not found. */
export function nameIn(model: Model, offset: number): number {
  const form = readingOf(model).reading.forms.find(({ start }) => start === offset);
  return form?.children[1]?.start ?? offset;
}
