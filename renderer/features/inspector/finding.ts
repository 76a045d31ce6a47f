/**
 * The filter of a viewer. The image searches for parts that contain the text, for a short time per request, so that even a million parts do
 * not block a user who continues typing. One request runs at a time; text typed in the meantime is searched for next.
 */
import type { StoreApi } from 'zustand';
import type { InspectedPart } from '#contract/image/inspection.ts';
import { call, messageOf } from '../../base/bridge.ts';
import { mirror } from '../../base/mirror.ts';
import { type HeldPanes, releasePanes } from './held-panes.ts';
import type { Finding, Step, ViewerState } from './viewer-state.ts';

/**
 * The duration of the first search request in milliseconds, which is short so that results appear soon. `LOOK_MS` is the duration of each
 * later request.
 */
const FIRST_MS = 100;
const LOOK_MS = 400;
/**
 * The search time in milliseconds after which the person is asked whether to continue the search. `MOST_FOUND` is the number of found parts
 * after which the person is asked.
 */
const LONGEST_MS = 10_000;
const MOST_FOUND = 10_000;
/** The number of found parts in one request. */
const AT_ONCE = 100;

/** The text and the object of a search; `from` is the part at which to continue. */
interface Look {
  readonly step: Step;
  readonly text: string;
  from: number;
  readonly began: number;
  /** The number of parts that had been found when the search was last continued. */
  readonly before: number;
}

export class Finder {
  readonly #store: StoreApi<ViewerState>;
  readonly #panes: HeldPanes;
  readonly #select: (path: readonly number[]) => void;
  #look: Look | null = null;
  #busy = false;
  /** The panes that hold the handles of the requested groups of found parts. */
  #asked = new Map<number, string>();
  #rounds = 0;

  /** `select` is called with the path of the first found part to select it. */
  constructor(store: StoreApi<ViewerState>, panes: HeldPanes, select: (path: readonly number[]) => void) {
    this.#store = store;
    this.#select = select;
    this.#panes = panes;
  }

  /** Searches for a text in the parts of an object; an earlier search is abandoned. */
  start(step: Step, text: string): void {
    if (text === '') return this.stop();
    this.#release(step);
    this.#look = { step, text, from: 0, began: performance.now(), before: 0 };
    const { finding } = this.#store.getState();
    // The parts that were found before stay visible until the image has answered.
    this.#store.setState({ finding: { ...(finding ?? NOTHING), state: 'looking', text, problem: null, looked: 0 } });
    void this.#run();
    return undefined;
  }

  /** Continues a search that stopped because it took long or found many parts. */
  goOn(step: Step): void {
    const { finding } = this.#store.getState();
    if (finding?.state !== 'stopped' || finding.next === null) return;
    const { text, next, indexes } = finding;
    this.#look = { step, text, from: next, began: performance.now(), before: indexes.length };
    this.#change({ state: 'looking' });
    void this.#run();
  }

  /** Stops the search; the found parts stay. */
  pause(): void {
    this.#look = null;
    if (this.#store.getState().finding?.state === 'looking') this.#change({ state: 'stopped' });
  }

  stop(): void {
    this.#look = null;
    this.#asked.clear();
    this.#store.setState({ finding: null });
  }

  /** Requests the found parts in these rows, each once. */
  want(step: Step, first: number, last: number): void {
    const { finding } = this.#store.getState();
    // Before the first answer there are only the rows of the previous search.
    if (!finding || (finding.state === 'looking' && finding.looked === 0)) return;
    for (let group = Math.floor(first / AT_ONCE); group * AT_ONCE <= last; group += 1) {
      const indexes = finding.indexes.slice(group * AT_ONCE, (group + 1) * AT_ONCE);
      if (indexes.some((index) => !finding.parts.has(index))) void this.#ask(step, group, indexes);
    }
  }

  async #run(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    while (this.#look) await this.#lookOnce(this.#look);
    this.#busy = false;
  }

  async #lookOnce(look: Look): Promise<void> {
    const { step, text, from } = look;
    const first = from === 0;
    const wanted = { handle: step.handle, view: step.view, text, from, milliseconds: first ? FIRST_MS : LOOK_MS };
    try {
      const reply = await call('inspector.find', { ...wanted, package: mirror.getState().session.package });
      if (this.#look !== look) return; // another text was typed
      const before = first ? NOTHING : (this.#store.getState().finding ?? NOTHING);
      const indexes = [...before.indexes, ...reply.found];
      const over = performance.now() - look.began > LONGEST_MS || indexes.length - look.before >= MOST_FOUND;
      const state = reply.next === null ? 'ended' : over ? 'stopped' : 'looking';
      this.#store.setState({
        finding: {
          text,
          state,
          indexes,
          parts: before.parts,
          next: reply.next,
          looked: reply.next ?? reply.total,
          total: reply.total,
          problem: reply.expired ? 'This object is gone: the image restarted or ran low on memory.' : reply.problem,
        },
      });
      if (first && indexes[0] !== undefined) this.#select([indexes[0]]);
      if (reply.next !== null) look.from = reply.next;
      if (state !== 'looking') this.#look = null;
    } catch (error) {
      if (this.#look !== look) return;
      this.#look = null;
      this.#change({ state: 'stopped', problem: messageOf(error) });
    }
  }

  async #ask(step: Step, group: number, indexes: readonly number[]): Promise<void> {
    const key = `${group}:${indexes.length}`;
    if ([...this.#asked.values()].some((pane) => pane.endsWith(`:${key}`))) return;
    this.#rounds += 1;
    const round = this.#rounds;
    const pane = this.#panes.add(step.id, `found${round}:${key}`);
    this.#asked.set(round, pane);
    const wanted = { handle: step.handle, pane, view: step.view, indexes: [...indexes] };
    const reply = await call('inspector.parts', { ...wanted, package: mirror.getState().session.package }).catch(
      () => null,
    );
    // Another text was typed in the meantime, so this pane must be released here.
    if (!this.#asked.has(round)) return releasePanes([pane]);
    if (!reply) {
      this.#asked.delete(round);
      return this.#panes.release(step.id, [pane]);
    }
    const parts = new Map(this.#store.getState().finding?.parts);
    reply.parts.forEach((part, at) => parts.set(indexes[at]!, part ?? GONE));
    return this.#change({ parts });
  }

  #change(part: Partial<Finding>): void {
    this.#store.setState(({ finding }) => ({ finding: finding && { ...finding, ...part } }));
  }

  #release({ id }: Step): void {
    this.#panes.release(id, [...this.#asked.values()]);
    this.#asked.clear();
  }
}

const NOTHING: Finding = {
  text: '',
  state: 'looking',
  indexes: [],
  parts: new Map(),
  next: null,
  looked: 0,
  total: 0,
  problem: null,
};

/** Shown in place of a part that no longer exists when it is requested. */
const GONE: InspectedPart = {
  label: '',
  text: '#<gone>',
  type: null,
  state: 'text',
  handle: null,
  keyHandle: null,
  editable: false,
  path: null,
  group: null,
  note: null,
};

/** Returns the number of parts found as text, for display with the filter. */
export function foundWords({ indexes, state, looked, total }: Finding): string {
  const found = indexes.length.toLocaleString('en');
  if (state === 'ended') return `${found} of ${total.toLocaleString('en')}`;
  return `${found} in the first ${looked.toLocaleString('en')}`;
}
