/** The page that starts an agent: which programs there are, how closed off each can run, and what has to be done first. */
import { useEffect, useState } from 'react';
import { Label, Radio, RadioGroup } from 'react-aria-components';
import type { AgentProgram, AgentStanding } from '#contract/hosted-agent.ts';
import { call } from '../../base/bridge.ts';
import { useMirror } from '../../base/mirror.ts';
import { focusWhatCame } from '../../base/regions.ts';
import { startAgent } from '../../features/agents/actions.ts';
import { leaveStartPage, lookForPrograms, useAgents } from '../../features/agents/agents-store.ts';
import { NEXT, usePrompt } from '../../features/agents/prompt-store.ts';
import { inOrder, STANDINGS, versionWords } from '../../features/agents/words.ts';
import { notify, orNotice } from '../../features/notices.tsx';
import { Button } from '../../ui/button.tsx';
import { Box, Row, Stack, Text } from '../../ui/layout.tsx';
import { look } from '../../ui/look.ts';
import { Ring } from '../../ui/mark.tsx';
import { Kept } from './kept.tsx';
import { useObstacle } from './obstacle.tsx';
import { PromptField } from './prompt-field.tsx';
import styles from './agent.module.css';

export function StartPage() {
  const programs = useAgents((state) => state.programs);
  const problem = useAgents((state) => state.problem);
  const hasAgents = useMirror((state) => state.hostedAgents.length > 0);
  const { text, chips } = usePrompt(NEXT);
  const obstacle = useObstacle();
  useEffect(() => void lookForPrograms(), []);
  const isLooking = programs === null;
  // The page was asked for with the keyboard, which waits at the region until there is something to choose.
  useEffect(() => (isLooking ? undefined : focusWhatCame('Agent')), [isLooking]);
  return (
    <>
      <Box grow scroll>
        <Stack gap={1} padX={4} padY={3} font="small" tone={2}>
          <Row gap={2} justify="between">
            <Text as="h2" font="base-strong" tone={1}>
              Start an agent
            </Text>
            <Row gap={1}>
              {isLooking && problem === null ? null : <LookAgain />}
              {hasAgents ? (
                <Button size="small" kind="quiet" onPress={leaveStartPage}>
                  Back
                </Button>
              ) : null}
            </Row>
          </Row>
          <p>
            It works in the image that you have here. What it does shows in the activity, and what would leave the image
            waits for you.
          </p>
        </Stack>
        {obstacle}
        {problem === null ? null : (
          <Text as="p" padX={4} padY={2} font="small" tone="error" breaks>
            {problem}
          </Text>
        )}
        {programs === null ? (
          problem === null ? (
            <Row gap={2} padX={4} padY={2} font="small" tone={3} role="status">
              <Ring />
              Looking for agent programs…
            </Row>
          ) : null
        ) : (
          <Programs programs={inOrder(programs)} blocked={obstacle !== null} />
        )}
      </Box>
      {text.trim() === '' && chips.length === 0 ? null : (
        <Box fixed edge="top">
          <PromptField agent={null} />
        </Box>
      )}
    </>
  );
}

function Programs({ programs, blocked }: { programs: readonly AgentProgram[]; blocked: boolean }) {
  const first = programs.find(({ state }) => state === 'ready')?.id ?? null;
  const [chosen, setChosen] = useState<string | null>(null);
  const shown = chosen ?? first;
  if (programs.length === 0)
    return (
      <Text as="p" padX={4} padY={2} font="small" tone={2}>
        No agent program is known here.
      </Text>
    );
  const rows = (wanted: (state: AgentProgram['state']) => boolean): React.JSX.Element[] =>
    programs
      .filter(({ state }) => wanted(state))
      .map((program) => (
        <Program
          key={program.id}
          program={program}
          isChosen={program.id === shown}
          blocked={blocked}
          onChoose={() => setChosen(program.id)}
        />
      ));
  const others = rows((state) => state !== 'ready');
  return (
    <>
      {first === null ? null : (
        <ul aria-label="Agent programs" data-region-focus>
          {rows((state) => state === 'ready')}
        </ul>
      )}
      <Kept />
      {others.length === 0 ? null : (
        <Stack as="section" padY={3} edge="top" aria-label="Programs to install">
          <Text as="h3" padX={4} font="small-strong" tone={1}>
            {first === null ? 'No agent program was found' : 'Others'}
          </Text>
          <Text as="p" padX={4} font="small" tone={3}>
            What is installed goes into the workbench’s own folder, and changes nothing of your system.
          </Text>
          <ul aria-label="Programs that are not ready">{others}</ul>
        </Stack>
      )}
    </>
  );
}

