/** The Threads panel: what each thread in the shown REPL's image is doing, and the actor that it works for. */
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
import { Row, Stack, Truncate } from '../../ui/layout.tsx';
import { classes } from '../../ui/look.ts';
import { ActorMark } from '../../ui/mark.tsx';
import type { MenuGroup } from '../../ui/menus/menu.tsx';
import { Region } from '../../ui/panels/panel.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import { ThreadBacktrace } from './thread-backtrace.tsx';
import { canEnd, type EngineRow, type ThreadRow, threadRows, workOf, workWords } from './thread-rows.ts';
import { endThread, showBacktrace, useThreads, watchThreads } from './store.ts';
import styles from './panel.module.css';

const COLUMNS: readonly Column<ThreadRow>[] = [
  { id: 'thread', title: 'Thread', least: 120, share: 2, rank: 0, cell: ({ name }) => name },
  {
    id: 'state',
    title: 'State',
    least: 64,
    most: 80,
    rank: 1,
    tone: ({ state }) => (state === 'running' ? 1 : 3),
    cell: ({ state }) => state,
  },
  { id: 'evaluation', title: 'Evaluation', least: 64, share: 4, rank: 2, cell: ({ work }) => <Work work={work} /> },
  {
    id: 'processor',
    title: 'Processor',
    least: 88,
    most: 104,
    rank: 3,
    isNumber: true,
    tone: 3,
    cell: ({ processor }) => processor,
  },
];

/** The row above the threads of the engine. */
const ENGINE = {
  is: (row: ThreadRow | EngineRow) => row.kind === 'engine',
  draw: ({ label, expanded }: EngineRow) => (
    <Row gap={1} shrink font="small" tone={2}>
      <ChevronRight className={classes('icon-small', expanded === true ? 'turned' : undefined)} aria-hidden />
      <span>{label}</span>
    </Row>
  ),
};

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
    else notify('Only running threads of your code can be ended. Interrupt the evaluation of this thread instead.');
  };
  return (
    <Row align="stretch" grow className={styles.body}>
      {/* Handles the keys of the rows, in addition to the tree's own keys. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <Stack grow onKeyDown={onKeyDown}>
        <Table<ThreadRow, string, EngineRow>
          label="Threads of the image"
          columns={COLUMNS}
          rows={rows}
          whole={ENGINE}
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

function Work({ work }: Pick<ThreadRow, 'work'>) {
  const clients = useMirror((state) => state.clients);
  if (work === null) return null;
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
