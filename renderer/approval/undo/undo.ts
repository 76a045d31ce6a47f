/** Undoes approved changes, and stores descriptions of the outcomes. */
import { messageOf } from '#contract/text/text.ts';
import { useState } from 'react';
import type { ApprovalBridge } from '#contract/rpc.ts';

/** The outcome of undoing an approval. `texts` is present if the file changed after the approval; in this case nothing was undone. */
export interface Undone {
  readonly message: string;
  readonly texts: {
    readonly before: string | null;
    readonly written: string | null;
    readonly now: string | null;
  } | null;
}

export interface Undoing {
  /** Outcomes by the approval's id. */
  readonly outcomes: ReadonlyMap<string, Undone>;
  /** The id of the approval that is being undone, or null. */
  readonly busy: string | null;
  readonly undo: (id: string) => void;
  readonly forget: (id: string) => void;
  /** Ids of the approvals whose texts are folded. */
  readonly folded: ReadonlySet<string>;
  readonly unfold: (id: string) => void;
}

/**
 * Stores the outcomes of undoing. `card` is the open card. When another card opens, the texts of the outcomes are folded to make room for
 * it.
 */
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
        message: `The change could not be undone: ${messageOf(error)}`,
        texts: null,
      });
    } finally {
      setBusy(null);
    }
  };
  const forget = (id: string): void => setOutcomes((before) => new Map([...before].filter(([other]) => other !== id)));
  return { outcomes, busy, undo: (id) => void undo(id), forget, folded, unfold };
}
