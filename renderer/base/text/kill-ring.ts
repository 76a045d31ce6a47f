/** The kill ring: texts that were killed or copied, the latest first, to be put in again. Pure. */

export interface KillRing {
  /** The texts, the latest first. */
  readonly kills: readonly string[];
  /** The text that was put in last, which the next one takes the place of. */
  readonly at: number;
}

export const emptyKillRing: KillRing = { kills: [], at: 0 };

/** Texts that are kept, and characters of all of them together; the latest is kept however long. */
const MOST_KILLS = 60;
const MOST_CHARACTERS = 20_000_000;

/** The way in which a kill joins the one right before it: behind it, in front of it, or not at all. */
export type Joining = 'after' | 'before' | 'new';

export function kill({ kills }: KillRing, text: string, joining: Joining = 'new'): KillRing {
  const [last, ...earlier] = kills;
  if (text === '') return { kills, at: 0 };
  if (joining === 'new' || last === undefined) return { kills: within([text, ...kills]), at: 0 };
  return { kills: within([joining === 'after' ? last + text : text + last, ...earlier]), at: 0 };
}

/** The text that is put in; null where nothing was ever killed. */
export function yanked({ kills, at }: KillRing): string | null {
  return kills[at] ?? null;
}

/** The ring when the text before the one that was put in is to take its place, round and round. */
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
