/** Takes back what was approved, and keeps what came of it in words. */
import { useState } from 'react';
import type { ApprovalBridge } from '#contract/rpc.ts';

/** What became of taking an approval back. `texts`: the file was changed after it, so nothing was done. */
export interface Undone {
  readonly message: string;
  readonly texts: {
    readonly before: string | null;
    readonly written: string | null;
    readonly now: string | null;
  } | null;
}

export interface Undoing {
  /** By approval. */
  readonly outcomes: ReadonlyMap<string, Undone>;
  /** The one that is being taken back now. */
  readonly busy: string | null;
  readonly undo: (id: string) => void;
  readonly forget: (id: string) => void;
  /** Texts of these are folded. */
  readonly folded: ReadonlySet<string>;
  readonly unfold: (id: string) => void;
}

/** `card`: the one that is open. When another one opens, the texts of what could not be undone make room for it. */
export function useUndo(service: ApprovalBridge | undefined, card: string | null): Undoing {
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Undone>>(new Map());
  const [busy, setBusy] = useState<string | null>(null);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [seen, setSeen] = useState(card);
  if (card !== seen) {
    setSeen(card);
    if (card !== null) setFolded(new Set(outcomes.keys()));
  }
  const unfold = (id: string): void => setFolded((before) => new Set([...before].filter((other) => other !== id)));
  const keep = (id: string, outcome: Undone): void => setOutcomes((before) => new Map([...before, [id, outcome]]));
  const undo = async (id: string): Promise<void> => {
    if (!service || busy !== null) return;
    setBusy(id);
    try {
      const { message, texts } = await service.call('approval.undo', { id });
      keep(id, { message, texts });
      unfold(id);
    } catch (error) {
      keep(id, {
        message: `It was not undone: ${error instanceof Error ? error.message : String(error)}`,
        texts: null,
      });
    } finally {
      setBusy(null);
    }
  };
  const forget = (id: string): void => setOutcomes((before) => new Map([...before].filter(([other]) => other !== id)));
  return { outcomes, busy, undo: (id) => void undo(id), forget, folded, unfold };
}
