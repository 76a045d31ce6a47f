/** The draft of each REPL's input, and the history that they share. */
import { FIRST_REPL } from '#contract/image/shared-image.ts';
import type { Workspace } from '#contract/settings.ts';
import { contribute, keepSoon } from '../../../base/layout/workspace.ts';
import { type Recall, recall, remember } from './history.ts';
import { type HistorySearch, searchHistory, searchOn } from './history-search.ts';
import { makeStore } from '../../../base/store.ts';

interface InputState {
  /** The REPL whose draft is edited. */
  repl: string;
  draft: string;
  /** The drafts of the other REPLs. */
  others: ReadonlyMap<string, string>;
  history: readonly string[];
  /** The shown entry of the history; null while the draft is the person's own text. */
  recalled: Recall | null;
  /** The search through the history; null if there is none. */
  search: HistorySearch | null;
}

const [store, useReplInput] = makeStore<InputState>({
  repl: FIRST_REPL,
  draft: '',
  others: new Map(),
  history: [],
  recalled: null,
  search: null,
});

export { useReplInput };

export function restoreReplInput({ replDraft, replHistory }: Workspace): void {
  store.setState({ draft: replDraft, history: replHistory });
  contribute(() => ({ replDraft: draftOf(FIRST_REPL), replHistory: [...store.getState().history] }));
}

/** Sets the drafts of all REPLs except the one whose draft is edited. */
export function restoreDrafts(drafts: ReadonlyMap<string, string>): void {
  store.setState({ others: drafts });
}

export function draftOf(repl: string): string {
  const { repl: edited, draft, others } = store.getState();
  return repl === edited ? draft : (others.get(repl) ?? '');
}

/** Switches to the draft of another REPL. */
export function editDraftOf(repl: string): void {
  const { repl: before, draft, others } = store.getState();
  if (repl === before) return;
  const kept = new Map(others).set(before, draft);
  kept.delete(repl);
  store.setState({ repl, draft: others.get(repl) ?? '', others: kept, recalled: null, search: null });
}

/** Drops the draft of a closed REPL. The text stays in the history. */
export function dropDraft(repl: string): void {
  const { others, history } = store.getState();
  const kept = new Map(others);
  kept.delete(repl);
  store.setState({ others: kept, history: remember(history, others.get(repl) ?? '') });
}

export function setDraft(draft: string): void {
  store.setState({ draft, recalled: null });
  keepSoon();
}

/** Adds code at the end of the draft, with a space before it if needed. */
export function insertIntoDraft(code: string): void {
  const { draft } = store.getState();
  setDraft(/[^\s('`,@]$/.test(draft) ? `${draft} ${code}` : draft + code);
}

/** Returns the draft for evaluation, and clears it. */
export function takeDraft(): string {
  const { draft, history } = store.getState();
  store.setState({ draft: '', recalled: null, history: remember(history, draft) });
  keepSoon();
  return draft;
}

/** Starts a backward search of the history, or continues to the next older match. */
export function searchBack(): void {
  const { history, search } = store.getState();
  store.setState({ search: search ? searchOn(history, search, -1) : { query: '', index: null, offset: 0 } });
}

/** True while the person searches the history. */
export function isSearching(): boolean {
  return store.getState().search !== null;
}

export function searchForward(): void {
  const { history, search } = store.getState();
  if (search) store.setState({ search: searchOn(history, search, 1) });
}

export function setQuery(query: string): void {
  store.setState(({ history }) => ({ search: searchHistory(history, query) }));
}

/** Ends the search. With `take` the match becomes the draft; otherwise the draft is restored. */
export function endSearch(take: boolean): void {
  const { history, search } = store.getState();
  const match = search?.index === null || search === null ? undefined : history[search.index];
  store.setState({ search: null });
  if (take && match !== undefined) setDraft(match);
}

/**
 * Replaces the draft with the next older (-1) or newer (1) entry that begins with the typed text; returns false if there is no such entry.
 */
export function recallHistory(step: -1 | 1): boolean {
  const { draft, history, recalled } = store.getState();
  const next = recall(history, recalled ?? { typed: draft, index: history.length }, step);
  if (!next) return false;
  store.setState({ draft: next.text, recalled: next.recall });
  return true;
}

/** True while the draft is an unchanged entry of the history. */
export function isRecalled(): boolean {
  return store.getState().recalled !== null;
}

/** Returns the typed entries, oldest first. */
export function replHistory(): readonly string[] {
  return store.getState().history;
}
