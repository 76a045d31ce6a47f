/** A line above each form that an agent changed in the image: who, when, and what one would do about it. */
import type { DefinitionEntry } from '#contract/definition.ts';
import { call } from '../bridge.ts';
import { hueFor, nameOf } from '../layout/actors.ts';
import { orNotice } from '../layout/notices.tsx';
import { mirror } from '../mirror.ts';
import { shownName } from '../panels/definitions/model.ts';
import { undoDefinitions } from '../panels/definitions/undo.tsx';
import { clockTime } from '../ui/time.ts';
import type { MarkedForm } from './marked-forms.ts';
import type { monaco } from './monaco.ts';

const HEIGHT = 20;

/** The lines of one editor. What is in sight stays where it is while they come and go. */
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
    const { id, actor, name, operation, time } = entry;
    const shown = shownName(name);
    const who = element('span', 'agent-lens-who', actor === null ? 'Code that ran by itself' : nameOf(actor, clients));
    const did = `${operation === 'removed' ? 'took this out of the image' : 'changed this in the image'} at ${clockTime(time, 'minutes')}`;
    const hue = hueFor({ id: actor ?? 'client:unknown' }, clients) ?? 1;
    const node = element('div', `agent-lens agent-hue-${hue}`);
    node.append(
      element('span', 'agent-lens-mark'),
      who,
      element('span', 'agent-lens-words', did),
      action('Compare', () => this.#compare(entry)),
      action('Undo…', () => undoDefinitions({ events: [id], of: null }, `Undo ${shown}?`)),
      action('Mark as reviewed', () => call('definitions.review', { events: [id], reviewed: true })),
    );
    // Monaco would take the press for its own.
    for (const press of ['pointerdown', 'mousedown']) node.addEventListener(press, (event) => event.stopPropagation());
    const zone = element('div', 'agent-lens-zone');
    zone.append(node);
    return zone;
  }
}

function action(title: string, run: () => Promise<unknown>): HTMLElement {
  const button = element('button', 'agent-lens-action', title);
  // Monaco hides what stands between lines from screen readers; they and the keyboard have the command for it.
  button.tabIndex = -1;
  button.addEventListener('click', () => void orNotice(run()));
  return button;
}

function element(tag: string, className: string, text = ''): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}
