/** The rows of a transcript: its entries, and a head above each run of consecutive entries of one agent, which can be folded. Pure. */
import type { Actor } from '#contract/image/session.ts';
import type { Entry } from '../../../base/image/transcript.ts';

/** The authors whose entries a transcript shows. */
export type Whose = 'everyone' | 'mine' | 'agents';

export interface RunHead {
  readonly kind: 'run';
  /** The id of the run's first entry, so that the run keeps its id while it grows. */
  readonly id: string;
  readonly actor: Actor;
  readonly entries: readonly Entry[];
  readonly isFolded: boolean;
}

export type TranscriptRow = RunHead | { readonly kind: 'entry'; readonly id: string; readonly entry: Entry };

/** Returns the entries to show. */
export function entriesOf(entries: readonly Entry[], whose: Whose): readonly Entry[] {
  return whose === 'everyone' ? entries : entries.filter(({ agent }) => (agent === null) === (whose === 'mine'));
}

/**
 * Returns the rows to show. Runs are folded as `foldsRuns` says, except those that the person has folded (true) or opened (false). A single
 * entry that is not folded needs no head, unless it had one.
 */
export function transcriptRows(
  entries: readonly Entry[],
  foldsRuns: boolean,
  folds: ReadonlyMap<string, boolean>,
): readonly TranscriptRow[] {
  return runsOf(entries).flatMap((run): TranscriptRow[] => {
    const [{ agent, evaluation }] = run as [Entry];
    const id = `run ${evaluation}`;
    const isFolded = agent !== null && (folds.get(id) ?? foldsRuns);
    const hasHead = agent !== null && (run.length > 1 || foldsRuns || folds.has(id));
    return [
      ...(hasHead ? [{ kind: 'run' as const, id, actor: agent.actor, entries: run, isFolded }] : []),
      ...(isFolded ? [] : run.map((entry) => ({ kind: 'entry' as const, id: entry.evaluation, entry }))),
    ];
  });
}

/** Returns the entries in groups: consecutive entries of one agent together, and each entry of the person on its own. */
function runsOf(entries: readonly Entry[]): Entry[][] {
  const runs: Entry[][] = [];
  for (const entry of entries) {
    const run = runs.at(-1);
    const before = run?.[0]?.agent;
    if (run && before && entry.agent && before.actor.id === entry.agent.actor.id) run.push(entry);
    else runs.push([entry]);
  }
  return runs;
}
