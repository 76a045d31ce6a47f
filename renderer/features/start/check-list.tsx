/**
 * The list of start-up checks: each with its state, the output of a failed check, and its repairs. If all checks succeed, they are shown on
 * a single line.
 */
import { Check as Tick, ChevronDown, ChevronRight, CircleDashed, CircleX, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../base/bridge.ts';
import { useMirror } from '../../base/mirror.ts';
import { runCommand } from '../../base/keys/command-registry.ts';
import { notify, orNotice } from '../../base/notices/notices.tsx';
import { Button } from '../../ui/button.tsx';
import { Box, Row, Stack, Text } from '../../ui/layout.tsx';
import { Ring } from '../../ui/mark.tsx';
import { type Check, checksOf, isAllReady, type Repair, summaryOf } from './checks.ts';
import styles from './welcome.module.css';

export function CheckList() {
  const [opened, setOpened] = useState(false);
  const facts = {
    platform: useMirror((state) => state.platform),
    session: useMirror((state) => state.session),
    servers: useMirror((state) => state.servers),
    project: useMirror((state) => state.project),
    clients: useMirror((state) => state.clients),
    settings: useMirror((state) => state.settings),
  };
  const checks = checksOf(facts);
  const isReady = isAllReady(checks);
  const showsAll = opened || !isReady;
  return (
    <Stack as="section" gap={2} aria-label="Start-up check">
      <Row gap={2} wrap>
        {isReady ? <Tick className={`icon ${styles.ready}`} aria-hidden /> : null}
        <Text as="p" role="status" font={isReady ? 'base-medium' : 'base-strong'} tone={1}>
          {summaryOf(checks)}
        </Text>
        {isReady ? (
          <Button
            kind="link"
            size="small"
            aria-expanded={opened}
            icon={
              opened ? (
                <ChevronDown className="icon-small" aria-hidden />
              ) : (
                <ChevronRight className="icon-small" aria-hidden />
              )
            }
            onPress={() => setOpened(!opened)}
          >
            {opened ? 'Hide the checks' : 'Show the checks'}
          </Button>
        ) : null}
      </Row>
      {showsAll ? (
        <Stack as="ul" className={styles.checks} surface={2}>
          {checks.map((check) => (
            <CheckRow key={check.id} check={check} />
          ))}
        </Stack>
      ) : null}
    </Stack>
  );
}

function CheckRow({ check: { title, state, words, log, repairs } }: { check: Check }) {
  return (
    <Row as="li" gap={3} padX={3} padY={2} align="start" className={styles.check}>
      <Mark state={state} />
      <Text font="base-medium" tone={1} fixed className={styles.title}>
        {title}
        <span className="visually-hidden">: {STATES[state]}.</span>
      </Text>
      <Stack gap={1} grow>
        <Text as="p" tone={2} breaks selectable>
          {words}
        </Text>
        {log === null ? null : (
          <Box font="code" tone={1} surface={1} round="inline" padX={2} padY={1} lines="wrap" breaks selectable>
            {log}
          </Box>
        )}
        {repairs.length > 1 ? <Repairs repairs={repairs} /> : null}
      </Stack>
      {repairs.length === 1 ? <Repairs repairs={repairs} /> : null}
    </Row>
  );
}

function Repairs({ repairs }: { repairs: readonly Repair[] }) {
  return (
    <Row gap={2} wrap>
      {repairs.map((repair) => (
        <Button key={repair.title} size="small" onPress={() => void orNotice(act(repair))}>
          {repair.title}
        </Button>
      ))}
    </Row>
  );
}

const STATES: Record<Check['state'], string> = {
  ready: 'ready',
  underway: 'under way',
  optional: 'optional',
  attention: 'needs attention',
  failed: 'failed',
};

function Mark({ state }: { state: Check['state'] }) {
  switch (state) {
    case 'ready':
      return <Tick className={`icon ${styles.ready}`} aria-hidden />;
    case 'underway':
      return <Ring />;
    case 'optional':
      return <CircleDashed className={`icon ${styles.optional}`} aria-hidden />;
    case 'attention':
      return <TriangleAlert className={`icon ${styles.attention}`} aria-hidden />;
    case 'failed':
      return <CircleX className="icon error-mark" aria-hidden />;
  }
}

async function act(repair: Repair): Promise<void> {
  if ('command' in repair) return runCommand(repair.command);
  if ('copies' in repair) {
    await call('app.copy', { text: repair.copies });
    notify('Copied. Run it in a terminal, then press Try again.');
    return;
  }
  if (repair.does === 'trust') {
    await call('project.trust', {});
    return;
  }
  const { path } = await call('settings.chooseFile', { title: 'SBCL' });
  if (path === null) return;
  await call('settings.change', { sbcl: path });
  await call('session.restart', {});
}
