/**
 * A viewer of the inspector: the visited objects, the shown one, and the parts that have been requested. The image holds the parts' handles
 * by chunk, and releases them when the chunk or its object is left.
 */
import { createStore, type StoreApi } from 'zustand';
import type { InspectedPage, InspectedPart } from '#contract/image/inspection.ts';
import { call, messageOf } from '../../base/bridge.ts';
import { changedLabels } from './compare.ts';
import { Finder } from './finding.ts';
import { freshPane, HeldPanes, wantedPage } from './held-panes.ts';
import { changeOpened, openedAt } from './part-rows.ts';
import { blankStep, type Drawing, emptyViewer, shownPart, type Step, type ViewerState } from './viewer-state.ts';

/** Limits: the number of parts in a chunk, the number of chunks stored for an object, and the number of objects in the history. */
export const CHUNK = 100;
const CHUNKS_KEPT = 30;
const STEPS_KEPT = 50;
/** The number of chunks that count as visible, enough for a screen. */
const SEEN = 4;
/** The maximum number of parts of an open part that are shown in place. */
const IN_PLACE = 100;

export class Viewer {
  readonly store: StoreApi<ViewerState> = createStore<ViewerState>(() => emptyViewer);
  /** The panes of each visited object. */
  readonly panes = new HeldPanes();
  readonly finder = new Finder(this.store, this.panes, (path) => this.select(path));
  readonly #asked = new Set<string>();
  /** The chunks that were visible most recently; a refresh requests them again. */
  #seen: readonly number[] = [];
  /** The number of objects requested so far, which identifies the latest request. */
  #wanting = 0;

  get step(): Step | null {
    const { steps, at } = this.store.getState();
    return steps[at] ?? null;
  }

  /**
   * Shows the object of a handle. The viewer gets a handle of its own, which stays valid even if the view that passed `handle` releases it.
   */
  async open(handle: number, label: string, isPart = false): Promise<void> {
    const id = freshPane('object');
    const pane = this.panes.add(id, 'self');
    this.store.setState({ waitsFor: label });
    const wanted = (this.#wanting += 1);
    let step: Step = { ...blankStep, id, handle, label, isPart };
    try {
      const kept = await call('inspector.keep', { handle, pane });
      if (kept.handle !== null) {
        step = { ...step, handle: kept.handle };
        const page = await call('inspector.page', {
          handle: kept.handle,
          ...wantedPage(this.panes.add(id, '0:0'), null, 0, CHUNK),
        });
        step = { ...step, ...shownPart(page) };
      }
    } catch (error) {
      step = { ...step, state: 'failed', problem: messageOf(error) };
    }
    // Another object was requested later, so this one is dropped.
    if (wanted !== this.#wanting) return this.panes.forget(id);
    this.#show(step);
    return undefined;
  }

  /** Finds the object of a name or form first, then shows it. Returns false if the image does not have such an object. */
  async openFound(label: string, find: (pane: string) => Promise<number | null>): Promise<boolean> {
    const pane = freshPane('found');
    const handle = await find(pane);
    if (handle !== null) await this.open(handle, label);
    void call('inspector.release', { panes: [pane] }).catch(() => {});
    return handle !== null;
  }

  /** Shows a part as a separate object. */
  async drill(path: readonly number[]): Promise<void> {
    const part = this.partAt(path);
    if (part?.handle !== null && part?.handle !== undefined) await this.open(part.handle, part.label, true);
  }

  /** Goes to another object in the history. */
  goTo(at: number): void {
    const { steps } = this.store.getState();
    if (!steps[at]) return;
    this.finder.stop();
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
    this.finder.stop();
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
    if (!step) return;
    this.#change(step.id, { selected: [0] });
    this.finder.start(step, filter.trim());
  }

  /** Returns the part at a path; undefined if it was not loaded or does not exist. */
  partAt(path: readonly number[]): InspectedPart | undefined {
    const { step } = this;
    const [index = 0] = path;
    if (!step) return undefined;
    if (path.length <= 1) {
      const found = this.store.getState().finding?.parts.get(index);
      return found ?? step.chunks.get(Math.floor(index / CHUNK))?.[index % CHUNK];
    }
    return openedAt(step.opened, path.slice(0, -1))?.parts?.[path.at(-1)!];
  }

  /** Requests the parts of a chunk, once. */
  want(chunk: number): void {
    const { step } = this;
    this.#seen = [...this.#seen.filter((each) => each !== chunk), chunk].slice(-SEEN);
    if (step?.state === 'shown' && !step.chunks.has(chunk)) void this.#ask(step.id, chunk);
  }

  /** Opens or closes a part in place. */
  async toggle(path: readonly number[]): Promise<void> {
    const { step } = this;
    const part = this.partAt(path);
    if (!step || !part || part.handle === null) return;
    const change = (next: Parameters<typeof changeOpened>[2]): void =>
      this.#change(step.id, ({ opened }) => ({ opened: changeOpened(opened, path, next) }));
    const pane = this.panes.add(step.id, `in:${path.join('-')}`);
    if (openedAt(step.opened, path)) {
      change(() => null);
      return this.panes.release(step.id, [pane]);
    }
    change(() => ({ parts: null, total: 0, opened: new Map() }));
    const page = await call('inspector.page', { handle: part.handle, ...wantedPage(pane, null, 0, IN_PLACE) }).catch(
      () => null,
    );
    change((known) =>
      known && page && !page.expired ? { parts: page.parts, total: page.total, opened: new Map() } : null,
    );
    return undefined;
  }

  /** Requests all shown parts again, and marks the parts that now print differently. */
  async refresh(): Promise<void> {
    const { step } = this;
    if (!step) return;
    const generation = step.generation + 1;
    const old = this.panes.of(step.id).filter((pane) => !pane.endsWith(':self'));
    this.#change(step.id, { generation });
    const again = [...step.chunks.keys()].filter((chunk) => chunk !== 0 && this.#seen.includes(chunk));
    await this.#ask(step.id, 0, true);
    for (const chunk of again) await this.#ask(step.id, chunk, true);
    this.#change(step.id, ({ chunks }) => ({
      opened: new Map(),
      chunks: new Map([...chunks].filter(([chunk]) => chunk === 0 || again.includes(chunk))),
    }));
    this.panes.release(step.id, old);
    const { filter } = this.store.getState();
    if (this.step?.id === step.id && filter.trim() !== '') this.finder.start(this.step, filter.trim());
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

  /** Releases all handles. */
  close(): void {
    for (const { id } of this.store.getState().steps) this.panes.forget(id);
    this.finder.stop();
    this.store.setState(emptyViewer, true);
  }

  #show(step: Step): void {
    const { steps, at } = this.store.getState();
    for (const { id } of steps.slice(at + 1)) this.panes.forget(id);
    const kept = [...steps.slice(0, at + 1), step];
    for (const { id } of kept.slice(0, -STEPS_KEPT)) this.panes.forget(id);
    const next = kept.slice(-STEPS_KEPT);
    this.finder.stop();
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
    const pane = this.panes.add(id, `${step.generation}:${chunk}`);
    try {
      const wanted = wantedPage(pane, step.view, chunk * CHUNK, CHUNK);
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
    this.panes.release(
      id,
      left.map((each) => `${id}:${generation}:${each}`),
    );
    return undefined;
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
}
