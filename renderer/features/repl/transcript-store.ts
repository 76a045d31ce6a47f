/** The transcript of this window. */
import { createStore, useStore } from 'zustand';
import type { EvaluationReport } from '#contract/evaluation.ts';
import { call, on } from '../../base/bridge.ts';
import {
  addAgentEntry,
  addNote,
  beginEntry,
  type Beginning,
  clearEntries,
  type Entry,
  finishEntry,
} from './transcript.ts';

const store = createStore<{ entries: Entry[] }>(() => ({ entries: [] }));

/** Changes the entries, and lets go of what the image and the core keep for those that have left. */
function change(next: (entries: Entry[]) => Entry[]): void {
  const before = store.getState().entries;
  const entries = next(before);
  store.setState({ entries });
  const kept = new Set(entries.map(({ evaluation }) => evaluation));
  const left = before.flatMap(({ evaluation }) => (kept.has(evaluation) ? [] : [evaluation]));
  if (left.length > 0) void call('output.forget', { evaluations: left.slice(0, 1000) }).catch(() => {});
}

export const transcript = {
  begin: (beginning: Beginning): void => change((entries) => beginEntry(entries, beginning)),
  finish: (evaluation: string, report: EvaluationReport): void =>
    change((entries) => finishEntry(entries, evaluation, report)),
  /** Shows what a command of the window answered. */
  note: (code: string, inPackage: string, note: string): void =>
    change((entries) =>
      addNote(entries, { evaluation: crypto.randomUUID(), code, package: inPackage, at: Date.now() }, note),
    ),
  entries: (): readonly Entry[] => store.getState().entries,
  clear: (): void => change(clearEntries),
  /** Shows evaluations of agents from now on; returns a function that ends this. */
  followAgents: (): (() => void) =>
    on('agent-evaluated', (event) => change((entries) => addAgentEntry(entries, event))),
};

export function useTranscript(): readonly Entry[] {
  return useStore(store, (state) => state.entries);
}
