/** Navigation to the source of a definition in the editor. */
import type { DefinitionRecord } from '#contract/image/definition.ts';
import { activeEditor, readingOf, revealLine, revealOffset } from '../../editor/groups/active-editor.ts';
import { buffers, modelOf, showBuffer } from '../../editor/text/buffers.ts';
import { textDrawn } from '../../editor/monaco/drawn.ts';
import { openFile } from '../../editor/files/files.ts';
import { showPage } from '../../base/layout/layout-store.ts';
import { notify } from '../../base/notices/notices.tsx';
import { definitionIn } from '#contract/sexp/forms.ts';
import { mirror } from '../../base/mirror.ts';
import { definitionKey, type DefinitionRow, isInFile, shownName } from './definition-rows.ts';
import { hasFolder } from '../../base/text/paths.ts';

/**
 * Opens a definition as `openDefinition` does. If the image's version is in no file and a file has another version, opens the file's
 * version.
 */
export function openRow({ package: inPackage, definition }: DefinitionRow): Promise<void> {
  const key = definitionKey(inPackage, definition);
  const { deviations } = mirror.getState().deviations;
  const file = deviations.find((each) => definitionKey(each.package, each) === key)?.file ?? null;
  if (file === null || isInFile(definition)) return openDefinition(definition);
  return openDefinition({ ...definition, source: { file, offset: null, line: null } });
}

/** Opens the file or text that contains a definition, and moves the caret there. */
export async function openDefinition(definition: DefinitionRecord): Promise<void> {
  const { source } = definition;
  if (!source) {
    notify(`The source location of ${shownName(definition.name)} is unknown.`);
    return;
  }
  const open = buffers.getState().buffers.find((buffer) => buffer.path === source.file || buffer.title === source.file);
  showPage('editor');
  let id = open?.id;
  if (id !== undefined) {
    showBuffer(id);
  } else if (hasFolder(source.file)) {
    id = await openFile(source.file);
  } else {
    notify(`${shownName(definition.name)} was evaluated in ${source.file}, which is no longer open.`);
    return;
  }
  await textDrawn();
  revealDefinition(id, definition);
}

/**
 * Reveals the form of `definition` that is nearest to the position reported by the image, because edits may have moved the form. If there
 * is no such form, reveals the reported position.
 */
function revealDefinition(id: string, definition: DefinitionRecord): void {
  const model = modelOf(id);
  const { source } = definition;
  if (!model || !source) return;
  const { text, reading } = readingOf(model);
  const said = source.offset === null ? model.getOffsetAt({ lineNumber: source.line ?? 1, column: 1 }) : source.offset;
  const name = shownName(definition.name).toLowerCase();
  let nearest: number | null = null;
  for (const form of reading.forms) {
    if (definitionIn(text, form)?.name.toLowerCase() !== name) continue;
    if (nearest === null || Math.abs(form.start - said) < Math.abs(nearest - said)) nearest = form.start;
  }
  if (nearest !== null) revealOffset(nearest);
  else if (source.line !== null) revealLine(source.line);
  else revealOffset(said);
  activeEditor()?.focus();
}
