/** Puts the image's text of a definition in the place of the one that the editor has: unsaved, as one edit that can be undone. */
import type { DefinitionEntry } from '#contract/image/definition.ts';
import { call } from '../../base/bridge.ts';
import { notify } from '../../base/notices/notices.tsx';
import { shownName } from './definition-rows.ts';
import { readingOf } from '../../editor/groups/active-editor.ts';
import { markedForms } from './marked-forms.ts';
import { monaco } from '../../editor/monaco/monaco.ts';

export async function writeDefinition(
  editor: monaco.editor.IStandaloneCodeEditor,
  entry: DefinitionEntry,
): Promise<void> {
  const { after, why } = await call('definitions.difference', { event: entry.id });
  const model = editor.getModel();
  if (!model) return;
  const name = shownName(entry.name);
  const { text, reading } = readingOf(model);
  const form = markedForms(text, reading, [entry])[0];
  if (after === null || !form) {
    notify(why ?? `The text of ${name} is not known, so it cannot be written.`, 'error');
    return;
  }
  const range = monaco.Range.fromPositions(model.getPositionAt(form.start), model.getPositionAt(form.end));
  editor.pushUndoStop();
  editor.executeEdits('definition', [{ range, text: after }]);
  editor.pushUndoStop();
  notify(`${name} is as in the image now. Save the file to keep it.`);
}
