/** The tests of a system: their progress, their results, and each failure. */
import { Check, CircleX } from 'lucide-react';
import type { TestOutcome } from '#contract/image/system.ts';
import { revealSource } from '../../editor/monaco/reveal-source.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { Button } from '../../ui/button.tsx';
import { Ring } from '../../ui/mark.tsx';
import { RunOutput } from './loads.tsx';
import { CancelRun, RunProgress } from './progress.tsx';
import { isRunning, type Run } from './runs-store.ts';
import { testWords } from './descriptions.ts';
import { Row, Stack, Text } from '../../ui/layout.tsx';
import { look } from '../../ui/look.ts';
import styles from './panel.module.css';

export function Tests({ system, run }: { system: string; run: Run<TestOutcome> }) {
  const { result, problem, evaluation } = run;
  return (
    <Stack gap={2} role="group" aria-label="Tests">
      {isRunning(run) ? (
        <>
          <Row as="p" gap="mark" tone={3} breaks className={styles.waits}>
            <Ring />
            <span>Testing</span>
            <CancelRun evaluation={evaluation} label={`Cancel testing ${system}`} />
          </Row>
          <RunProgress evaluation={evaluation} label={`Progress of testing ${system}`} />
        </>
      ) : (
        <Row as="p" align="start" gap="mark" breaks className={styles.problem}>
          {result?.success && result.hasTests ? (
            <Check className={look({ tone: 'success' }, 'icon-small')} aria-hidden />
          ) : (
            <CircleX className="icon-small error-mark" aria-hidden />
          )}
          <span>{result ? testWords(result) : problem}</span>
        </Row>
      )}
      {result && result.failures.length > 0 ? <Failures failures={result.failures} /> : null}
      <RunOutput evaluation={evaluation} label={`Output of testing ${system}`} />
    </Stack>
  );
}

function Failures({ failures }: Pick<TestOutcome, 'failures'>) {
  return (
    <Stack as="ul" gap={2} aria-label="Failures">
      {failures.map(({ test, reason, source }, index) => (
        // A test may fail more than once, even for the same reason.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>
          {source ? (
            <Button kind="link" onPress={() => void orNotice(revealSource(source))}>
              {test}
            </Button>
          ) : (
            <span className="code">{test}</span>
          )}
          <Text as="p" tone={2} breaks lines="wrap">
            {reason}
          </Text>
        </li>
      ))}
    </Stack>
  );
}
