/** Decides which notices of the desktop there should be: one a client, about requests that came while nobody looked. Pure. */
import type { ApprovalCard } from '#contract/decisions/approval.ts';
import { requestsWait } from '#contract/decisions/decision.ts';
import { visible } from '#contract/text/visible.ts';

interface Notice {
  /** Requests that it tells of and that still wait. */
  readonly ids: readonly string[];
  /** The request that it was shown for; another one is shown anew. */
  readonly newest: string;
  readonly title: string;
  readonly body: string;
}

/** The notices by actor id. */
export type Notices = ReadonlyMap<string, Notice>;

type Waiting = Pick<ApprovalCard, 'id' | 'actor' | 'headline' | 'configures'>;

/**
 * The notices after a change: a client whose requests are all settled has none any more, and one with a new request has a
 * new one that takes the place of the one before. `arrived` came while the window did not have the focus.
 */
export function noticesAfter(before: Notices, waiting: readonly Waiting[], arrived: ReadonlySet<string>): Notices {
  const after = new Map<string, Notice>();
  for (const client of new Set(waiting.map(({ actor }) => actor.id))) {
    const cards = waiting.filter(({ actor }) => actor.id === client);
    const old = before.get(client);
    const told = cards.filter(({ id }) => arrived.has(id) || old?.ids.includes(id));
    if (told.length === 0) continue;
    const ids = told.map(({ id }) => id);
    const isNew = old === undefined || told.some(({ id }) => arrived.has(id));
    after.set(client, isNew ? { ids, newest: ids.at(-1)!, ...wordsFor(told) } : { ...old, ids });
  }
  return after;
}

function wordsFor(cards: readonly Waiting[]): Pick<Notice, 'title' | 'body'> {
  const [{ actor, headline, configures }] = cards as [Waiting, ...Waiting[]];
  const alone = configures === null ? headline : `${headline}. Careful: this configures other programs.`;
  const body = cards.length === 1 ? alone : requestsWait(cards.length);
  return { title: plain(`${actor.name} asks`), body: plain(body) };
}

const LONGEST = 200;

/** One line, without what the notices of some desktops take for markup. */
function plain(text: string): string {
  const line = visible(text.replaceAll(/\s+/g, ' ')).replaceAll('&', '＆').replaceAll('<', '‹').replaceAll('>', '›');
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
