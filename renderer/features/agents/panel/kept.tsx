/** The saved conversations of the project, which can be opened, continued or deleted. */
import { ArrowLeft } from 'lucide-react';
import type { KeptConversation } from '#contract/clients/hosted-agent.ts';
import { plural } from '#contract/text/text.ts';
import { useMirror } from '../../../base/mirror.ts';
import { goOnWith } from '../agent-actions.ts';
import { forgetConversation, leaveReading, readConversation, useAgents } from '../agents-store.ts';
import { STANDINGS } from '../descriptions.ts';
import { ask } from '../../../base/notices/ask.tsx';
import { orNotice } from '../../../base/notices/notices.tsx';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Row, Stack, Text, Truncate } from '../../../ui/layout.tsx';
import { useNow } from '../../../ui/now.ts';
import { ago } from '../../../ui/time.ts';
import styles from './agent.module.css';

/** The number of listed conversations; older ones are only counted. */
const LISTED = 50;

export function Kept() {
  const hosted = useMirror((state) => state.hostedAgents);
  // Conversations of listed agents already have tabs.
  const kept = useAgents((state) => state.kept).filter(({ id }) => !hosted.some((each) => each.id === id));
  const now = useNow();
  if (kept.length === 0) return null;
  return (
    <Stack as="section" gap={1} padY={3} edge="top" aria-label="Conversations of this project">
      <Text as="h3" padX={4} font="small-strong" tone={1}>
        Conversations of this project
      </Text>
      <ul>
        {kept.slice(0, LISTED).map((conversation) => (
          <KeptRow key={conversation.id} conversation={conversation} now={now} />
        ))}
      </ul>
      {kept.length > LISTED ? (
        <Text as="p" padX={4} font="small" tone={3}>
          {plural(kept.length - LISTED, 'older one is', 'older ones are')} also saved.
        </Text>
      ) : null}
    </Stack>
  );
}

function KeptRow({ conversation, now }: { conversation: KeptConversation; now: number }) {
  const { title, about, standing, startedAt, items } = conversation;
  const name = about === '' ? title : about;
  return (
    <Stack as="li" padX={4} padY={1} font="small" className={styles.kept} aria-label={name}>
      <Truncate tone={1} title={about}>
        {name}
      </Truncate>
      <Row gap={2} wrap>
        <Text tone={3} grow>
          {title} · <span title={STANDINGS[standing].sentence}>{STANDINGS[standing].title}</span> ·{' '}
          {ago(startedAt, now)} · {plural(items, 'item')}
        </Text>
        <Button size="small" kind="link" aria-label={`Open: ${name}`} onPress={() => readConversation(conversation)}>
          Open
        </Button>
        <Button
          size="small"
          kind="link"
          aria-label={`Continue: ${name}`}
          onPress={() => void orNotice(goOnWith(conversation))}
        >
          Continue
        </Button>
        <Button
          size="small"
          kind="link"
          aria-label={`Forget: ${name}`}
          onPress={() => void orNotice(forget(conversation))}
        >
          Forget
        </Button>
      </Row>
    </Stack>
  );
}

async function forget({ id, title, about }: KeptConversation): Promise<void> {
  const answer = await ask({
    title: 'Forget this conversation?',
    text: `“${about === '' ? title : about}” is deleted from disk. The agent’s changes in the image and in files stay, and so does Activity.`,
    answers: [
      { id: 'cancel', title: 'Cancel' },
      { id: 'forget', title: 'Forget', kind: 'danger' },
    ],
  });
  if (answer === 'forget') await forgetConversation(id);
}

/** The head of a saved conversation, which is shown without its agent. */
export function KeptHead({ conversation }: { conversation: KeptConversation }) {
  const now = useNow();
  const { title, standing, startedAt } = conversation;
  return (
    <Row as="header" gap={2} padX={3} padY={2} fixed edge="bottom">
      <IconButton label="Back to all conversations" onPress={leaveReading}>
        <ArrowLeft className="icon" aria-hidden />
      </IconButton>
      <Truncate as="h2" font="small-strong" tone={1}>
        {title}
      </Truncate>
      <Text grow font="small" tone={3}>
        {ago(startedAt, now)}, saved, {STANDINGS[standing].title.toLowerCase()}
      </Text>
      <Button size="small" onPress={() => void orNotice(goOnWith(conversation))}>
        Continue
      </Button>
    </Row>
  );
}
