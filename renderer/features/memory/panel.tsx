/** The Memory panel: how full the heap of the shown REPL's image is, the objects in the heap, and the references that keep them alive. */
import { RefreshCw } from 'lucide-react';
import { useEffect } from 'react';
import { isDockInSight, useLayout } from '../../base/layout/layout-store.ts';
import { focusWhatCame } from '../../base/layout/regions.ts';
import { runCommand } from '../../base/keys/command-registry.ts';
import { interrupt } from '../../base/image/evaluations.ts';
import { ImageProblem, Unanswered } from '../../base/image/image-problem.tsx';
import { closeHeld, useHeld } from './held-store.ts';
import { compareWithNow, endComparison, processOf, readMemory, useMemory } from './store.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { useOfShownImage } from '../../base/image/active-repl.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/panels/empty.tsx';
import { FilterField } from '../../ui/fields/filter-field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Row, Stack, Text, Truncate } from '../../ui/layout.tsx';
import { Ring } from '../../ui/mark.tsx';
import { Region } from '../../ui/panels/panel.tsx';
import { clockTime } from '../../ui/time.ts';
import { Classes } from './classes.tsx';
import { HeldObjects } from './held-objects.tsx';
import { Usage, UsageFacts } from './usage.tsx';
import { useView, view } from './view-store.ts';
import styles from './panel.module.css';

export function Memory() {
  const of = useOfShownImage(processOf);
  const silent = useOfShownImage((image) => image?.silence != null);
  const shown = useLayout(isDockInSight);
  const isAsked = of !== null && !silent && shown;
  useEffect(() => {
    if (isAsked) void readMemory();
  }, [isAsked, of]);
  const held = useHeld();
  useEffect(() => {
    if (held && held.of !== of) closeHeld();
  }, [held, of]);
  const { report, problem, at } = useMemory();
  const isReported = report !== null;
  useEffect(() => (isReported ? focusWhatCame('Memory') : undefined), [isReported]);
  return (
    <Region name="Memory" className={styles.memory}>
      {of === null ? (
        <ImageProblem what="memory" />
      ) : (
        <>
          <Unanswered at={report === null ? null : at} />
          {report !== null ? (
            <Reported />
          ) : problem !== null ? (
            <Empty title="The image did not report its memory.">
              <p>{problem}</p>
              <Button size="small" onPress={() => void readMemory()}>
                Try again
              </Button>
            </Empty>
          ) : silent ? null : (
            <Empty title="Reading the image’s memory…" />
          )}
        </>
      )}
    </Region>
  );
}

function Reported() {
  const { report, moment, at, problem, isAsking } = useMemory();
  const held = useHeld();
  const { filter } = useView();
  if (report === null) return null;
  const compare = (): void => {
    view.setState({ order: 'moreObjects' });
    void compareWithNow();
  };
  const endCompare = (): void => {
    view.setState({ order: 'bytes' });
    endComparison();
  };
  return (
    <>
      <Row gap={3} padX={3} padY={1} fixed wrap edge="bottom" font="small" className={styles.usage}>
        <Usage report={report} />
        <Collecting />
        <UsageFacts report={report} />
      </Row>
      <Row align="stretch" grow className={styles.body}>
        <Stack grow className={styles.classes}>
          <Row gap={2} padX={3} padY={1} fixed edge="bottom" className={styles.tools}>
            <FilterField
              label="Filter classes"
              placeholder="Filter classes"
              value={filter}
              onChange={(text) => view.setState({ filter: text })}
              className={styles.filter}
            />
            {moment === null ? (
              <Button size="small" onPress={compare}>
                Compare with This Moment
              </Button>
            ) : (
              <Button size="small" onPress={endCompare}>
                End Comparison
              </Button>
            )}
            <Truncate font="small" tone={problem === null ? 3 : 'error'} role="status" title={problem ?? undefined}>
              {problem ?? `${moment === null ? '' : `Since ${clockTime(moment.at)}. `}As of ${clockTime(at)}.`}
            </Truncate>
            <Row end fixed>
              {isAsking ? <Ring /> : null}
              <IconButton label="Refresh" onPress={() => void readMemory()}>
                <RefreshCw className="icon" aria-hidden />
              </IconButton>
            </Row>
          </Row>
          <Classes report={report} moment={moment} />
        </Stack>
        {held ? <HeldObjects held={held} /> : null}
      </Row>
    </>
  );
}

/** A waiting or running collection with a button to cancel it; otherwise the buttons that start one. */
function Collecting() {
  const { collecting } = useMemory();
  const running = useOfShownImage((image) => image?.running ?? null);
  if (collecting === null)
    return (
      <Row gap={2} end fixed role="group" aria-label="Garbage collection">
        <Button size="small" onPress={() => runCommand('image.collect')}>
          Collect Garbage
        </Button>
        <Button size="small" onPress={() => runCommand('image.collectFully')}>
          Full Collection
        </Button>
      </Row>
    );
  const waitsFor = running === null || running.evaluation === collecting ? null : running.summary;
  return (
    <Row gap={2} end shrink role="group" aria-label="Garbage collection">
      <Ring />
      <Truncate tone={2} role="status">
        {waitsFor === null ? (
          'Collecting garbage…'
        ) : (
          <>
            The collection is waiting until <Text className="code">{waitsFor}</Text> has ended.
          </>
        )}
      </Truncate>
      <Button size="small" aria-label="Cancel the collection" onPress={() => void orNotice(interrupt(collecting))}>
        Cancel
      </Button>
    </Row>
  );
}
