/** The prompt below a card at the terminal, and the parsing of a person's answer to it. Pure. */
import type { ApprovalCard, ApprovalDecision, CardChoice } from '#contract/decisions/approval.ts';

/** The largest number of targets that certainly fits on the screen. If there are more, a yes must include their count. */
const SEEN_AT_ONCE = 20;

/** Returns the text that must be typed with every yes: the required word, followed by the number of targets if there are many. */
function confirmation({ effect }: Pick<ApprovalCard, 'effect'>, word: string | null): string {
  const count = effect?.targets.length ?? 1;
  return [...(word === null ? [] : [word]), ...(count > SEEN_AT_ONCE ? [String(count)] : [])]
    .map((each) => ` ${each}`)
    .join('');
}

/**
 * Returns the prompt with the answers that the card offers. Every answer that lets the request run must include `word`; null if no word is
 * required.
 */
export function promptOf(card: ApprovalCard, word: string | null): string {
  const { editable, choosable, abandoned } = card;
  const sure = confirmation(card, word);
  const ways = [
    `y(es)${sure}`,
    'n(o) [reason]',
    ...(editable === null ? [] : [`e(dit)${sure}`]),
    ...(choosable ? [`h(unks)${sure} 1,3`] : []),
    ...(offers(card, 'use-path') ? [`p(ath)${sure} PATH`] : []),
    ...(offers(card, 'abort') ? ['a(bort) [reason]'] : []),
  ];
  return `${abandoned ? 'The caller is no longer waiting for it. ' : ''}Approve? ${ways.join(', ')}: `;
}

/**
 * Parses the typed text as a decision. Returns `edit` to edit the text first, `unconfirmed` for a yes without the required word, and null
 * for text that is not an answer to this card.
 */
export function answerOf(
  typed: string,
  card: ApprovalCard,
  word: string | null,
): ApprovalDecision | 'edit' | 'unconfirmed' | null {
  const { change } = card;
  const denial = /^n(?:o)?(?:\s+(.*))?$/i.exec(typed);
  if (denial) return { decision: 'denied', reason: denial[1] ?? '' };
  const abort = /^a(?:bort)?(?:\s+(.*))?$/i.exec(typed);
  if (abort) return offers(card, 'abort') ? { decision: 'denied', reason: abort[1] ?? '', abort: true } : null;
  const sure = confirmation(card, word);
  const [way = '', ...rest] = typed.split(/\s+/);
  if (!/^(?:y(?:es)?|e(?:dit)?|h(?:unks)?|p(?:ath)?)$/i.test(way)) return null;
  const confirmed = rest.slice(0, sure.split(' ').length - 1);
  if (confirmed.map((each) => ` ${each.toLowerCase()}`).join('') !== sure) return 'unconfirmed';
  const answer = [way, ...rest.slice(confirmed.length)].join(' ');
  if (/^y(es)?$/i.test(answer)) return { decision: 'approved' };
  if (/^e(dit)?$/i.test(answer)) return card.editable === null ? null : 'edit';
  const hunks = /^h(?:unks)?\s+(\d+(?:[\s,]+\d+)*)$/i.exec(answer);
  if (hunks) {
    const taken = hunks[1]!.split(/[\s,]+/).map((number) => Number(number) - 1);
    const known = taken.every((hunk) => hunk >= 0 && hunk < (change?.hunks.length ?? 0));
    return card.choosable && known ? { decision: 'approved', hunks: taken } : null;
  }
  const elsewhere = /^p(?:ath)?\s+(.+)$/i.exec(answer);
  if (elsewhere) return offers(card, 'use-path') ? { decision: 'approved', path: elsewhere[1]! } : null;
  return null;
}

function offers({ choices }: ApprovalCard, kind: CardChoice['kind']): boolean {
  return choices.some((choice) => choice.kind === kind);
}
