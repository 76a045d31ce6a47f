/** The transcripts of this window, one per REPL. */
import type { EvaluationReport } from '#contract/image/evaluation.ts';
import { FIRST_REPL } from '#contract/image/shared-image.ts';
import { call, on } from '../bridge.ts';
import { shownRepl } from './active-repl.ts';
import {
  addAgentEntry,
  addNote,
  beginEntry,
  type Beginning,
  clearEntries,
  clearLastOutput,
  type Entry,
  finishEntry,
} from './transcript.ts';
import { makeStore } from '../store.ts';

const [store, useStored] = makeStore<{ of: ReadonlyMap<string, Entry[]> }>({ of: new Map() });
const NONE: Entry[] = [];

/** Changes the entries of a REPL, and releases the data that the image and the core retain for removed entries. */
function change(repl: string, next: (entries: Entry[]) => Entry[]): void {
  const { of } = store.getState();
  const before = of.get(repl) ?? NONE;
  const entries = next(before);
  store.setState({ of: new Map(of).set(repl, entries) });
  forget(before, entries);
}

function forget(before: readonly Entry[], entries: readonly Entry[]): void {
  const kept = new Set(entries.map(({ evaluation }) => evaluation));
  const left = before.flatMap(({ evaluation }) => (kept.has(evaluation) ? [] : [evaluation]));
  if (left.length > 0) void call('output.forget', { evaluations: left.slice(0, 1000) }).catch(() => {});
}

export const transcript = {
  begin: (beginning: Beginning, repl: string = FIRST_REPL): void =>
    change(repl, (entries) => beginEntry(entries, beginning)),
  finish: (evaluation: string, report: EvaluationReport, isUnread = false): void => {
    const repl = transcript.replOf(evaluation);
    if (repl !== null) change(repl, (entries) => finishEntry(entries, evaluation, report, isUnread));
  },
  /** Shows the response to a window command. */
  note: (code: string, inPackage: string, note: string): void =>
    change(shownRepl().id, (entries) =>
      addNote(entries, { evaluation: crypto.randomUUID(), code, package: inPackage, at: Date.now() }, note),
    ),
  /** Returns the entries of the visible REPL. */
  entries: (): readonly Entry[] => store.getState().of.get(shownRepl().id) ?? NONE,
  /** Returns the REPL whose transcript contains an evaluation; null if there is none. */
  replOf: (evaluation: string): string | null => {
    for (const [repl, entries] of store.getState().of)
      if (entries.some((entry) => entry.evaluation === evaluation)) return repl;
    return null;
  },
  /** Returns the entry of a REPL's running evaluation; undefined if there is none. */
  running: (repl: string): Entry | undefined =>
    store
      .getState()
      .of.get(repl)
      ?.findLast(({ report, note }) => report === null && note === undefined),
  clear: (): void => change(shownRepl().id, clearEntries),
  clearLastOutput: (): void => change(shownRepl().id, clearLastOutput),
  /** Removes the entries of REPLs that are no longer open. */
  keepOnly: (repls: ReadonlySet<string>): void => {
    const { of } = store.getState();
    const closed = [...of].filter(([repl]) => !repls.has(repl));
    if (closed.length === 0) return;
    store.setState({ of: new Map([...of].filter(([repl]) => repls.has(repl))) });
    for (const [, entries] of closed) forget(entries, NONE);
  },
  /** Shows agents' evaluations from now on. Returns a function that stops this. */
  followAgents: (): (() => void) =>
    on('agent-evaluated', (event) => change(FIRST_REPL, (entries) => addAgentEntry(entries, event))),
};

export function useTranscript(repl: string): readonly Entry[] {
  return useStored(({ of }) => of.get(repl) ?? NONE);
}

/** Returns the REPL whose transcript contains an evaluation; null if there is none. */
export function useReplOf(evaluation: string | null): string | null {
  return useStored(() => (evaluation === null ? null : transcript.replOf(evaluation)));
}
