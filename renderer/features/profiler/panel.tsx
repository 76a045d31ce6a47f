/** The Profiler panel: where a run spends its time or its memory. */
import { useEffect, useMemo } from 'react';
import { plural } from '#contract/text/text.ts';
import type { ProfileMode, ProfileResult } from '#contract/image/observation/profiling.ts';
import { runCommand } from '../../base/keys/command-registry.ts';
import { interrupt } from '../../base/image/evaluations.ts';
import { ImageProblem } from '../../base/image/image-problem.tsx';
import { orNotice } from '../../base/notices/notices.tsx';
import { ALL_THREADS, chooseMode, refreshSampling, useProfile } from './store.ts';
import { useOfShownImage } from '../../base/image/active-repl.ts';
import { milliseconds } from '../../base/image/result-text.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/fields/choice.tsx';
import { Empty } from '../../ui/panels/empty.tsx';
import { FilterField } from '../../ui/fields/filter-field.tsx';
import { Row, Text, Truncate } from '../../ui/layout.tsx';
import { Ring } from '../../ui/mark.tsx';
import { useSeconds } from '../../ui/now.ts';
import { Region } from '../../ui/panels/panel.tsx';
import { elapsed } from '../../ui/time.ts';
import { flameOf, found, share } from './flame.ts';
import { FlameGraph } from './flame-graph.tsx';
import { FunctionTable } from './function-table.tsx';
import { useView, view } from './view-store.ts';
import styles from './panel.module.css';

const MODES: readonly { value: ProfileMode; title: string }[] = [
  { value: 'cpu', title: 'CPU time' },
  { value: 'alloc', title: 'Allocation' },
  { value: 'time', title: 'Elapsed' },
];

export function Profiler() {
  const isUp = useOfShownImage((image) => image !== null && image.pid !== null);
  const image = useOfShownImage((each) => (each === null || each.pid === null ? null : `${each.id} ${each.pid}`));
  const { running, last, problem } = useProfile();
  useEffect(() => void refreshSampling(), [image]);
  return (
    <Region name="Profiler" className={styles.profiler}>
      {running !== null ? (
        <Running />
      ) : !isUp && last === null ? (
        <ImageProblem what="profiles" />
      ) : (
        <>
          <Sampling />
          <Tools />
          {problem !== null ? (
            <Empty title="No profile was recorded.">
              <Text as="p" breaks>
                {problem}
              </Text>
            </Empty>
          ) : last === null ? (
            <NoneYet />
          ) : last.result.samples === 0 ? (
            <Empty title="Too short for a sample.">
              {last.code === ALL_THREADS ? (
                <p>No code ran in the {milliseconds(last.result.elapsedMs)}. Run code between Start and Stop.</p>
              ) : (
                <p>
                  The code ran in {milliseconds(last.result.elapsedMs)}. Profile a longer run, for example the same code
                  in a loop.
                </p>
              )}
            </Empty>
          ) : (
            <Shown key={last.at} result={last.result} />
          )}
        </>
      )}
    </Region>
  );
}

function NoneYet() {
  return (
    <Empty title="No profile yet.">
      <p>
        Profile the form at the caret of the editor, or your last form in the REPL, to see where it spends time. Start
        samples all threads, yours and those of agents, until Stop.
      </p>
      <Row gap={2} wrap>
        <Button size="small" onPress={() => runCommand('evaluate.profile')}>
          Profile Form
        </Button>
        <Button size="small" onPress={() => runCommand('evaluate.profileLastInput')}>
          Profile Last Input
        </Button>
      </Row>
    </Empty>
  );
}

