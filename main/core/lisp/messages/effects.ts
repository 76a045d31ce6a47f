/** Deciding about what agent code tries to do outside the image. */
import { z } from 'zod';
import { agentsChanges } from '#contract/clients/agents-changes.ts';
import { effectDecision } from '#contract/decisions/effect.ts';

export const effectMessages = {
  /** Lets the thread go on that waits in `effect-requested`. Not found: it was decided, or left, already. */
  'decide-effect': {
    lane: 'control',
    changes: false,
    request: effectDecision.extend({ effect: z.string() }),
    reply: z.object({ found: z.boolean() }),
  },
  /** Says whether effects of the person's own evaluations wait too while an agent's evaluation is not accepted. */
  'ask-person': { lane: 'control', changes: false, request: z.object({ on: z.boolean() }), reply: agentsChanges },
  'list-changes': { lane: 'control', changes: false, request: z.object({}), reply: agentsChanges },
  /** Accepts what agents evaluated up to a number that was told before; what they evaluate later is not. */
  'accept-changes': {
    lane: 'control',
    changes: false,
    request: z.object({ upTo: z.int().nonnegative() }),
    reply: agentsChanges,
  },
} as const;
