/**
 * A viewer of the inspector: the objects that were looked at one after another, the one that is shown, and its parts as far as they
 * were wanted. The parts' handles are held in the image by chunk, and released when the chunk or its object is left.
 */
import { createStore, type StoreApi } from 'zustand';
import type { ConditionRecord } from '#contract/condition.ts';
import type { PrintedValue } from '#contract/evaluation.ts';
import type { InspectedPage, InspectedPart } from '#contract/inspection.ts';
import { call, messageOf } from '../../base/bridge.ts';
import { mirror } from '../../base/mirror.ts';
import { changedLabels } from './compare.ts';
import { changeOpened, openedAt, type OpenedParts } from './rows.ts';

export type Drawing = InspectedPage['drawings'][number];

/** An object that was looked at. */
export interface Step {
  readonly id: string;
  readonly handle: number;
  /** The name of the object in the path: the place that it was found in, or the part of the object before it. */
  readonly label: string;
  readonly view: string | null;
  /** The way in which all parts are shown together; null for the list of parts. */
  readonly drawing: Drawing | null;
  /** The page of the object itself, without parts; null until the image answered. */
  readonly head: InspectedPage | null;
  readonly state: 'shown' | 'expired' | 'failed';
  readonly problem: string | null;
  /** Parts by the number of their chunk. */
  readonly chunks: ReadonlyMap<number, readonly InspectedPart[]>;
  readonly opened: OpenedParts;
  /** Labels of parts that were others before the last refresh. */
  readonly changed: ReadonlySet<string>;
  /** The path of the part that the keys act on. */
  readonly selected: readonly number[];
  readonly generation: number;
}

export interface Answer {
  readonly id: string;
  readonly code: string;
  readonly values: readonly PrintedValue[];
  readonly condition: ConditionRecord | null;
  /** How it ended; null while it runs. */
  readonly status: string | null;
}

interface Editing {
  readonly path: readonly number[];
  readonly label: string;
  readonly draft: string;
  readonly busy: boolean;
  readonly error: string | null;
}

export interface ViewerState {
  readonly steps: readonly Step[];
  readonly at: number;
  readonly filter: string;
  readonly editing: Editing | null;
  readonly description: { readonly text: string; readonly cut: number } | null;
  readonly answers: readonly Answer[];
  readonly watching: boolean;
  /** The name of an object that the image was asked for and has not shown yet; null for none. */
  readonly waitsFor: string | null;
}

/** Parts that are asked for together, chunks that are kept of an object, and objects that can be gone back to. */
export const CHUNK = 100;
const CHUNKS_KEPT = 30;
const STEPS_KEPT = 50;
/** Chunks that count as looked at: those of a screen, and of the filter's beginning. */
const SEEN = 4;
const ANSWERS_KEPT = 50;
/** Parts of an opened part that are shown in place. */
const IN_PLACE = 100;

const empty: ViewerState = {
  steps: [],
  at: -1,
  filter: '',
  editing: null,
  description: null,
  answers: [],
  watching: false,
  waitsFor: null,
};

let counter = 0;
const fresh = (kind: string): string => `${kind}${(counter += 1)}-${crypto.randomUUID().slice(0, 8)}`;

export class Viewer {
  readonly store: StoreApi<ViewerState> = createStore<ViewerState>(() => empty);
  /** Panes by object: what the image holds for each. */
  readonly #panes = new Map<string, Set<string>>();
  readonly #asked = new Set<string>();
  /** Chunks that were looked at last: a refresh asks for these again. */
  #seen: readonly number[] = [];
  /** The number of objects that were wanted. */
  #wanting = 0;

  get step(): Step | null {
    const { steps, at } = this.store.getState();
    return steps[at] ?? null;
  }

