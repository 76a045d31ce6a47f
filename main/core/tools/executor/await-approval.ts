/** The tool by which a client comes back for a call that waits for a person or still runs (X11, K4; decision 26). */
import { z } from 'zod';
import { defineTool } from '../tool.ts';

/** The tool `await_approval`, which the executor answers: it alone knows the requests that wait. */
export const awaitApproval = defineTool({
  name: 'await_approval',
  title: 'Wait for an earlier call',
  level: 'safe',
  description:
    'Wait for an earlier call: for a person to decide about it, or for its code to end. Use it after an answer that begins "Waiting for approval" or "Still running". Give the handle of that answer. Comes back with the result of the call, the denial with its reason, or that it still waits or runs, with what it printed meanwhile.',
  input: z.strictObject({
    approval_id: z.string().min(1).describe('The handle from the answer that said the call waits or runs.'),
  }),
  openWorld: false,
  summarize: () => '',
  run: async ({ approval_id: id }) => ({ success: false, text: `No request of yours has the handle ${id}.` }),
});
