/** The tool with which a client requests the result of a call that is waiting for a person or still running (X11, K4; decision 26). */
import { z } from 'zod';
import { defineTool } from '../tool.ts';

/** The tool `await_approval`. The executor answers it, because only the executor knows the waiting requests. */
export const awaitApproval = defineTool({
  name: 'await_approval',
  title: 'Wait for an earlier call',
  level: 'safe',
  description:
    'Wait for an earlier call: for a person to decide, or for its code to end. Use it after a reply that begins "Waiting for approval" or "Still running". Returns the result of that call, a denial, or that it is still waiting or running.',
  input: z.strictObject({
    approval_id: z.string().min(1).describe('The handle from that reply.'),
  }),
  openWorld: false,
  summarize: () => '',
  run: async ({ approval_id: id }) => ({ success: false, text: `You have no request with the handle ${id}.` }),
});
