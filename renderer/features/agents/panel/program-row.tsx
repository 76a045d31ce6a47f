/** An agent program on the start page: its description, and how to start, install, update and remove it. */
import { useState } from 'react';
import { Label, Radio, RadioGroup } from 'react-aria-components';
import type { AgentProgram, AgentStanding } from '#contract/clients/hosted-agent.ts';
import { call } from '../../../base/bridge.ts';
import { removeProgram, startAgent } from '../agent-actions.ts';
import { STANDINGS, versionWords } from '../descriptions.ts';
import { notify, orNotice } from '../../../base/notices/notices.tsx';
import { askToOpen } from '../../../base/notices/outside-link.tsx';
import { Button } from '../../../ui/button.tsx';
import { Row, Stack, Text } from '../../../ui/layout.tsx';
import { look } from '../../../ui/look.ts';
import { Ring } from '../../../ui/mark.tsx';
import styles from './agent.module.css';

interface ProgramProps {
  readonly program: AgentProgram;
  readonly isChosen: boolean;
  readonly blocked: boolean;
  readonly onChoose: () => void;
}

export function Program({ program, isChosen, blocked, onChoose }: ProgramProps) {
  const { title, description, state, problem, place, limits } = program;
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
      {description === '' ? null : (
        <Text as="p" tone={2} breaks>
          {description}
        </Text>
      )}
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
      {state === 'installing' || state === 'removing' ? <Changing program={program} /> : null}
      {state === 'missing' || state === 'unusable' ? <Installing program={program} /> : null}
      {state === 'ready' && (isChosen || program.update !== null) ? <Managing program={program} /> : null}
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
      <Label className="visually-hidden">Access level of {program.title}</Label>
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

/** Shows the running installation or removal, and a button that cancels an installation. */
function Changing({ program: { id, title, state, install } }: { program: AgentProgram }) {
  return (
    <Row gap={2} role="status">
      <Ring />
      <Text grow shrink breaks className="code">
        {state === 'installing' ? install : ''}
      </Text>
      {state === 'installing' ? (
        <Button
          size="small"
          aria-label={`Cancel installing ${title}`}
          onPress={() => void orNotice(call('hosted.cancelInstall', { program: id }))}
        >
          Cancel
        </Button>
      ) : null}
    </Row>
  );
}

/** The command that installs the program or, if the person must install it, the program's page. */
function Installing({ program }: { program: AgentProgram }) {
  const { title, install, own } = program;
  return (
    <Row gap={2} align="start">
      <Text grow breaks selectable className="code">
        {install ?? ''}
      </Text>
      <Page program={program} />
      {own ? <Remove program={program} /> : null}
      {install === null ? null : (
        <Button size="small" aria-label={`Install ${title}`} onPress={() => begin(program, 'is being installed')}>
          Install
        </Button>
      )}
    </Row>
  );
}

/** The actions to update and remove a program that the workbench installed. For any other program, explains that the person manages it. */
function Managing({ program }: { program: AgentProgram }) {
  const { title, update, own, install, place, command } = program;
  if (!own)
    return (
      <>
        <Text as="p" tone={3} breaks>
          You installed this program yourself, so the workbench cannot update or remove it.
        </Text>
        <Text breaks selectable className="code">
          {command ?? place}
        </Text>
      </>
    );
  return (
    <Row gap={2} align="start" justify="end">
      <Text grow breaks selectable className="code">
        {update === null ? '' : install}
      </Text>
      <Remove program={program} />
      {update === null ? null : (
        <Button
          size="small"
          aria-label={`Update ${title} to ${update}`}
          onPress={() => begin(program, `is being updated to ${update}`)}
        >
          {`Update to ${update}`}
        </Button>
      )}
    </Row>
  );
}

function begin({ id, title }: AgentProgram, words: string): void {
  void orNotice(
    call('hosted.install', { program: id }).then(() => notify(`${title} ${words}. You can go on with other work.`)),
  );
}

function Remove({ program }: { program: AgentProgram }) {
  return (
    <Button
      size="small"
      kind="quiet"
      aria-label={`Remove ${program.title}…`}
      onPress={() => void orNotice(removeProgram(program))}
    >
      Remove…
    </Button>
  );
}

/** Opens the page of a program that the person must install. */
function Page({ program: { title, page, install } }: { program: AgentProgram }) {
  if (page === null || install !== null) return null;
  return (
    <Button
      size="small"
      aria-label={`Open the page of ${title}`}
      onPress={() => void orNotice(askToOpen(page, 'The list of agents'))}
    >
      Open Its Page
    </Button>
  );
}
