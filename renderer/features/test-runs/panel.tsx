/**
 * The Tests panel: all tests of the shared image as a tree of packages and suites with their outcomes, and the result of the selected test.
 */
import { Bug, ChevronRight, ListRestart, Play, SquarePlay, Square } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useState } from 'react';
import { plural } from '#contract/text/text.ts';
import { useMirror } from '../../base/mirror.ts';
import { focusRegion, focusWhatCame } from '../../base/layout/regions.ts';
import { revealTest } from './test-source.ts';
import { commandKeys, runCommand } from '../../base/keys/command-registry.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { isFailure } from './outcomes.ts';
import { runTests, stateOf, stopTests, useTests } from './store.ts';
import { Choice } from '../../ui/fields/choice.tsx';
import { ContextMenu } from '../../ui/menus/context-menu.tsx';
import { Empty } from '../../ui/panels/empty.tsx';
import { FilterField } from '../../ui/fields/filter-field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Row, Stack, Truncate } from '../../ui/layout.tsx';
import { classes } from '../../ui/look.ts';
import { Panel } from '../../ui/panels/panel.tsx';
import { Tree } from '../../ui/panels/tree.tsx';
import { Detail } from './detail.tsx';
import { testRows, type TestRow } from './test-rows.ts';
import { NoTests } from './no-tests.tsx';
import { StateIcon } from './state-icon.tsx';
import styles from './panel.module.css';
import { useView, view } from './view-store.ts';

const ROW = 22;
/** The deepest level that is indented. */
const DEEPEST = 5;

export function Tests() {
  const { tests, results, run, pid, problem } = useTests((state) => state);
  const { filter, failedOnly, folded, selected } = useView();
  const [menu, setMenu] = useState<{ row: TestRow; place: { x: number; y: number } } | null>(null);
  const rows = useMemo(
    () => testRows(tests, { filter, failedOnly, folded, results, stateOf: (id) => stateOf(id, { results, run }) }),
    [tests, filter, failedOnly, folded, results, run],
  );
  const starting = useMirror(({ session }) => session.pid !== null && session.pid !== pid);
  const current = rows.find(({ id }) => id === selected) ?? null;
  const hasTests = tests.length > 0;
  useEffect(() => (hasTests ? focusWhatCame('Tests') : undefined), [hasTests]);
  const runRow = (row: TestRow | null, debug = false): void => {
    if (row) void orNotice(runTests(row.ids, { title: `test ${row.title}`, debug }));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || !current) return;
    if (event.key === 'v' && hasForm(current)) void orNotice(revealTest(current.test!));
    else if (event.key === 'Enter' || event.key === 'r') runRow(current);
    else if (event.key === 'd') runRow(current, true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <Panel name="Tests" actions={<Actions current={current} runRow={runRow} />}>
      {!hasTests ? (
        <NoTests isAsking={starting && problem === null} />
      ) : (
        <>
          <FilterField
            label="Tests filter"
            value={filter}
            onChange={(text) => view.setState({ filter: text })}
            onEnter={() => view.setState({ selected: rows[0]?.id ?? null })}
          />
          <Row gap={2} padX={3} padY={1} fixed wrap className={styles.tools}>
            <Choice
              label="Show"
              hidesLabel
              value={failedOnly ? 'failed' : 'all'}
              options={[
                { value: 'all', title: 'All' },
                { value: 'failed', title: 'Failed' },
              ]}
              onChange={(value) => view.setState({ failedOnly: value === 'failed' })}
            />
            <Counts />
          </Row>
          {rows.length === 0 ? (
            <Empty title={failedOnly && filter === '' ? 'No test has failed.' : 'No test matches.'}>
              <p>{failedOnly ? 'Tests that have not run are under All.' : 'Change the filter to see the others.'}</p>
            </Empty>
          ) : (
            // Handles keys in addition to the tree's own keys.
            // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
            <Stack grow onKeyDownCapture={onKeyDown}>
              <Tree<TestRow>
                label="Tests of the image"
                rows={rows}
                rowSize={ROW}
                opensAll
                render={(row) => <Cells row={row} />}
                rowClass={({ level }) => styles[`level-${Math.min(level, DEEPEST)}`] ?? ''}
                hint={({ test }) => (test ? test.id.replace(/^\S+ /, '').toLowerCase() : undefined)}
                onActive={({ id }) => view.setState({ selected: id })}
                onOpen={({ id }) => view.setState({ selected: id })}
                onToggle={({ id }, expanded) => fold(id, !expanded)}
                onMenu={(row, place) => setMenu({ row, place })}
              />
            </Stack>
          )}
          {current?.test && !current.test.suite ? (
            <Detail
              key={current.id}
              test={current.test}
              state={current.expanded === null ? current.state : stateOf(current.test.id, { results, run })}
              result={results.get(current.test.id)}
            />
          ) : null}
        </>
      )}
      {menu ? (
        <ContextMenu
          label={menu.row.title}
          place={menu.place}
          onClose={() => setMenu(null)}
          groups={[
            {
              id: 'run',
              entries: [
                { id: 'run', title: 'Run', keys: 'Enter', run: () => runRow(menu.row) },
                { id: 'debug', title: 'Debug', keys: 'D', run: () => runRow(menu.row, true) },
              ],
            },
            {
              id: 'source',
              entries: [
                {
                  id: 'source',
                  title: 'Go to Source',
                  keys: 'V',
                  disabled: !hasForm(menu.row),
                  run: () => void orNotice(revealTest(menu.row.test!)),
                },
              ],
            },
          ]}
        />
      ) : null}
    </Panel>
  );
}

