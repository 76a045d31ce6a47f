/** The draft of the REPL's input, and its history. */
import { createStore, useStore } from 'zustand';
import type { Workspace } from '#contract/settings.ts';
import { contribute, keepSoon } from '../../base/workspace.ts';
import { type Recall, recall, remember } from './history.ts';
import { type HistorySearch, searchHistory, searchOn } from './history-search.ts';

interface InputState {
  draft: string;
  history: readonly string[];
  /** The entry of the history that is shown; null while the draft is the person's own. */
  recalled: Recall | null;
  /** The search through the history; null while nobody searches. */
  search: HistorySearch | null;
}

const store = createStore<InputState>(() => ({ draft: '', history: [], recalled: null, search: null }));

export function useReplInput<Part>(select: (state: InputState) => Part): Part {
  return useStore(store, select);
}

export function restoreReplInput({ replDraft, replHistory }: Workspace): void {
  store.setState({ draft: replDraft, history: replHistory });
  contribute(() => ({ replDraft: store.getState().draft, replHistory: [...store.getState().history] }));
}

export function setDraft(draft: string): void {
  store.setState({ draft, recalled: null });
  keepSoon();
}

/** Adds code at the end of the draft, with a blank before it where one is needed. */
export function insertIntoDraft(code: string): void {
  const { draft } = store.getState();
  setDraft(/[^\s('`,@]$/.test(draft) ? `${draft} ${code}` : draft + code);
}

/** Takes the draft away to be evaluated. */
export function takeDraft(): string {
  const { draft, history } = store.getState();
  store.setState({ draft: '', recalled: null, history: remember(history, draft) });
  keepSoon();
  return draft;
}

/** Begins to search the history backwards, or goes on to the next older match. */
export function searchBack(): void {
  const { history, search } = store.getState();
  store.setState({ search: search ? searchOn(history, search, -1) : { query: '', index: null, offset: 0 } });
}

export function searchForward(): void {
  const { history, search } = store.getState();
  if (search) store.setState({ search: searchOn(history, search, 1) });
}

export function setQuery(query: string): void {
  store.setState(({ history }) => ({ search: searchHistory(history, query) }));
}

/** Ends the search; with `take` the match becomes the draft, else the draft is what it was. */
export function endSearch(take: boolean): void {
  const { history, search } = store.getState();
  const match = search?.index === null || search === null ? undefined : history[search.index];
  store.setState({ search: null });
  if (take && match !== undefined) setDraft(match);
}

/** Puts the next older (-1) or newer (1) entry that begins as typed into the draft; false when there is none. */
export function recallHistory(step: -1 | 1): boolean {
  const { draft, history, recalled } = store.getState();
  const next = recall(history, recalled ?? { typed: draft, index: history.length }, step);
  if (!next) return false;
  store.setState({ draft: next.text, recalled: next.recall });
  return true;
}

/** The history: what was typed, oldest first. */
export function replHistory(): readonly string[] {
  return store.getState().history;
}