/** The row of controls above a profile, with the facts of the run. */
function Tools() {
  const { mode, last, problem, problemOf, sampling } = useProfile();
  const { as } = useView();
  const shown = problem === null && last !== null && last.result.samples > 0 ? last : null;
  const of = problemOf ?? last;
  return (
    <Row fixed wrap gap={2} padX={3} padY={1} edge="bottom" font="small" className={styles.tools}>
      <Choice label="Measure" hidesLabel value={mode} options={MODES} onChange={chooseMode} />
      {sampling === null ? (
        <Button size="small" onPress={() => runCommand('evaluate.profileStart')}>
          Start
        </Button>
      ) : null}
      {of === null || of.code === ALL_THREADS ? null : (
        <Button size="small" onPress={() => runCommand('evaluate.profileAgain')}>
          Profile Again
        </Button>
      )}
      {shown === null ? null : (
        <>
          <Choice
            label="Shown as"
            hidesLabel
            value={as}
            options={[
              { value: 'flame', title: 'Flame Graph' },
              { value: 'table', title: 'Table' },
            ]}
            onChange={(next) => view.setState({ as: next })}
          />
          <Search result={shown.result} />
          <Truncate grow tone={3} title={shown.code} className={styles.facts}>
            {factsOf(shown.result, shown.mode)}: <Text className="code">{shown.code.replaceAll(/\s+/g, ' ')}</Text>
          </Truncate>
        </>
      )}
    </Row>
  );
}

function factsOf({ samples, elapsedMs, other }: ProfileResult, mode: ProfileMode): string {
  const title = MODES.find(({ value }) => value === mode)?.title ?? mode;
  const rare = other === 0 ? '' : `, ${other.toLocaleString('en')} in rare stacks (not shown)`;
  return `${title}, ${plural(samples, 'sample')} in ${milliseconds(elapsedMs)}${rare}`;
}

function Search({ result }: { result: ProfileResult }) {
  const { as, filter } = useView();
  const root = useMemo(() => flameOf(result.stacks), [result]);
  const { nodes, samples } = useMemo(() => found(root, filter), [root, filter]);
  const count =
    filter.trim() === '' || as === 'table' ? undefined : `${nodes.length} · ${share(samples, result.samples)}`;
  return (
    <FilterField
      label={as === 'flame' ? 'Highlight functions' : 'Filter functions'}
      placeholder={as === 'flame' ? 'Highlight' : 'Filter'}
      className={styles.filter}
      value={filter}
      onChange={(text) => view.setState({ filter: text })}
      {...(count === undefined ? {} : { count })}
    />
  );
}

function Shown({ result }: { result: ProfileResult }) {
  const { as } = useView();
  return as === 'flame' ? <FlameGraph result={result} /> : <FunctionTable result={result} />;
}

/** A message that all threads are being sampled, with a button to stop it. */
function Sampling() {
  const { sampling } = useProfile();
  const now = useSeconds(sampling !== null);
  if (sampling === null) return null;
  return (
    <Row gap={2} padX={3} padY={1} fixed font="small" edge="bottom">
      <Ring />
      <Truncate grow tone={2} role="status">
        Sampling all threads: run the slow code now, yourself or with an agent
      </Truncate>
      <Text tone={3} fixed>
        {elapsed(Math.max(0, now - sampling.since))}
      </Text>
      <Button size="small" aria-label="Stop the profile" onPress={() => runCommand('evaluate.profileStop')}>
        Stop
      </Button>
    </Row>
  );
}

/** A waiting or running profile, with a button to cancel it. */
function Running() {
  const { running } = useProfile();
  const now = useSeconds(running !== null);
  const other = useOfShownImage((image) => image?.running ?? null);
  if (running === null) return null;
  const waitsFor = other === null || other.evaluation === running.evaluation ? null : other.summary;
  return (
    <Row gap={2} padX={3} padY={2} fixed font="small">
      <Ring />
      <Truncate shrink tone={2}>
        <span role="status">{waitsFor === null ? 'Profiling' : 'The profile is waiting for the end of'}</span>{' '}
        <Text className="code">{(waitsFor ?? running.code).replaceAll(/\s+/g, ' ')}</Text>
      </Truncate>
      <Text tone={3} fixed>
        {elapsed(now - running.since)}
      </Text>
      <Button size="small" aria-label="Cancel the profile" onPress={() => void orNotice(interrupt(running.evaluation))}>
        Cancel
      </Button>
    </Row>
  );
}
