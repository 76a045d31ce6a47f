/** The chosen restart of suspended code and the decision that it leads to. Pure. */
import type { ApprovalDecision, CardChoice } from '#contract/decisions/approval.ts';

/** Returns the chosen restart; null if it is no longer offered, so that no other restart is invoked in its place. */
export function chosenOf(choices: readonly CardChoice[], key: string | null): CardChoice | null {
  return (key === null ? choices[0] : choices.find((choice) => choice.key === key)) ?? null;
}

/** Returns the decision for a choice, with the path or reason that the person typed. */
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