  /** Shows the object of a handle, which stays held for this viewer whatever becomes of who gave it. */
  async open(handle: number, label: string): Promise<void> {
    const id = fresh('object');
    const pane = this.#pane(id, 'self');
    this.store.setState({ waitsFor: label });
    const wanted = (this.#wanting += 1);
    let step: Step = { ...blankStep, id, handle, label };
    try {
      const kept = await call('inspector.keep', { handle, pane });
      if (kept.handle !== null) {
        step = { ...step, handle: kept.handle };
        const page = await call('inspector.page', {
          handle: kept.handle,
          ...this.#wanted(this.#pane(id, '0:0'), null, 0, CHUNK),
        });
        step = { ...step, ...shownPart(page) };
      }
    } catch (error) {
      step = { ...step, state: 'failed', problem: messageOf(error) };
    }
    // What was wanted after this is what the person wants now.
    if (wanted !== this.#wanting) return this.#forget(id);
    this.#show(step);
    return undefined;
  }

  /** The object of a name or of a form is found first; false when the image has none, with why as an error. */
  async openFound(label: string, find: (pane: string) => Promise<number | null>): Promise<boolean> {
    const pane = fresh('found');
    const handle = await find(pane);
    if (handle !== null) await this.open(handle, label);
    void call('inspector.release', { panes: [pane] }).catch(() => {});
    return handle !== null;
  }

  /** Shows a part as an object of its own. */
  async drill(path: readonly number[]): Promise<void> {
    const part = this.partAt(path);
    if (part?.handle !== null && part?.handle !== undefined) await this.open(part.handle, part.label);
  }

  /** Goes to another object of the history. */
  goTo(at: number): void {
    const { steps } = this.store.getState();
    if (!steps[at]) return;
    this.store.setState({ at, filter: '', editing: null, description: null });
    void this.refresh();
  }

  go(step: 1 | -1): void {
    this.goTo(this.store.getState().at + step);
  }

  canGo(step: 1 | -1): boolean {
    const { steps, at } = this.store.getState();
    return steps[at + step] !== undefined;
  }

  setView(view: string): void {
    const { step } = this;
    if (!step) return;
    this.#change(step.id, {
      view,
      drawing: null,
      chunks: new Map(),
      opened: new Map(),
      selected: [0],
      changed: new Set(),
    });
    this.store.setState({ filter: '', editing: null });
    void this.refresh();
  }

  setDrawing(drawing: Drawing): void {
    const { step } = this;
    if (step) this.#change(step.id, { drawing });
    this.store.setState({ editing: null });
  }

  select(path: readonly number[]): void {
    const { step } = this;
    if (step) this.#change(step.id, { selected: path });
  }

  setFilter(filter: string): void {
    this.store.setState({ filter });
    const { step } = this;
    if (step) this.#change(step.id, { selected: [0] });
  }

  /** The part at a path; undefined where it was not asked for, or is none. */
  partAt(path: readonly number[]): InspectedPart | undefined {
    const { step } = this;
    const [index = 0] = path;
    if (!step) return undefined;
    if (path.length <= 1) return step.chunks.get(Math.floor(index / CHUNK))?.[index % CHUNK];
    return openedAt(step.opened, path.slice(0, -1))?.parts?.[path.at(-1)!];
  }

  /** Has the parts of a chunk asked for, once. */
  want(chunk: number): void {
    const { step } = this;
    this.#seen = [...this.#seen.filter((each) => each !== chunk), chunk].slice(-SEEN);
    if (step?.state === 'shown' && !step.chunks.has(chunk)) void this.#ask(step.id, chunk);
  }

