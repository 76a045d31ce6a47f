/** Decisions about effects that agents' code has outside the image. */
import { z } from 'zod';
import { agentsChanges } from '#contract/clients/agents-changes.ts';
import { effectDecision } from '#contract/decisions/effect.ts';

export const effectMessages = {
  /**
   * Lets the thread that waits after an `effect-requested` event continue. `found` is false if the effect was already decided or is no
   * longer waiting.
   */
  'decide-effect': {
    lane: 'control',
    changes: false,
    request: effectDecision.extend({ effect: z.string() }),
    reply: z.object({ found: z.boolean() }),
  },
  /** Sets whether effects of the person's own evaluations also wait while there are unaccepted evaluations of agents. */
  'ask-person': { lane: 'control', changes: false, request: z.object({ on: z.boolean() }), reply: agentsChanges },
  'list-changes': { lane: 'control', changes: false, request: z.object({}), reply: agentsChanges },
  /** Accepts the agents' evaluations up to a number that the image has sent. Later evaluations stay unaccepted. */
  'accept-changes': {
    lane: 'control',
    changes: false,
    request: z.object({ upTo: z.int().nonnegative() }),
    reply: agentsChanges,
  },
} as const;
