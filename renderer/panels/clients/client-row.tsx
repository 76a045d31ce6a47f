/** One client: who it is, how it stands, and what the person may change about it. */
import { ChevronDown, Ellipsis, Hand } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components';
import type { ClientMode, ClientRecord } from '#contract/client.ts';
import { call } from '../../bridge.ts';
import { orNotice } from '../../layout/notices.tsx';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { ActorMark } from '../../ui/mark.tsx';
import { MenuButton, type MenuGroup } from '../../ui/menu.tsx';
import { connectedAt, undoAllOf } from '../activity/undo-all.ts';
import { countsOf, MODES, pausedWords, stateOf } from './model.ts';
import { renewToken } from './new-token.tsx';
import { revokeClient } from './revoke.ts';

export function ClientRow({ client, now }: { client: ClientRecord; now: number }) {
  const { id, name, hue, mode, paused, ownImage } = client;
  const facts = [stateOf(client, now), countsOf(client), client.protocol, ownImage ? 'image of its own' : 'your image'];
  const change = (part: { mode?: ClientMode; paused?: boolean }): void =>
    void orNotice(call('clients.change', { id, ...part }));
  return (
    <li className="client" aria-label={name}>
      <ActorMark hue={hue} />
      <span className="client-name" title={name}>
        {name}
      </span>
      <span className="client-buttons">
        <Button
          size="small"
          kind="quiet"
          aria-label={paused === null ? `Pause ${name}` : `Let go on: ${name}`}
          onPress={() => change({ paused: paused === null })}
        >
          {paused === null ? 'Pause' : 'Let go on'}
        </Button>
        <MenuButton label={`${name}, more`} placement="bottom end" groups={moreOf(client)}>
          <IconButton label={`More about ${name}`}>
            <Ellipsis className="icon" aria-hidden />
          </IconButton>
        </MenuButton>
      </span>
      <span className="client-state">{facts.filter((fact) => fact !== null).join(' · ')}</span>
      {paused === null ? null : (
        <span className="client-paused">
          <Hand className="icon-small waiting-mark" aria-hidden />
          <span>{pausedWords(paused)}</span>
        </span>
      )}
      <span className="client-mode">
        <MenuButton label={`Mode of ${name}`} groups={[{ id: 'mode', entries: modesOf(change) }]}>
          <AriaButton className="client-mode-button" aria-label={`Mode of ${name}: ${MODES[mode].title}`}>
            {MODES[mode].title}
            <ChevronDown className="icon-tiny" aria-hidden />
          </AriaButton>
        </MenuButton>
      </span>
    </li>
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
          title: ownImage ? 'Let It Work in Your Image' : 'Give It an Image of Its Own',
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