  /** Opens a part in its place, or closes it. */
  async toggle(path: readonly number[]): Promise<void> {
    const { step } = this;
    const part = this.partAt(path);
    if (!step || !part || part.handle === null) return;
    const change = (next: Parameters<typeof changeOpened>[2]): void =>
      this.#change(step.id, ({ opened }) => ({ opened: changeOpened(opened, path, next) }));
    const pane = this.#pane(step.id, `in:${path.join('-')}`);
    if (openedAt(step.opened, path)) {
      change(() => null);
      return this.#release(step.id, [pane]);
    }
    change(() => ({ parts: null, total: 0, opened: new Map() }));
    const page = await call('inspector.page', { handle: part.handle, ...this.#wanted(pane, null, 0, IN_PLACE) }).catch(
      () => null,
    );
    change((known) =>
      known && page && !page.expired ? { parts: page.parts, total: page.total, opened: new Map() } : null,
    );
    return undefined;
  }

  /** Asks again for all that is shown; parts that print otherwise than before are marked. */
  async refresh(): Promise<void> {
    const { step } = this;
    if (!step) return;
    const generation = step.generation + 1;
    const old = [...(this.#panes.get(step.id) ?? [])].filter((pane) => !pane.endsWith(':self'));
    this.#change(step.id, { generation });
    const again = [...step.chunks.keys()].filter((chunk) => chunk !== 0 && this.#seen.includes(chunk));
    await this.#ask(step.id, 0, true);
    for (const chunk of again) await this.#ask(step.id, chunk, true);
    this.#change(step.id, ({ chunks }) => ({
      opened: new Map(),
      chunks: new Map([...chunks].filter(([chunk]) => chunk === 0 || again.includes(chunk))),
    }));
    this.#release(step.id, old);
  }

  startEdit(path: readonly number[]): void {
    const part = this.partAt(path);
    if (!part) return;
    this.store.setState({
      editing: {
        path,
        label: part.label,
        draft: part.state === 'value' ? part.text : '',
        busy: false,
        error: placeFault(part),
      },
    });
  }

  setDraft(draft: string): void {
    this.store.setState(({ editing }) => ({ editing: editing && { ...editing, draft } }));
  }

  endEdit(): void {
    this.store.setState({ editing: null });
  }

  /** Puts the value of the draft into the part, or makes the part empty. */
  async commitEdit(remove = false): Promise<boolean> {
    const { editing } = this.store.getState();
    const { step } = this;
    const part = editing && this.partAt(editing.path);
    const owner = editing && (editing.path.length > 1 ? this.partAt(editing.path.slice(0, -1))?.handle : step?.handle);
    if (!editing || !step || !part || part.path === null || owner === null || owner === undefined) return false;
    this.store.setState({ editing: { ...editing, busy: true, error: null } });
    const pane = fresh('set');
    const evaluation = crypto.randomUUID();
    const input = {
      handle: owner,
      path: part.path,
      code: editing.draft,
      remove,
      evaluation,
      ...this.#wanted(pane, null, 0, 1),
    };
    const error = await call('inspector.set', input).then(
      ({ status, condition, page }) =>
        status === 'ok' && !page?.expired ? null : (condition?.message ?? 'The object is not held any more.'),
      messageOf,
    );
    void call('inspector.release', { panes: [pane] }).catch(() => {});
    this.store.setState(({ editing: now }) => ({
      editing: error === null ? null : now && { ...now, busy: false, error },
    }));
    if (error === null) await this.refresh();
    return error === null;
  }

  /** Evaluates code in which `*` is the object. */
  async evaluate(code: string): Promise<void> {
    const { step } = this;
    if (!step) return;
    const id = crypto.randomUUID();
    const pane = fresh('answer');
    const answer: Answer = { id, code, values: [], condition: null, status: null };
    this.store.setState(({ answers }) => ({ answers: [...answers, answer].slice(-ANSWERS_KEPT) }));
    this.#hold(step.id, pane);
    const change = (part: Partial<Answer>): void =>
      this.store.setState(({ answers }) => ({
        answers: answers.map((each) => (each.id === id ? { ...each, ...part } : each)),
      }));
    try {
      const { status, values, condition, expired } = await call('inspector.evaluate', {
        handle: step.handle,
        code,
        pane,
        evaluation: id,
        package: mirror.getState().session.package,
      });
      change({ status: expired ? 'expired' : status, values, condition });
    } catch (error) {
      change({
        status: 'lost',
        condition: { type: 'NO ANSWER', message: messageOf(error), frames: [], phase: 'limit', offset: null },
      });
    }
  }

  /** Shows the value of code in which `*` is the object. */
  async drillInto(code: string, label: string): Promise<void> {
    const { step } = this;
    if (!step) return;
    const find = async (pane: string): Promise<number | null> => {
      const input = { handle: step.handle, code, pane, evaluation: crypto.randomUUID(), package: null };
      return (await call('inspector.evaluate', input)).values[0]?.handle ?? null;
    };
    await this.openFound(label, find);
  }

  /** The pane under which further handles of an object are held, until the object is left. */
  paneFor(id: string, of: string): string {
    return this.#pane(id, of);
  }

  /** Releases what was held under such a pane. */
  releasePane(id: string, pane: string): void {
    this.#release(id, [pane]);
  }

  async describe(): Promise<void> {
    const { step } = this;
    if (!step) return;
    const { text, cut, expired } = await call('inspector.describe', { handle: step.handle });
    if (expired) this.#change(step.id, { state: 'expired' });
    else this.store.setState({ description: { text, cut } });
  }

  endDescription(): void {
    this.store.setState({ description: null });
  }

  setWatching(watching: boolean): void {
    this.store.setState({ watching });
  }

  /** Lets go of everything. */
  close(): void {
    for (const { id } of this.store.getState().steps) this.#forget(id);
    this.store.setState(empty, true);
  }

  #show(step: Step): void {
    const { steps, at } = this.store.getState();
    for (const { id } of steps.slice(at + 1)) this.#forget(id);
    const kept = [...steps.slice(0, at + 1), step];
    for (const { id } of kept.slice(0, -STEPS_KEPT)) this.#forget(id);
    const next = kept.slice(-STEPS_KEPT);
    this.store.setState({
      steps: next,
      at: next.length - 1,
      filter: '',
      editing: null,
      description: null,
      answers: [],
      waitsFor: null,
    });
  }

