/** Which restart of suspended code is chosen, and the decision that it makes. Pure. */
import type { ApprovalDecision, CardChoice } from '#contract/decisions/approval.ts';

/** The chosen restart. A choice that is not offered any more becomes a denial. */
export function chosenOf(choices: readonly CardChoice[], key: string | null): CardChoice {
  const found = key === null ? choices[0] : choices.find((choice) => choice.key === key);
  return found ?? choices.find(({ kind }) => kind === 'deny')!;
}

/** The decision that a choice makes, with what the person typed for it. */
export function decisionOf(
  { kind, scope }: CardChoice,
  { path, reason }: { path: string; reason: string },
): ApprovalDecision {
  switch (kind) {
    case 'proceed':
      return { decision: 'approved' };
    case 'always':
      return { decision: 'approved', remember: scope! };
    case 'use-path':
      return { decision: 'approved', path: path.trim() };
    case 'deny':
      return { decision: 'denied', reason };
    case 'abort':
      return { decision: 'denied', reason: '', abort: true };
  }
}
