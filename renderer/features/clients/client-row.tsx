/** The row of a client: its name, its state, and the settings that the person may change. */
import { ChevronDown, Ellipsis, Hand } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components';
import type { ClientMode, ClientRecord } from '#contract/clients/client.ts';
import { call } from '../../base/bridge.ts';
import { ask } from '../../base/notices/ask.tsx';
import { orNotice } from '../../base/notices/notices.tsx';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { ActorMark } from '../../ui/mark.tsx';
import { MenuButton, type MenuGroup } from '../../ui/menus/menu.tsx';
import { connectedAt, undoAllOf } from '../activity/undo-all.ts';
import { countsOf, MODES, pausedWords, stateOf } from './client-words.ts';
import { renewToken } from './new-token.tsx';
import { Box, Row, Text, Truncate } from '../../ui/layout.tsx';
import { look } from '../../ui/look.ts';
import styles from './panel.module.css';

export function ClientRow({ client, now }: { client: ClientRecord; now: number }) {
  const { id, name, hue, mode, paused, ownImage } = client;
  const facts = [stateOf(client, now), countsOf(client), client.protocol, ownImage ? 'own image' : 'your image'];
  const change = (part: { mode?: ClientMode; paused?: boolean }): void =>
    void orNotice(call('clients.change', { id, ...part }));
  return (
    <Box as="li" padY={1} padX={3} className={styles.client} aria-label={name}>
      <ActorMark hue={hue} />
      <Truncate font="small-strong" title={name}>
        {name}
      </Truncate>
      <Row as="span">
        <Button
          size="small"
          kind="quiet"
          aria-label={paused === null ? `Pause ${name}` : `Resume: ${name}`}
          onPress={() => change({ paused: paused === null })}
        >
          {paused === null ? 'Pause' : 'Resume'}
        </Button>
        <MenuButton label={`${name}, more`} placement="bottom end" groups={moreOf(client)}>
          <IconButton label={`More about ${name}`}>
            <Ellipsis className="icon" aria-hidden />
          </IconButton>
        </MenuButton>
      </Row>
      <Text font="small" tone={3} className={styles.state}>
        {facts.filter((fact) => fact !== null).join(' · ')}
      </Text>
      {paused === null ? null : (
        <Row as="span" align="baseline" gap="mark" font="small" tone={1} className={styles.paused}>
          <Hand className="icon-small waiting-mark" aria-hidden />
          <span>{pausedWords(paused)}</span>
        </Row>
      )}
      <span className={styles.mode}>
        <MenuButton label={`Mode of ${name}`} groups={[{ id: 'mode', entries: modesOf(change) }]}>
          <AriaButton
            className={look(
              { flow: 'row', inline: true, gap: 1, padX: 1, font: 'small', tall: 'small', tone: 2, round: 'inline' },
              styles.modeButton,
            )}
            aria-label={`Mode of ${name}: ${MODES[mode].title}`}
          >
            {MODES[mode].title}
            <ChevronDown className="icon-tiny" aria-hidden />
          </AriaButton>
        </MenuButton>
      </span>
    </Box>
  );
}

function modesOf(change: (part: { mode: ClientMode }) => void): MenuGroup['entries'] {
  return (Object.keys(MODES) as ClientMode[]).map((mode) => ({
    id: mode,
    title: MODES[mode].title,
    detail: MODES[mode].sentence,
    run: () => change({ mode }),
  }));
}

function moreOf(client: ClientRecord): MenuGroup[] {
  const { id, ownImage } = client;
  return [
    {
      id: 'image',
      entries: [
        {
          id: 'image',
          title: ownImage ? 'Use Your Image' : 'Use a Separate Image',
          run: () => void orNotice(call('clients.change', { id, ownImage: !ownImage })),
        },
      ],
    },
    {
      id: 'undo',
      entries: [
        {
          id: 'undo',
          title: 'Undo Everything Since It Connected…',
          run: () => void orNotice(undoAllOf(client, connectedAt(id))),
        },
      ],
    },
    {
      id: 'token',
      entries: [
        { id: 'token', title: 'New Token…', run: () => void orNotice(renewToken(client)) },
        { id: 'revoke', title: 'Revoke…', run: () => void revokeClient(client) },
      ],
    },
  ];
}

/** Revokes a client's access after the person confirms. */
async function revokeClient(client: ClientRecord): Promise<void> {
  const answer = await ask({
    title: `Revoke ${client.name}?`,
    text: `Its token stops working immediately${client.connections > 0 ? ' and its connections end' : ''}. Its calls stay in Activity. To connect again, it needs a new token.`,
    answers: [
      { id: 'cancel', title: 'Cancel' },
      { id: 'revoke', title: 'Revoke', kind: 'danger' },
    ],
  });
  if (answer === 'revoke') await orNotice(call('clients.revoke', { id: client.id }));
}
