/** The test of a connection: each step as the client would take it, and what to try where one fails. */
import { CircleCheck, CircleX, LoaderCircle } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ConnectionStep, ConnectionWay } from '#contract/connection.ts';
import { call, messageOf, on } from '../../bridge.ts';
import { Button } from '../../ui/button.tsx';

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
    <div className="connect-test">
      <div>
        <Button isDisabled={running} onPress={() => void run()}>
          {running ? 'Testing…' : 'Test connection'}
        </Button>
      </div>
      <ul className="connect-steps" aria-label="Test of the connection" aria-live="polite" aria-busy={running}>
        {steps.map((step) => (
          <Step key={step.title} {...step} />
        ))}
      </ul>
      {problem ? <p role="alert">{problem}</p> : null}
    </div>
  );
}

const MARKS = { running: LoaderCircle, done: CircleCheck, failed: CircleX };
const WORDS = { running: 'runs', done: 'worked', failed: 'failed' };

function Step({ title, state, detail, remedy }: ConnectionStep) {
  const Mark = MARKS[state];
  return (
    <li className={`connect-step connect-step-${state}`}>
      <Mark className="icon" role="img" aria-label={WORDS[state]} />
      <div>
        <div>{title}</div>
        {detail ? <div className="connect-detail">{detail}</div> : null}
        {remedy ? <div className="connect-remedy">Try this: {remedy}</div> : null}
      </div>
    </li>
  );
}