/** Looks anew for programs and for the sandbox: what is missing may have been installed outside of the workbench. */
function LookAgain() {
  const [looking, setLooking] = useState(false);
  return (
    <Button
      size="small"
      kind="quiet"
      isDisabled={looking}
      onPress={() => {
        setLooking(true);
        void lookForPrograms().finally(() => setLooking(false));
      }}
    >
      Look again
    </Button>
  );
}

interface ProgramProps {
  readonly program: AgentProgram;
  readonly isChosen: boolean;
  readonly blocked: boolean;
  readonly onChoose: () => void;
}

function Program({ program, isChosen, blocked, onChoose }: ProgramProps) {
  const { title, state, problem, place, limits, version, tried } = program;
  const [wanted, setWanted] = useState<AgentStanding | null>(null);
  const [starting, setStarting] = useState(false);
  const standing = program.standings.find((each) => each === wanted) ?? program.standings[0]!;
  const start = (): void => {
    setStarting(true);
    void orNotice(startAgent(program, standing)).finally(() => setStarting(false));
  };
  return (
    <Stack as="li" gap={1} padX={4} padY={2} font="small" className={styles.program} data-chosen={isChosen}>
      <Row gap={2} justify="between">
        <Stack shrink>
          <Text as="h3" font="small-strong" tone={1} breaks>
            {title}
          </Text>
          <Text tone={3} breaks title={place ?? undefined}>
            {versionWords(program)}
          </Text>
        </Stack>
        {state === 'ready' && isChosen ? (
          <Button kind="primary" isDisabled={blocked || starting} onPress={start}>
            {`Start ${title}`}
          </Button>
        ) : state === 'ready' ? (
          <Button size="small" aria-label={`Choose ${title}`} onPress={onChoose}>
            Choose
          </Button>
        ) : null}
      </Row>
      {problem === null ? null : (
        <Text as="p" tone={state === 'unusable' ? 'error' : 2} breaks lines="wrap">
          {problem}
        </Text>
      )}
      {state === 'ready' && isChosen ? (
        <>
          <Standings program={program} value={standing} onChange={setWanted} />
          {limits === null ? null : (
            <Text as="p" tone={2} breaks>
              {limits}
            </Text>
          )}
        </>
      ) : null}
      {state !== 'ready' || (isChosen && version !== tried) ? <Installing program={program} /> : null}
    </Stack>
  );
}

function Standings({
  program,
  value,
  onChange,
}: {
  program: AgentProgram;
  value: AgentStanding;
  onChange: (standing: AgentStanding) => void;
}) {
  return (
    <RadioGroup
      className={look({ flow: 'stack', gap: 1 }, styles.standings)}
      value={value}
      onChange={(next) => onChange(next as AgentStanding)}
    >
      <Label className="visually-hidden">How closed off {program.title} is</Label>
      {program.standings.map((each) => (
        <Radio key={each} value={each} className={look({ padX: 2, round: 'control' }, styles.standing)}>
          <Text font="small-strong" tone={1}>
            {STANDINGS[each].title}
          </Text>
          <Text tone={2}>
            {STANDINGS[each].sentence}
            {each === 'unconfined' ? ` ${program.unasked} You are asked before each start.` : ''}
          </Text>
        </Radio>
      ))}
    </RadioGroup>
  );
}

/** The command that installs it, as it is run; while it runs, how it goes and the way to end it. */
function Installing({ program: { id, title, state, install } }: { program: AgentProgram }) {
  if (state === 'installing')
    return (
      <Row gap={2} role="status">
        <Ring />
        <Text grow shrink breaks className="code">
          {install}
        </Text>
        <Button
          size="small"
          aria-label={`Cancel installing ${title}`}
          onPress={() => void orNotice(call('hosted.cancelInstall', { program: id }))}
        >
          Cancel
        </Button>
      </Row>
    );
  return (
    <Row gap={2} align="start">
      <Text grow breaks selectable className="code">
        {install}
      </Text>
      <Button
        size="small"
        aria-label={`Install ${title}`}
        onPress={() =>
          void orNotice(
            call('hosted.install', { program: id }).then(() =>
              notify(`${title} is being installed. You can go on with other work.`),
            ),
          )
        }
      >
        Install
      </Button>
    </Row>
  );
}
