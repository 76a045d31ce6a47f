/** The panel Threads: what each thread of the shown REPL's image is doing, and for whom. */
import { ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useState } from 'react';
import { hueFor } from '../../base/actors.ts';
import { isDockInSight, useLayout } from '../../base/layout/layout-store.ts';
import { focusWhatCame } from '../../base/layout/regions.ts';
import { mirror, useMirror } from '../../base/mirror.ts';
import { interrupt } from '../../base/image/evaluations.ts';
import { ImageProblem, Unanswered } from '../../base/image/image-problem.tsx';
import { notify, orNotice } from '../../base/notices/notices.tsx';
import { useOfShownImage, useShownImage, useShownRepl } from '../../base/image/active-repl.ts';
import { call } from '../../base/bridge.ts';
import { ContextMenu } from '../../ui/menus/context-menu.tsx';
import { Empty } from '../../ui/panels/empty.tsx';
import { Row, Stack, Text, Truncate } from '../../ui/layout.tsx';
import { classes } from '../../ui/look.ts';
import { ActorMark } from '../../ui/mark.tsx';
import type { MenuGroup } from '../../ui/menus/menu.tsx';
import { Region } from '../../ui/panels/panel.tsx';
import { Tree } from '../../ui/panels/tree.tsx';
import { ThreadBacktrace } from './thread-backtrace.tsx';
import { canEnd, type EngineRow, type ThreadRow, threadRows, workOf, workWords } from './thread-rows.ts';
import { endThread, showBacktrace, useThreads, watchThreads } from './store.ts';
import styles from './panel.module.css';

const ROW = 22;

export function Threads() {
  const repl = useShownRepl().id;
  const of = useOfShownImage((image) => (image === null || image.pid === null ? null : `${image.id} ${image.pid}`));
  const silent = useOfShownImage((image) => image?.silence != null);
  const shown = useLayout(isDockInSight);
  const isWatched = of !== null && !silent && shown;
  useEffect(() => (isWatched ? watchThreads(repl, of) : undefined), [isWatched, repl, of]);
  const { threads, problem, at } = useThreads();
  const isListed = threads !== null;
  useEffect(() => (isListed ? focusWhatCame('Threads') : undefined), [isListed]);
  return (
    <Region name="Threads" className={styles.threads}>
      {of === null ? (
        <ImageProblem what="threads" />
      ) : (
        <>
          <Unanswered at={threads === null ? null : at} />
          {threads !== null ? (
            <ListedThreads repl={repl} />
          ) : problem !== null ? (
            <Empty title="The threads could not be listed.">
              <p>{problem}</p>
            </Empty>
          ) : (
            <Empty title="Asking the image for its threads…" />
          )}
        </>
      )}
    </Region>
  );
}

function ListedThreads({ repl }: { repl: string }) {
  const { threads, shares, backtrace } = useThreads();
  const image = useShownImage();
  const [opened, setOpened] = useState(false);
  const [active, setActive] = useState<string | null>(null);
  const [menu, setMenu] = useState<{ row: ThreadRow; place: { x: number; y: number } } | null>(null);
  const { running = null, overtaken = null, suspended } = image ?? {};
  const rows = useMemo(() => {
    const { events } = mirror.getState().activity;
    const workFor = (evaluation: string) =>
      workOf(evaluation, { running, overtaken, suspended: suspended ?? [] }, events);
    return threadRows(threads ?? [], { shares, opened, workFor });
  }, [threads, shares, opened, running, overtaken, suspended]);
  const current = rows.find(({ id }) => id === active) ?? rows[0];
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Delete' || current?.kind !== 'thread') return;
    event.preventDefault();
    if (canEnd(current.thread)) void orNotice(endThread(repl, current));
    else notify('This thread is not one of code. Interrupt the evaluation that runs in it instead.');
  };
  return (
    <Row align="stretch" grow className={styles.body}>
      {/* The keys of the rows, beside those that the tree has. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <Stack grow onKeyDown={onKeyDown}>
        <Row fixed padX={3} font="small" tone={3} edge="bottom" className={styles.head} aria-hidden>
          <span className={styles.columns}>
            <span>Thread</span>
            <span>State</span>
            <span>Evaluation</span>
            <span>Processor</span>
          </span>
        </Row>
        <Tree<ThreadRow | EngineRow>
          label="Threads of the image"
          rows={rows}
          rowSize={ROW}
          render={(row) => <Cells row={row} />}
          rowClass={(row) => styles[`level-${row.level}`] ?? ''}
          hint={(row) => (row.kind === 'thread' && row.work ? workWords(row.work) : undefined)}
          onActive={(row) => setActive(row.id)}
          onOpen={(row) => (row.kind === 'thread' ? void showBacktrace(repl, row) : undefined)}
          onToggle={(_row, expanded) => setOpened(expanded)}
          onMenu={(row, place) => (row.kind === 'thread' ? setMenu({ row, place }) : undefined)}
        />
      </Stack>
      {backtrace ? <ThreadBacktrace repl={repl} backtrace={backtrace} /> : null}
      {menu ? (
        <ContextMenu
          label={menu.row.name}
          groups={menuOf(repl, menu.row)}
          place={menu.place}
          onClose={() => setMenu(null)}
        />
      ) : null}
    </Row>
  );
}

function menuOf(repl: string, row: ThreadRow): MenuGroup[] {
  const { work, thread, name } = row;
  const ofEvaluation = work !== null && work.state !== 'ended' ? work.evaluation : null;
  return [
    {
      id: 'look',
      entries: [
        {
          id: 'backtrace',
          title: 'Show Backtrace',
          disabled: thread.id === null,
          run: () => void showBacktrace(repl, row),
        },
        { id: 'copy', title: 'Copy Name', run: () => void orNotice(call('app.copy', { text: name })) },
      ],
    },
    {
      id: 'end',
      entries: [
        {
          id: 'interrupt',
          title: 'Interrupt Evaluation',
          disabled: ofEvaluation === null,
          run: () => (ofEvaluation === null ? undefined : void orNotice(interrupt(ofEvaluation))),
        },
        {
          id: 'end',
          title: 'End Thread…',
          keys: 'Delete',
          disabled: !canEnd(thread),
          run: () => void orNotice(endThread(repl, row)),
        },
      ],
    },
  ];
}

function Cells({ row }: { row: ThreadRow | EngineRow }) {
  if (row.kind === 'engine')
    return (
      <Row gap={1} shrink font="small" tone={2}>
        <ChevronRight className={classes('icon-small', row.expanded === true ? 'turned' : undefined)} aria-hidden />
        <span>{row.label}</span>
      </Row>
    );
  const { name, state, work, processor } = row;
  return (
    <span className={styles.columns}>
      <Truncate tone={1}>{name}</Truncate>{' '}
      <Text font="small" tone={state === 'running' ? 1 : 3}>
        {state}
      </Text>{' '}
      <Work work={work} />{' '}
      <Text font="small" tone={3} lines="one">
        {processor}
      </Text>
    </span>
  );
}

function Work({ work }: Pick<ThreadRow, 'work'>) {
  const clients = useMirror((state) => state.clients);
  if (work === null) return <span />;
  const { actor, code, state } = work;
  return (
    <Row as="span" gap="mark" shrink>
      <ActorMark hue={hueFor(actor, clients)} />
      <Truncate font="small" tone={state === 'ended' ? 3 : 2} className="code">
        {code}
      </Truncate>
    </Row>
  );
}
