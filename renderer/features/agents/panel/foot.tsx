/** The foot of a conversation: the plan and usage, the queued prompt, and the prompt field or the reason why there is none. */
import { Circle, CircleCheck, CircleDot } from 'lucide-react';
import { useState } from 'react';
import type { AskedPage, HostedAgent, LoginMethod } from '#contract/clients/hosted-agent.ts';
import { call } from '../../../base/bridge.ts';
import { closeAgent, startAgain, stopTurn } from '../agent-actions.ts';
import { silenceOf } from '../silence.ts';
import { useSeconds } from '../../../ui/now.ts';
import { elapsed } from '../../../ui/time.ts';
import { showLog } from './log.ts';
import { useFocusLeft } from '../../../ui/panels/focus-left.ts';
import { lookForPrograms, useAgents } from '../agents-store.ts';
import { takeQueuedBack } from '../prompt-store.ts';
import { planWords, STANDINGS, usageWords } from '../descriptions.ts';
import { orNotice } from '../../../base/notices/notices.tsx';
import { askToOpen } from '../../../base/notices/outside-link.tsx';
import { Button } from '../../../ui/button.tsx';
import { Row, Stack, Text, Truncate } from '../../../ui/layout.tsx';
import { classes } from '../../../ui/look.ts';
import { Folded } from './folded.tsx';
import { LoginTerminal } from './login-terminal.tsx';
import { PromptField } from './prompt-field.tsx';
import styles from './agent.module.css';

export function Foot({ agent }: { agent: HostedAgent }) {
  const { state, plan, usage, queued } = agent;
  return (
    <Stack as="footer" fixed edge="top" className={styles.foot}>
      {plan.length > 0 && state !== 'ended' ? <Plan plan={plan} /> : null}
      {usage ? <Usage usage={usage} /> : null}
      {state === 'ended' ? <Ended agent={agent} /> : state === 'login' ? <Login agent={agent} /> : null}
      {state !== 'ended' && state !== 'login' && agent.problem !== null ? (
        <Text as="p" padX={4} padY={1} font="small" tone="error" breaks>
          {agent.problem}
        </Text>
      ) : null}
      {state !== 'ended' && state !== 'login' && agent.problem !== null ? (
        <Row padX={4} padY={1}>
          <Button size="small" onPress={() => void orNotice(again(agent, null))}>
            Start again
          </Button>
        </Row>
      ) : null}
      {agent.page === null ? null : <Page agent={agent} page={agent.page} />}
      {state === 'working' ? <Silence agent={agent} /> : null}
      {queued === null ? null : <Queued agent={agent} text={queued} />}
      {state === 'ended' ? null : <PromptField agent={agent} />}
    </Stack>
  );
}

/** Shows that the agent has been silent for a long time, which may mean that its model service is failing, and offers actions. */
function Silence({ agent }: { agent: HostedAgent }) {
  const { id, title } = agent;
  const last = useAgents(({ logs }) => logs.get(id)?.items.at(-1));
  const silent = silenceOf(agent, last, useSeconds(true));
  if (silent === null) return null;
  return (
    <Row gap={2} padX={4} padY={1} font="small" tone="cautious" role="group" aria-label="Silence" wrap>
      <Text shrink breaks>
        {`Nothing from ${title} for ${elapsed(silent)}. Its model’s service may not answer.`}
      </Text>
      <Button size="small" kind="link" onPress={() => void orNotice(showLog(agent))}>
        Log
      </Button>
      <Button size="small" kind="link" onPress={() => void orNotice(stopTurn(agent))}>
        Stop
      </Button>
    </Row>
  );
}

/**
 * A page that the agent asks the person to open. The message stays until the agent no longer needs the page, because the message may
 * contain a code to enter there.
 */
function Page({ agent: { id, title }, page }: { agent: HostedAgent; page: AskedPage }) {
  const answer = (isOpened: boolean): Promise<unknown> => call('hosted.answerPage', { id, page: page.id, isOpened });
  const open = async (): Promise<void> => {
    if (await askToOpen(page.address, title)) await answer(true);
  };
  return (
    <Stack gap={1} padX={4} padY={2} font="small" edge="bottom" role="group" aria-label="Page to open">
      <Text as="p" font="small-strong" tone={1} breaks lines="wrap" selectable>
        {page.message}
      </Text>
      <Text as="p" tone={2} breaks>
        {page.isOpened
          ? `${title} is waiting for you on that page.`
          : `${title} asks you to open a page of ${new URL(page.address).host}.`}
      </Text>
      <Row gap={2} wrap>
        <Button size="small" kind={page.isOpened ? 'plain' : 'primary'} onPress={() => void orNotice(open())}>
          {page.isOpened ? 'Open again…' : 'Open…'}
        </Button>
        <Button size="small" onPress={() => void orNotice(answer(false))}>
          {page.isOpened ? 'Hide' : 'Do Not Open'}
        </Button>
      </Row>
    </Stack>
  );
}

const STEP_ICONS = { pending: Circle, in_progress: CircleDot, completed: CircleCheck };
const STEP_WORDS = { pending: 'to do', in_progress: 'in progress', completed: 'done' };

function Plan({ plan }: Pick<HostedAgent, 'plan'>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Stack padX={4} padY={1} edge="bottom">
      <Folded title={`Plan · ${planWords(plan)}`} isOpen={isOpen} onToggle={() => setOpen(!isOpen)}>
        <Stack as="ol" gap={1} padY={1} scroll className={styles.plan} aria-label="Plan" tabIndex={0}>
          {plan.map(({ text, status }, index) => {
            const Icon = STEP_ICONS[status];
            return (
              // A step can only be identified by its position, so the index is its key.
              // oxlint-disable-next-line react/no-array-index-key
              <Row as="li" key={index} align="start" gap="mark" font="small" tone={status === 'completed' ? 3 : 1}>
                <Icon className={classes('icon-small', status === 'completed' ? 'good-mark' : undefined)} aria-hidden />
                <Text breaks shrink>
                  {text}
                  <span className="visually-hidden">, {STEP_WORDS[status]}</span>
                </Text>
              </Row>
            );
          })}
        </Stack>
      </Folded>
    </Stack>
  );
}

