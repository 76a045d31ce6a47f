/** Deciding about what agent code tries to do outside the image. */
import { z } from 'zod';
import { effectDecision } from '#contract/effect.ts';

export const effectMessages = {
  /** Lets the thread go on that waits in `effect-requested`. Not found: it was decided, or left, already. */
  'decide-effect': {
    lane: 'control',
    request: effectDecision.extend({ effect: z.string() }),
    reply: z.object({ found: z.boolean() }),
  },
} as const;
