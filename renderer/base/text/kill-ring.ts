/** The kill ring: killed or copied texts, the latest first, that can be yanked. Pure. */

export interface KillRing {
  /** The texts, the latest first. */
  readonly kills: readonly string[];
  /** The index of the text that was yanked last, which the next text of the ring replaces. */
  readonly at: number;
}

export const emptyKillRing: KillRing = { kills: [], at: 0 };

/** The limits on the number of texts and on their total characters. The latest text is always stored. */
const MOST_KILLS = 60;
const MOST_CHARACTERS = 20_000_000;

/** The way a kill joins the one directly before it: after it, before it, or as a new entry. */
export type Joining = 'after' | 'before' | 'new';

export function kill({ kills }: KillRing, text: string, joining: Joining = 'new'): KillRing {
  const [last, ...earlier] = kills;
  if (text === '') return { kills, at: 0 };
  if (joining === 'new' || last === undefined) return { kills: within([text, ...kills]), at: 0 };
  return { kills: within([joining === 'after' ? last + text : text + last, ...earlier]), at: 0 };
}

/** Returns the text to yank; null if nothing was ever killed. */
export function yanked({ kills, at }: KillRing): string | null {
  return kills[at] ?? null;
}

/** Returns the ring rotated to the next older text, cyclically, to replace the yanked text. */
export function rotated({ kills, at }: KillRing): KillRing {
  return { kills, at: kills.length === 0 ? 0 : (at + 1) % kills.length };
}

function within(kills: readonly string[]): string[] {
  let characters = 0;
  return kills.slice(0, MOST_KILLS).filter((text, index) => {
    characters += text.length;
    return index === 0 || characters <= MOST_CHARACTERS;
  });
}
