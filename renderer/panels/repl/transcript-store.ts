/** The transcript of this window. */
import { createStore, useStore } from 'zustand';
import type { EvaluationReport } from '#contract/evaluation.ts';
import { on } from '../../bridge.ts';
import { addAgentEntry, beginEntry, type Beginning, clearEntries, type Entry, finishEntry } from './transcript.ts';

const store = createStore<{ entries: Entry[] }>(() => ({ entries: [] }));
const change = (next: (entries: Entry[]) => Entry[]): void =>
  store.setState(({ entries }) => ({ entries: next(entries) }));

export const transcript = {
  begin: (beginning: Beginning): void => change((entries) => beginEntry(entries, beginning)),
  finish: (evaluation: string, report: EvaluationReport): void =>
    change((entries) => finishEntry(entries, evaluation, report)),
  clear: (): void => change(clearEntries),
  /** Shows what agents evaluate from now on. */
  followAgents: (): (() => void) =>
    on('agent-evaluated', (event) => change((entries) => addAgentEntry(entries, event))),
};

export function useTranscript(): readonly Entry[] {
  return useStore(store, (state) => state.entries);
}
