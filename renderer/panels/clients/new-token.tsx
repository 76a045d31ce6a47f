/** A new token in place of the old one, shown once. */
import type { ClientRecord } from '#contract/client.ts';
import { call } from '../../bridge.ts';
import { ask } from '../../layout/ask.tsx';
import { notify } from '../../layout/notices.tsx';

export async function renewToken({ name, connections }: ClientRecord): Promise<void> {
  const answer = await ask({
    title: `A new token for ${name}?`,
    text: `The old one stops working at once${connections > 0 ? ' and its connections end' : ''}. Its mode and what it did stay.`,
    answers: [
      { id: 'cancel', title: 'Cancel' },
      { id: 'renew', title: 'Make a new token', kind: 'danger' },
    ],
  });
  if (answer !== 'renew') return;
  const { token } = await call('clients.mint', { name });
  const next = await ask({
    title: `New token for ${name}`,
    text: 'It is shown only now. Put it where the old one was in the client’s configuration.',
    more: (
      <pre className="code copy-text token-text" tabIndex={0} aria-label="Token">
        {token}
      </pre>
    ),
    answers: [
      { id: 'done', title: 'Close' },
      { id: 'copy', title: 'Copy', kind: 'primary' },
    ],
  });
  if (next !== 'copy') return;
  await call('app.copy', { text: token });
  notify(`The new token of ${name} is in the clipboard.`);
}
