/** The dialog that replaces a client's token and shows the new one once. */
import type { ClientRecord } from '#contract/clients/client.ts';
import { call } from '../../base/bridge.ts';
import { ask } from '../../base/notices/ask.tsx';
import { notify } from '../../base/notices/notices.tsx';
import { Text } from '../../ui/layout.tsx';
import { classes } from '../../ui/look.ts';
import styles from './copy-block.module.css';

export async function renewToken({ name, connections }: ClientRecord): Promise<void> {
  const answer = await ask({
    title: `A new token for ${name}?`,
    text: `The old token stops working immediately${connections > 0 ? ' and its connections end' : ''}. Its mode and its activity do not change.`,
    answers: [
      { id: 'cancel', title: 'Cancel' },
      { id: 'renew', title: 'Create token', kind: 'danger' },
    ],
  });
  if (answer !== 'renew') return;
  const { token } = await call('clients.mint', { name });
  const next = await ask({
    title: `New token for ${name}`,
    text: 'It is shown only once. Replace the old token with it in the client’s configuration.',
    more: (
      <Text
        as="pre"
        padY="half"
        padX={1}
        surface={1}
        round="control"
        grow
        scroll
        selectable
        className={classes('code', styles.copyText)}
        tabIndex={0}
        role="group"
        aria-label="Token"
      >
        {token}
      </Text>
    ),
    answers: [
      { id: 'done', title: 'Close' },
      { id: 'copy', title: 'Copy', kind: 'primary' },
    ],
  });
  if (next !== 'copy') return;
  await call('app.copy', { text: token });
  notify(`The new token of ${name} was copied to the clipboard.`);
}
