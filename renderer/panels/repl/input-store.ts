/** What is being typed in the REPL and what was typed before. */
import { createStore, useStore } from 'zustand';
import type { Workspace } from '#contract/settings.ts';
import { contribute, keepSoon } from '../../workspace.ts';
import { type Recall, recall, remember } from './history.ts';

interface InputState {
  draft: string;
  history: readonly string[];
  /** Null while the draft is the person's own. */
  recalled: Recall | null;
}

const store = createStore<InputState>(() => ({ draft: '', history: [], recalled: null }));

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

/** Takes the draft away to be evaluated. */
export function takeDraft(): string {
  const { draft, history } = store.getState();
  store.setState({ draft: '', recalled: null, history: remember(history, draft) });
  keepSoon();
  return draft;
}

/** Puts the next older (-1) or newer (1) entry that begins as typed into the draft; false when there is none. */
export function recallHistory(step: -1 | 1): boolean {
  const { draft, history, recalled } = store.getState();
  const next = recall(history, recalled ?? { typed: draft, index: history.length }, step);
  if (!next) return false;
  store.setState({ draft: next.text, recalled: next.recall });
  return true;
}