function Usage({ usage }: { usage: NonNullable<HostedAgent['usage']> }) {
  const { used, size } = usage;
  const words = usageWords(usage);
  const share = size > 0 ? Math.min(1, used / size) : 0;
  return (
    <Row gap={2} padX={4} padY={1} font="small" tone={3}>
      {size > 0 ? (
        <progress className={styles.usage} value={share} max={1} aria-label="Context used" aria-valuetext={words} />
      ) : null}
      <Text breaks>{words}</Text>
    </Row>
  );
}

function Queued({ agent, text }: { agent: HostedAgent; text: string }) {
  return (
    <Row gap={2} padX={4} padY={1} font="small" tone={2} surface="parked" role="group" aria-label="Queued prompt">
      <Text fixed font="small-strong">
        Next
      </Text>
      <Truncate grow title={text}>
        {text}
      </Truncate>
      <Button size="small" kind="link" onPress={() => void orNotice(takeQueuedBack(agent.id))}>
        Withdraw
      </Button>
    </Row>
  );
}

function Ended({ agent }: { agent: HostedAgent }) {
  const { problem, resumable, id, looser, title } = agent;
  // Do not repeat a problem that the conversation already shows.
  const isTold = useAgents(({ logs }) =>
    (logs.get(id)?.items ?? []).some((item) => item.kind === 'notice' && item.text === problem),
  );
  // The group takes the focus instead of a button, so that a person who is typing when the agent ends does not press a button by accident.
  const group = useFocusLeft<HTMLDivElement>();
  return (
    <Stack
      ref={group}
      gap={2}
      padX={4}
      padY={3}
      font="small"
      role="group"
      aria-label="Agent ended"
      tabIndex={-1}
      data-region-focus
      className={styles.ended}
    >
      <Text as="p" tone={problem === null || isTold ? 2 : 'error'} breaks lines="wrap">
        {problem === null || isTold ? `${title} has ended. The conversation is saved with the project.` : problem}
      </Text>
      <Row gap={2} wrap>
        {looser === null ? null : (
          <Button kind="primary" onPress={() => void orNotice(again({ ...agent, standing: looser }, null))}>
            {`Start as “${STANDINGS[looser].title}”`}
          </Button>
        )}
        <Button
          kind={looser === null ? 'primary' : 'plain'}
          onPress={() => void orNotice(again(agent, resumable ? id : null))}
        >
          {resumable ? 'Continue' : 'Start again'}
        </Button>
        {resumable ? <Button onPress={() => void orNotice(again(agent, null))}>Start again</Button> : null}
        <Button kind="quiet" onPress={() => void orNotice(closeAgent(agent))}>
          Close
        </Button>
      </Row>
    </Stack>
  );
}

/** Starts the agent again. First looks up the programs, because the agent's program may have been installed or removed since. */
async function again(agent: HostedAgent, conversation: string | null): Promise<void> {
  await lookForPrograms();
  await startAgain(agent, conversation);
}

function Login({ agent }: { agent: HostedAgent }) {
  const { logins, problem, title, id } = agent;
  const terminal = useAgents((state) => state.logins.some((each) => each.agent === id && each.state === 'running'));
  return (
    <Stack gap={2} padX={4} padY={3} font="small" role="group" aria-label="Login">
      <Text as="p" font="small-strong" tone={1} breaks lines="wrap">
        {problem ?? `${title} requires you to log in.`}
      </Text>
      <Text as="p" tone={2} breaks lines="wrap">
        {`${title} handles the login itself: Lisp Workbench never sees your password and does not store a key.`}
      </Text>
      {logins.length === 0 ? (
        <Text as="p" tone={2} breaks lines="wrap">
          {`${title} does not offer a login. Set the API key of its model provider in the environment, as its documentation says, and restart Lisp Workbench.`}
        </Text>
      ) : null}
      <LoginTerminal agent={id} />
      <Stack as="ul" gap={2} aria-label="Ways to log in">
        {logins.map((method) => (
          <Method key={method.id} agent={id} method={method} runs={terminal} />
        ))}
      </Stack>
      <Row gap={2} justify="between">
        <Text as="p" tone={3} shrink breaks>
          After the login the conversation continues here.
        </Text>
        <Button size="small" onPress={() => void orNotice(call('hosted.login', { id, method: null }))}>
          I have logged in
        </Button>
      </Row>
    </Stack>
  );
}

/** The size of a terminal until the panel has measured its own size. */
const FIRST_SIZE = { columns: 80, rows: 18 };

function Method({
  agent,
  method: { id, title, detail, terminal },
  runs,
}: {
  agent: string;
  method: LoginMethod;
  runs: boolean;
}) {
  return (
    <Stack as="li" gap={1}>
      <Row gap={2} justify="between">
        <Text font="small-strong" tone={1} shrink breaks>
          {title}
        </Text>
        <Button
          size="small"
          isDisabled={runs}
          aria-label={`Log in: ${title}`}
          onPress={() =>
            void orNotice(
              terminal
                ? call('hosted.openLogin', { id: agent, method: id, ...FIRST_SIZE })
                : call('hosted.login', { id: agent, method: id }),
            )
          }
        >
          Log in
        </Button>
      </Row>
      {detail === '' ? null : (
        <Text tone={2} breaks>
          {detail}
        </Text>
      )}
    </Stack>
  );
}
