/** The test of a connection. It performs the steps that the client would perform, and gives advice if a step fails. */
import { CircleCheck, CircleX, LoaderCircle } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ConnectionStep, ConnectionWay } from '#contract/clients/connection.ts';
import { call, messageOf, on } from '../../base/bridge.ts';
import { Button } from '../../ui/button.tsx';
import { Box, Row, Stack } from '../../ui/layout.tsx';
import { classes } from '../../ui/look.ts';
import styles from './connect.module.css';

export function ConnectionTest({ token, way }: { token: string; way: ConnectionWay }) {
  const [test, setTest] = useState<string | null>(null);
  const [steps, setSteps] = useState<readonly ConnectionStep[]>([]);
  const [running, setRunning] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => on('connection-tested', (told) => (told.test === test ? setSteps(told.steps) : undefined)), [test]);
  const run = async (): Promise<void> => {
    const id = crypto.randomUUID();
    setTest(id);
    setSteps([]);
    setProblem(null);
    setRunning(true);
    try {
      setSteps((await call('clients.test', { way, token, test: id })).steps);
    } catch (error) {
      setProblem(messageOf(error));
    }
    setRunning(false);
  };
  return (
    <Row align="start" gap={3}>
      <div>
        <Button isDisabled={running} onPress={() => void run()}>
          {running ? 'Testing…' : 'Test connection'}
        </Button>
      </div>
      <Stack as="ul" gap={1} grow aria-label="Test of the connection" aria-live="polite" aria-busy={running}>
        {steps.map((step) => (
          <Step key={step.title} {...step} />
        ))}
      </Stack>
      {problem ? <p role="alert">{problem}</p> : null}
    </Row>
  );
}

const MARKS = { running: LoaderCircle, done: CircleCheck, failed: CircleX };
const WORDS = { running: 'runs', done: 'worked', failed: 'failed' };

function Step({ title, state, detail, remedy }: ConnectionStep) {
  const Mark = MARKS[state];
  return (
    <li className={classes(styles.step, styles[`connect-step-${state}`])}>
      <Mark className="icon" role="img" aria-label={WORDS[state]} />
      <div>
        <div>{title}</div>
        {detail ? (
          <Box font="small" tone={2} breaks selectable>
            {detail}
          </Box>
        ) : null}
        {remedy ? (
          <Box font="small" tone={1} breaks selectable>
            Try this: {remedy}
          </Box>
        ) : null}
      </div>
    </li>
  );
}
