/** The kill ring: killed or copied texts that can be yanked, the latest first. Pure. */

export interface KillRing {
  /** The texts, the latest first. */
  readonly kills: readonly string[];
  /** The index of the text that was yanked last. The next text in the ring replaces it. */
  readonly at: number;
}

export const emptyKillRing: KillRing = { kills: [], at: 0 };

/** The maximum number of texts in the ring. The next constant limits their total characters; the latest text is always stored. */
const MOST_KILLS = 60;
const MOST_CHARACTERS = 20_000_000;

/** How a kill combines with the one directly before it: appended, prepended, or as a new entry. */
export type Joining = 'after' | 'before' | 'new';

export function kill({ kills }: KillRing, text: string, joining: Joining = 'new'): KillRing {
  const [last, ...earlier] = kills;
  if (text === '') return { kills, at: 0 };
  if (joining === 'new' || last === undefined) return { kills: within([text, ...kills]), at: 0 };
  return { kills: within([joining === 'after' ? last + text : text + last, ...earlier]), at: 0 };
}

/** Returns the text to yank; null if the ring is empty. */
export function yanked({ kills, at }: KillRing): string | null {
  return kills[at] ?? null;
}

/** Returns the ring rotated cyclically to the next older text, which replaces the yanked text. */
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
