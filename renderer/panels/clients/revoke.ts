/** Ends a client's access, once the person has said so. */
import type { ClientRecord } from '#contract/client.ts';
import { call } from '../../bridge.ts';
import { ask } from '../../layout/ask.tsx';
import { orNotice } from '../../layout/notices.tsx';

export async function revokeClient(client: ClientRecord): Promise<void> {
  const answer = await ask({
    title: `Revoke ${client.name}?`,
    text: `Its token stops working at once${client.connections > 0 ? ' and its connections end' : ''}. What it did stays in the activity. To connect it again it needs a new token.`,
    answers: [
      { id: 'cancel', title: 'Cancel' },
      { id: 'revoke', title: 'Revoke', kind: 'danger' },
    ],
  });
  if (answer === 'revoke') await orNotice(call('clients.revoke', { id: client.id }));
}