/** True for the row of a test that is defined by a form; false for a suite, a package or a system. */
function hasForm({ test }: TestRow): boolean {
  return test !== null && !test.suite && test.framework !== 'asdf';
}

function fold(id: string, folds: boolean): void {
  const folded = new Set(view.getState().folded);
  if (folds) folded.add(id);
  else folded.delete(id);
  view.setState({ folded });
}

interface ActionsProps {
  readonly current: TestRow | null;
  readonly runRow: (row: TestRow | null, debug?: boolean) => void;
}

/** Wraps an action that removes or disables its own button, so that the focus moves to the tree. */
function inTree(action: () => void): () => void {
  return () => {
    action();
    focusRegion('Tests');
  };
}

function Actions({ current, runRow }: ActionsProps) {
  const isRunning = useTests(({ run }) => run !== null);
  const hasTests = useTests(({ tests }) => tests.length > 0);
  const hasFailed = useTests(({ results }) => [...results.values()].some(({ outcome }) => isFailure(outcome)));
  if (isRunning)
    return (
      <IconButton
        label="Stop the tests"
        keys={commandKeys('test.stop')}
        onPress={inTree(() => void orNotice(stopTests()))}
      >
        <Square className="icon" aria-hidden />
      </IconButton>
    );
  return (
    <Row gap={1}>
      <IconButton
        label="Debug the selected tests"
        isDisabled={current === null || current.ids.length === 0}
        onPress={inTree(() => runRow(current, true))}
      >
        <Bug className="icon" aria-hidden />
      </IconButton>
      <IconButton
        label="Run failed tests again"
        keys={commandKeys('test.failed')}
        isDisabled={!hasFailed}
        onPress={inTree(() => runCommand('test.failed'))}
      >
        <ListRestart className="icon" aria-hidden />
      </IconButton>
      <IconButton
        label="Run the selected tests"
        isDisabled={current === null || current.ids.length === 0}
        onPress={inTree(() => runRow(current))}
      >
        <Play className="icon" aria-hidden />
      </IconButton>
      <IconButton
        label="Run all tests"
        keys={commandKeys('test.all')}
        isDisabled={!hasTests}
        onPress={inTree(() => runCommand('test.all'))}
      >
        <SquarePlay className="icon" aria-hidden />
      </IconButton>
    </Row>
  );
}

/** The progress of a run, or the numbers of passed and failed tests of the last run. */
function Counts() {
  const { tests, results, run, more } = useTests((state) => state);
  const listed = new Set(tests.filter(({ framework }) => framework !== 'asdf').map(({ id }) => id));
  const outcomes = [...results.values()].filter(({ test }) => listed.has(test)).map(({ outcome }) => outcome);
  const failed = outcomes.filter(isFailure).length;
  const passed = outcomes.filter((outcome) => outcome === 'passed').length;
  const total = tests.filter(({ suite, framework }) => !suite && framework !== 'asdf').length;
  const words = run
    ? run.current === null
      ? 'Waiting for its turn'
      : `Running, ${run.ended.size} of ${run.ids.size}`
    : outcomes.length === 0
      ? `${plural(total, 'test')}, none run`
      : `${passed} of ${total} passed${failed === 0 ? '' : `, ${failed} failed`}`;
  return (
    <Truncate font="small" tone={2} role="status" title={words}>
      {words}
      {more === 0 ? '' : `, ${more.toLocaleString('en')} not shown`}
    </Truncate>
  );
}

function Cells({ row: { title, state, stale, note, expanded, test } }: { row: TestRow }) {
  const isCode = test !== null;
  return (
    <Row gap="mark" grow shrink className={stale ? styles.stale : undefined}>
      {expanded === null ? (
        <span className={styles.leaf} />
      ) : (
        <ChevronRight className={classes('icon-small', expanded ? 'turned' : undefined)} aria-hidden data-fold />
      )}
      <StateIcon state={state} />
      <Truncate className={isCode ? 'code' : undefined} tone={1} shrink>
        {title}
      </Truncate>{' '}
      <Truncate font="small" tone={3} end>
        {note}
      </Truncate>
    </Row>
  );
}
