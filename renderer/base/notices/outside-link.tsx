/**
 * A question that is asked before an address opens outside the window. Another author wrote the link's text, so the dialog shows the real
 * destination.
 */
import { visible } from '#contract/text/visible.ts';
import { call } from '../bridge.ts';
import { Text } from '../../ui/layout.tsx';
import { ask } from './ask.tsx';
import { notify } from './notices.tsx';

/** The maximum number of characters shown of an address that cannot be opened. */
const SHOWN = 2_000;

/**
 * Shows the address written by `writer` in the form in which it would be opened, and opens it if the person agrees. An address that cannot
 * be opened here can be copied instead. Resolves to true if the address was opened or copied.
 */
export async function askToOpen(text: string, writer = 'The agent'): Promise<boolean> {
  const { opened } = await call('app.lookAtAddress', { text: text.slice(0, 100_000) });
  const answer = await ask({
    title: opened ? 'Open this address?' : 'Target of the link',
    text: opened ? wordsOf(writer, opened.address, opened.destination) : notOpened(writer),
    more: (
      <Text as="p" breaks selectable className="code">
        {opened ? opened.address : visible(text.slice(0, SHOWN))}
      </Text>
    ),
    answers: [
      { id: 'close', title: opened ? 'Cancel' : 'Close' },
      { id: 'copy', title: 'Copy the address' },
      ...(opened ? [{ id: 'open', title: 'Open', kind: 'primary' } as const] : []),
    ],
  });
  if (answer === 'open' && opened) await call('app.openAddress', { address: opened.address });
  if (answer !== 'copy') return answer === 'open';
  await call('app.copy', { text: opened?.address ?? text });
  notify('Copied.');
  return true;
}

function notOpened(writer: string): string {
  return `${writer} wrote this link. It cannot be opened here: only web and mail links without a user name or password can.`;
}

function wordsOf(writer: string, address: string, destination: string): string {
  const isMail = address.startsWith('mailto:');
  const leads = isMail ? `a mail to ${destination} in your mail program` : `${destination} in your browser`;
  return `${writer} wrote this link. It opens ${leads}, and sends the whole address there.`;
}
