/** The tests of a system: how far they are, how they went, and each that failed. */
import { Check, CircleX } from 'lucide-react';
import type { TestOutcome } from '#contract/system.ts';
import { revealSource } from '../../editor/reveal-source.ts';
import { orNotice } from '../../layout/notices.tsx';
import { Button } from '../../ui/button.tsx';
import { Ring } from '../../ui/mark.tsx';
import { RunOutput } from './loads.tsx';
import { CancelRun, RunProgress } from './progress.tsx';
import { isRunning, type Run } from './runs-store.ts';
import { testWords } from './words.ts';

export function Tests({ system, run }: { system: string; run: Run<TestOutcome> }) {
  const { result, problem, evaluation } = run;
  return (
    <div className="system-tests" role="group" aria-label="Tests">
      {isRunning(run) ? (
        <>
          <p className="system-waits">
            <Ring />
            <span>Testing</span>
            <CancelRun evaluation={evaluation} label={`Cancel testing ${system}`} />
          </p>
          <RunProgress evaluation={evaluation} label={`Progress of testing ${system}`} />
        </>
      ) : (
        <p className="system-problem">
          {result?.success && result.hasTests ? (
            <Check className="icon-small system-loaded" aria-hidden />
          ) : (
            <CircleX className="icon-small error-mark" aria-hidden />
          )}
          <span>{result ? testWords(result) : problem}</span>
        </p>
      )}
      {result && result.failures.length > 0 ? <Failures failures={result.failures} /> : null}
      <RunOutput evaluation={evaluation} label={`Output of testing ${system}`} />
    </div>
  );
}

function Failures({ failures }: Pick<TestOutcome, 'failures'>) {
  return (
    <ul className="system-failures" aria-label="Failures">
      {failures.map(({ test, reason, source }, index) => (
        // A test may fail more than once, for the same reason even.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>
          {source ? (
            <Button kind="link" onPress={() => void orNotice(revealSource(source))}>
              {test}
            </Button>
          ) : (
            <span className="code">{test}</span>
          )}
          <p className="system-reason">{reason}</p>
        </li>
      ))}
    </ul>
  );
}
