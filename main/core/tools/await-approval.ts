import { z } from 'zod';
import { defineTool } from './tool.ts';

/** X11, K4; decision 26. The executor answers it: it alone knows the requests that wait. */
export const awaitApproval = defineTool({
  name: 'await_approval',
  title: 'Wait for an approval',
  level: 'safe',
  description:
    'Wait for a person to decide about an earlier call. Use it after an answer that begins "Waiting for approval". Give the approval_id of that answer. Comes back with the result of the call, the denial with its reason, or that it still waits.',
  input: z.strictObject({
    approval_id: z.string().min(1).describe('The handle from the answer that said the call waits.'),
  }),
  openWorld: false,
  summarize: () => '',
  run: async ({ approval_id: id }) => ({ success: false, text: `No request of yours has the handle ${id}.` }),
});
