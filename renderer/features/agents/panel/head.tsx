/** The head of a conversation: the agent, its access level, its state, its options, and the actions on it. */
import { ChevronDown, Ellipsis, Hand, Shield, ShieldAlert, ShieldCheck } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components';
import type { AgentPicker, HostedAgent } from '#contract/clients/hosted-agent.ts';
import { useHue } from '../../../base/actors.ts';
import { call } from '../../../base/bridge.ts';
import { useMirror } from '../../../base/mirror.ts';
import { showLeft } from '../../../base/layout/layout-store.ts';
import { showRegion } from '../../../base/layout/regions.ts';
import { closeAgent, endAgent } from '../agent-actions.ts';
import { showStartPage } from '../agents-store.ts';
import { memoryWords, STANDINGS, STATES } from '../descriptions.ts';
import { orNotice } from '../../../base/notices/notices.tsx';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Row, Stack, Text, Truncate } from '../../../ui/layout.tsx';
import { look } from '../../../ui/look.ts';
import { ActorMark, Ring } from '../../../ui/mark.tsx';
import { MenuButton, type MenuGroup } from '../../../ui/menus/menu.tsx';
import { useSeconds } from '../../../ui/now.ts';
import { elapsed } from '../../../ui/time.ts';
import { showLog } from './log.ts';
import { WaitsForYou } from './waits-for-you.tsx';
import styles from './agent.module.css';

export function Head({ agent }: { agent: HostedAgent }) {
  const { actor, asks, standing, process, pickers, state } = agent;
  const hue = useHue(actor);
  const { title, sentence } = STANDINGS[standing];
  const Icon = { 'workbench-only': ShieldCheck, 'project-read-only': Shield, unconfined: ShieldAlert }[standing];
  return (
    <Stack as="header" gap="half" padX={4} padY={2} fixed edge="bottom">
      <Row gap="mark">
        <ActorMark hue={hue} hollow={state === 'ended'} />
        <Truncate as="h2" font="small-strong" tone={1} title={actor.name}>
          {actor.name}
        </Truncate>
        <State agent={agent} />
        <Text end fixed>
          <MenuButton label={`${actor.name}, more`} placement="bottom end" groups={menuOf(agent)}>
            <IconButton label={`More about ${actor.name}`}>
              <Ellipsis className="icon" aria-hidden />
            </IconButton>
          </MenuButton>
        </Text>
      </Row>
      <Row gap="mark" wrap font="small" tone={2}>
        <Row
          as="span"
          inline
          gap="mark"
          title={sentence}
          {...(standing === 'unconfined' ? { tone: 'warning' as const } : {})}
        >
          <Icon className="icon-small" aria-hidden />
          {title}
        </Row>
        {process?.memory == null ? null : <Text tone={3}>· {memoryWords(process.memory)}</Text>}
      </Row>
      {/* A request that is about one of the agent's own tools has no row in the activity. */}
      {asks && state === 'working' ? <WaitsForYou words="One of its own tools is waiting for you." /> : null}
      {state === 'ended' ? null : <Paused actor={actor} />}
      {pickers.length === 0 || state === 'ended' ? null : (
        <Row gap={1} wrap className={styles.pickers}>
          {pickers.map((picker) => (
            <Picker key={picker.id} agent={agent} picker={picker} />
          ))}
        </Row>
      )}
    </Stack>
  );
}

function State({ agent: { state, turnStartedAt } }: { agent: HostedAgent }) {
  const works = state === 'working' || state === 'stopping';
  const now = useSeconds(works);
  return (
    <Row as="span" inline gap="mark" fixed font="small" tone={3}>
      {works || state === 'starting' ? <Ring /> : null}
      {STATES[state]}
      {works && turnStartedAt !== null ? `, ${elapsed(now - turnStartedAt)}` : ''}
    </Row>
  );
}

/** Shows that the agent's client is paused, so that its calls are refused, and offers to resume it. */
function Paused({ actor: { id, name } }: Pick<HostedAgent, 'actor'>) {
  const paused = useMirror(({ clients }) => clients.some((each) => each.id === id && each.paused !== null));
  if (!paused) return null;
  return (
    <Row gap="mark" wrap font="small" tone="cautious">
      <Hand className="icon-small waiting-mark" aria-hidden />
      Paused: its calls are refused.
      <Button
        size="small"
        kind="link"
        aria-label={`Resume: ${name}`}
        onPress={() => void orNotice(call('clients.change', { id, paused: false }))}
      >
        Resume
      </Button>
    </Row>
  );
}

function Picker({ agent, picker }: { agent: HostedAgent; picker: AgentPicker }) {
  const { id, title, value, choices } = picker;
  const chosen = choices.find((each) => each.value === value)?.title ?? value;
  return (
    <MenuButton
      label={title}
      groups={[
        {
          id,
          entries: choices.map((choice) => ({
            id: choice.value,
            title: choice.title,
            detail: choice.value === value ? 'chosen' : choice.detail,
            run: () => void orNotice(call('hosted.choose', { id: agent.id, picker: id, value: choice.value })),
          })),
        },
      ]}
    >
      <AriaButton
        className={look(
          { flow: 'row', inline: true, gap: 1, padX: 1, font: 'small', tall: 'small', tone: 2, round: 'inline' },
          styles.picker,
        )}
        aria-label={`${title} ${chosen}`}
      >
        <Text tone={3}>{title}</Text> <Truncate>{chosen}</Truncate>
        <ChevronDown className="icon-tiny" aria-hidden />
      </AriaButton>
    </MenuButton>
  );
}

function menuOf(agent: HostedAgent): MenuGroup[] {
  const ended = agent.state === 'ended';
  return [
    {
      id: 'look',
      entries: [
        { id: 'start', title: 'Start Another…', run: showStartPage },
        { id: 'clients', title: 'Show in Clients', run: () => showRegion('Clients', () => showLeft('clients')) },
        { id: 'log', title: 'Log', run: () => void orNotice(showLog(agent)) },
      ],
    },
    {
      id: 'end',
      entries: [
        ended
          ? { id: 'close', title: 'Close', run: () => void orNotice(closeAgent(agent)) }
          : { id: 'end', title: 'End', run: () => void orNotice(endAgent(agent)) },
      ],
    },
  ];
}