  async #ask(id: string, chunk: number, again = false): Promise<void> {
    const step = this.#find(id);
    const key = `${id} ${step?.generation} ${chunk}`;
    if (!step || this.#asked.has(key)) return;
    this.#asked.add(key);
    const pane = this.#pane(id, `${step.generation}:${chunk}`);
    try {
      const wanted = this.#wanted(pane, step.view, chunk * CHUNK, CHUNK);
      this.#take(id, chunk, await call('inspector.page', { handle: step.handle, ...wanted }), again);
    } catch (error) {
      this.#change(id, { state: 'failed', problem: messageOf(error) });
    } finally {
      this.#asked.delete(key);
    }
  }

  #take(id: string, chunk: number, page: InspectedPage, again: boolean): void {
    if (page.expired) return this.#change(id, { state: 'expired' });
    const left: number[] = [];
    this.#change(id, (step) => {
      const chunks = new Map(step.chunks);
      const changed = again ? changedLabels(step.chunks.get(chunk) ?? [], page.parts) : new Set<string>();
      chunks.delete(chunk);
      chunks.set(chunk, page.parts);
      for (const other of chunks.keys()) {
        if (chunks.size <= CHUNKS_KEPT) break;
        chunks.delete(other);
        left.push(other);
      }
      const head = chunk === 0 ? { ...page, parts: [] } : step.head;
      const before = chunk === 0 ? new Set<string>() : step.changed;
      return { state: 'shown', problem: page.problem, head, chunks, changed: new Set([...before, ...changed]) };
    });
    const generation = this.#find(id)?.generation;
    this.#release(
      id,
      left.map((each) => `${id}:${generation}:${each}`),
    );
    return undefined;
  }

  #wanted(pane: string, view: string | null, offset: number, limit: number) {
    return { pane, view, offset, limit, package: mirror.getState().session.package };
  }

  #find(id: string): Step | undefined {
    return this.store.getState().steps.find((step) => step.id === id);
  }

  #change(id: string, part: Partial<Step> | ((step: Step) => Partial<Step>)): void {
    this.store.setState(({ steps }) => ({
      steps: steps.map((step) =>
        step.id === id ? { ...step, ...(typeof part === 'function' ? part(step) : part) } : step,
      ),
    }));
  }

  #pane(id: string, of: string): string {
    const pane = `${id}:${of}`;
    this.#hold(id, pane);
    return pane;
  }

  #hold(id: string, pane: string): void {
    this.#panes.set(id, (this.#panes.get(id) ?? new Set()).add(pane));
  }

  #release(id: string, panes: readonly string[]): void {
    const held = this.#panes.get(id);
    for (const pane of panes) held?.delete(pane);
    if (panes.length > 0) void call('inspector.release', { panes: panes.slice(0, 200) }).catch(() => {});
  }

  #forget(id: string): void {
    this.#release(id, [...(this.#panes.get(id) ?? [])]);
    this.#panes.delete(id);
  }
}

const blankStep: Omit<Step, 'id' | 'handle' | 'label'> = {
  view: null,
  drawing: null,
  head: null,
  state: 'expired',
  problem: null,
  chunks: new Map(),
  opened: new Map(),
  changed: new Set(),
  selected: [0],
  generation: 0,
};

/** The part of a step that the first page of its object tells. */
function shownPart(page: InspectedPage): Partial<Step> {
  if (page.expired) return { state: 'expired' };
  return { state: 'shown', problem: page.problem, head: { ...page, parts: [] }, chunks: new Map([[0, page.parts]]) };
}

/** The reason why a part cannot be set, as far as it is known before it is tried. */
function placeFault(part: InspectedPart): string | null {
  return part.path === null ? `${part.label} is no place: it is worked out from the object, and cannot be set.` : null;
}
