/** Checks whether a card offers the choices in a decision. */
import type { ApprovalCard, ApprovalDecision } from '#contract/decisions/approval.ts';
import { NOTHING_CHOSEN } from '#contract/decisions/decision.ts';
import { messageOf } from '#core/base/error.ts';
import { fingerprint } from '../fingerprint.ts';
import type { Arguments, Requester } from '../request.ts';

type Checking = Pick<Requester<never>, 'check' | 'checkPath' | 'draw'>;

/** Returns the reason why a decision cannot be carried out; null if it can. */
export async function faultOf(
  { arguments: asked, requester }: { readonly arguments: Arguments; readonly requester: Checking },
  card: ApprovalCard,
  decision: Exclude<ApprovalDecision, { decision: 'denied' }>,
): Promise<string | null> {
  if (decision.decision === 'modified')
    return (
      changedUnshown(card, asked, decision.arguments) ??
      requester.check(decision.arguments) ??
      (await undrawable(requester, decision.arguments))
    );
  const { hunks, path, remember } = decision;
  if (hunks) {
    const count = card.change?.hunks.length ?? 0;
    if (!card.choosable || hunks.some((hunk) => hunk >= count)) return 'This card has no such hunk to select.';
    if (hunks.length === 0) return NOTHING_CHOSEN;
  }
  if (remember !== undefined && !card.scopes.some(({ id }) => id === remember))
    return 'This card does not offer that rule.';
  if (path === undefined) return null;
  if (!card.choices.some(({ kind }) => kind === 'use-path') || !requester.checkPath)
    return 'This request cannot use another path.';
  return requester.checkPath(path);
}

/** Returns the reason why the edited arguments would not work, such as a missing parenthesis; null if they are acceptable. */
async function undrawable(requester: Checking, edited: Arguments): Promise<string | null> {
  try {
    await requester.draw(edited);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/** Returns the reason for refusing changes to an argument that cannot be edited on the card; null if there are no such changes. */
function changedUnshown(card: ApprovalCard, original: Arguments, edited: Arguments): string | null {
  const names = new Set([...Object.keys(original), ...Object.keys(edited)]);
  const changed = [...names].find(
    (name) => name !== card.editable && fingerprint(original[name]) !== fingerprint(edited[name]),
  );
  if (changed === undefined) return null;
  return card.editable === null
    ? 'This request can be approved or denied, not edited.'
    : `Only ${card.editable} can be edited: the card applies to this ${changed} only.`;
}
