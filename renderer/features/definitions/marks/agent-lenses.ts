/** A line above each form that an agent changed in the image: the agent, the time, and links to actions on it. */
import { UNKNOWN_CLIENT } from '#contract/clients/actor-id.ts';
import type { DefinitionEntry } from '#contract/image/definition.ts';
import { drawable } from '#contract/text/visible.ts';
import { call } from '../../../base/bridge.ts';
import { hueFor, nameOf } from '../../../base/actors.ts';
import { notify, orNotice } from '../../../base/notices/notices.tsx';
import { mirror } from '../../../base/mirror.ts';
import { shownName } from '../definition-rows.ts';
import { undoDefinitions } from '../undo.tsx';
import { clockTime } from '../../../ui/time.ts';
import { type MarkedForm, markedForms } from './marked-forms.ts';
import { monaco } from '../../../editor/monaco/monaco.ts';
import { readingOf } from '../../../editor/groups/active-editor.ts';

const HEIGHT = 20;

/** The lines above the forms in one editor. The visible text does not move when they appear or disappear. */
export class AgentLenses {
  readonly #editor: monaco.editor.IStandaloneCodeEditor;
  readonly #compare: (entry: DefinitionEntry) => Promise<void>;
  #zones: string[] = [];
  #drawn = '';

  constructor(editor: monaco.editor.IStandaloneCodeEditor, compare: (entry: DefinitionEntry) => Promise<void>) {
    this.#editor = editor;
    this.#compare = compare;
  }

  draw(forms: readonly MarkedForm[]): void {
    const model = this.#editor.getModel();
    const placed = forms.map(({ entry, start }) => ({ entry, line: model!.getPositionAt(start).lineNumber }));
    const drawn = JSON.stringify([model?.id, placed.map(({ entry, line }) => [entry.id, entry.name, line])]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const top = this.#editor.getVisibleRanges()[0]?.startLineNumber ?? 1;
    const offset = this.#editor.getTopForLineNumber(top) - this.#editor.getScrollTop();
    this.#editor.changeViewZones((zones) => {
      for (const id of this.#zones) zones.removeZone(id);
      this.#zones = placed.map(({ entry, line }) =>
        zones.addZone({
          afterLineNumber: line - 1,
          heightInPx: HEIGHT,
          domNode: this.#nodeFor(entry),
          suppressMouseDown: true,
        }),
      );
    });
    if (this.#editor.getScrollTop() > 0) this.#editor.setScrollTop(this.#editor.getTopForLineNumber(top) - offset);
  }

  #nodeFor(entry: DefinitionEntry): HTMLElement {
    const { clients } = mirror.getState();
    const { id, name, operation, time } = entry;
    const actor = entry.author ?? entry.actor;
    const shown = shownName(name);
    const who = element(
      'span',
      'agent-lens-who',
      actor === null ? 'Code that ran automatically' : nameOf(actor, clients),
    );
    const did = `${operation === 'removed' ? 'removed this from the image' : 'changed this in the image'} at ${clockTime(time, 'minutes')}`;
    const hue = hueFor({ id: actor ?? UNKNOWN_CLIENT }, clients) ?? 1;
    const node = element('div', `agent-lens agent-hue-${hue}`);
    node.append(
      element('span', 'agent-lens-mark'),
      who,
      element('span', 'agent-lens-words', did),
      action('Compare', () => this.#compare(entry)),
      action('Write to file', () => writeDefinition(this.#editor, entry)),
      action('Undo…', () => undoDefinitions({ events: [id], of: null }, `Undo ${shown}?`)),
      action('Mark as reviewed', () =>
        call('definitions.review', { events: [{ life: entry.life, id }], reviewed: true }),
      ),
    );
    // Keeps Monaco from handling the press.
    for (const press of ['pointerdown', 'mousedown']) node.addEventListener(press, (event) => event.stopPropagation());
    const zone = element('div', 'agent-lens-zone');
    zone.append(node);
    return zone;
  }
}

function action(title: string, run: () => Promise<unknown>): HTMLElement {
  const button = element('button', 'agent-lens-action', title);
  // Monaco hides elements between lines from screen readers. Screen readers and the keyboard have a command instead.
  button.tabIndex = -1;
  button.addEventListener('click', () => void orNotice(run()));
  return button;
}

function element(tag: string, className: string, text = ''): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = drawable(text);
  return made;
}

async function writeDefinition(editor: monaco.editor.IStandaloneCodeEditor, entry: DefinitionEntry): Promise<void> {
  const { after, why } = await call('definitions.difference', { event: entry.id });
  const model = editor.getModel();
  if (!model) return;
  const name = shownName(entry.name);
  const { text, reading } = readingOf(model);
  const form = markedForms(text, reading, [entry])[0];
  if (after === null || !form) {
    notify(why ?? `${name} cannot be written, because its text is unknown.`, 'error');
    return;
  }
  const range = monaco.Range.fromPositions(model.getPositionAt(form.start), model.getPositionAt(form.end));
  editor.pushUndoStop();
  editor.executeEdits('definition', [{ range, text: after }]);
  editor.pushUndoStop();
  notify(`${name} now has the text from the image. Save the file to keep it.`);
}
