/**
 * Determines which desktop notices to show. There is one notice for each client, about requests that arrived while the window did not have
 * the focus. Pure.
 */
import type { ApprovalCard } from '#contract/decisions/approval.ts';
import { requestsWait } from '#contract/decisions/decision.ts';
import { visible } from '#contract/text/visible.ts';

interface Notice {
  /** The ids of the notice's requests that are still waiting. */
  readonly ids: readonly string[];
  /** The id of the newest request in the notice. If a newer request arrives, the notice is shown again. */
  readonly newest: string;
  readonly title: string;
  readonly body: string;
}

/** The notices, by the actor's id. */
export type Notices = ReadonlyMap<string, Notice>;

type Waiting = Pick<ApprovalCard, 'id' | 'actor' | 'headline' | 'configures'>;

/**
 * Returns the notices after a change. A client has no notice if all its requests are settled. A new request creates a new notice that
 * replaces the client's previous one. `arrived` contains the requests that arrived while the window did not have the focus.
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

/** Returns a text as one line, without characters that some desktops treat as markup. */
function plain(text: string): string {
  const line = visible(text.replaceAll(/\s+/g, ' ')).replaceAll('&', '＆').replaceAll('<', '‹').replaceAll('>', '›');
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
