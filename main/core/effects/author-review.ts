/** Marking what an agent defined as reviewed, from the card of what it does when the person calls it. */
import type { Effect } from '#contract/decisions/effect.ts';
import type { OfferedScope } from '#core/approvals/request.ts';
import type { Session } from '#core/sessions/session.ts';

/** Marks what the code was defined with as reviewed, where the journal has all of that and none of it was undone; else null. */
export function reviewOf(
  session: Session,
  { actor, events }: NonNullable<Effect<'waiting'>['definedBy']>,
): { scopes: OfferedScope[]; mark: () => boolean } | null {
  const { definitions } = session;
  const entries = definitions.entries().filter((entry) => {
    const byAuthor = entry.actor === actor || entry.author === actor;
    return entry.life === definitions.life && byAuthor && events.includes(entry.id);
  });
  // The code is not trusted before all its definitions are reviewed.
  if (entries.length < events.length || !entries.every(({ seen, reviewed }) => reviewed || !seen)) return null;
  if (entries.length === 0) return null;
  const names = entries.map(({ name }) => name).toReversed();
  return {
    scopes: [{ id: 'reviewed', label: `${names.join(', ')} as reviewed`, matched: 0, of: 0 }],
    mark() {
      definitions.review(entries, true);
      return true;
    },
  };
}
