/**
 * The filter of a viewer: the image looks for the parts that have the text in them, a moment at a time, so that a million parts keep
 * nobody waiting who types on. One look is under way at a time; what was typed meanwhile is looked for next.
 */
import type { StoreApi } from 'zustand';
import type { InspectedPart } from '#contract/image/inspection.ts';
import { call, messageOf } from '../../base/bridge.ts';
import { mirror } from '../../base/mirror.ts';
import { type HeldPanes, releasePanes } from './held-panes.ts';
import type { Finding, Step, ViewerState } from './viewer-state.ts';

/** Milliseconds of the first look, after which there is something to see, and of the ones that follow. */
const FIRST_MS = 100;
const LOOK_MS = 400;
/** Milliseconds, and parts found, after which the person is asked whether to look further. */
const LONGEST_MS = 10_000;
const MOST_FOUND = 10_000;
/** Found parts that are asked for together. */
const AT_ONCE = 100;

/** The text that is looked for, and in what; `from` is the part to go on from. */
interface Look {
  readonly step: Step;
  readonly text: string;
  from: number;
  readonly began: number;
  /** Parts that had been found when the look began: those of an earlier one that goes on. */
  readonly before: number;
}

export class Finder {
  readonly #store: StoreApi<ViewerState>;
  readonly #panes: HeldPanes;
  readonly #select: (path: readonly number[]) => void;
  #look: Look | null = null;
  #busy = false;
  /** Groups of found parts that were asked for, and the panes that hold their handles. */
  #asked = new Map<number, string>();
  #rounds = 0;

  /** `select`: makes the first part that is found the one that the keys act on. */
  constructor(store: StoreApi<ViewerState>, panes: HeldPanes, select: (path: readonly number[]) => void) {
    this.#store = store;
    this.#select = select;
    this.#panes = panes;
  }

  /** Looks for a text in the parts of an object; what was looked for before is given up. */
  start(step: Step, text: string): void {
    if (text === '') return this.stop();
    this.#release(step);
    this.#look = { step, text, from: 0, began: performance.now(), before: 0 };
    const { finding } = this.#store.getState();
    // What was found before stays in view until the image has answered.
    this.#store.setState({ finding: { ...(finding ?? NOTHING), state: 'looking', text, problem: null, looked: 0 } });
    void this.#run();
    return undefined;
  }

  /** Goes on after a look that had taken long, or had found much. */
  goOn(step: Step): void {
    const { finding } = this.#store.getState();
    if (finding?.state !== 'stopped' || finding.next === null) return;
    const { text, next, indexes } = finding;
    this.#look = { step, text, from: next, began: performance.now(), before: indexes.length };
    this.#change({ state: 'looking' });
    void this.#run();
  }

  /** Ends the look where it is; what was found stays. */
  pause(): void {
    this.#look = null;
    if (this.#store.getState().finding?.state === 'looking') this.#change({ state: 'stopped' });
  }

  stop(): void {
    this.#look = null;
    this.#asked.clear();
    this.#store.setState({ finding: null });
  }

  /** Has the found parts asked for that stand in these rows, once. */
  want(step: Step, first: number, last: number): void {
    const { finding } = this.#store.getState();
    // Before the first answer there are only the rows of what was looked for before.
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
      if (this.#look !== look) return; // something else was typed
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
    // Another text was typed meanwhile, and nobody else lets go of these.
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

/** Stands in the place of a part that is not there any more when it is asked for. */
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

/** The number of parts that were found, as the filter shows it. */
export function foundWords({ indexes, state, looked, total }: Finding): string {
  const found = indexes.length.toLocaleString('en');
  if (state === 'ended') return `${found} of ${total.toLocaleString('en')}`;
  return `${found} of the first ${looked.toLocaleString('en')}`;
}
