/** The traced calls as a tree, each with its arguments, its values and its duration. */
import { ChevronDown, ChevronRight, CornerDownLeft } from 'lucide-react';
import { type KeyboardEvent, useDeferredValue, useMemo, useState } from 'react';
import { hueFor } from '../../base/actors.ts';
import { useMirror } from '../../base/mirror.ts';
import { goToFunction } from '../documentation/go-to-name.ts';
import { inspectHandle } from '../../base/image/inspect.ts';
import { notify, orNotice } from '../../base/notices/notices.tsx';
import { type CallNode, type ThreadNode, type TraceLog, type TraceNode, microseconds, shownRows } from './trace-log.ts';
import { fold, foldBelow, trace, uncover, useTrace } from './trace-store.ts';
import { ValueChip } from '../inspector/value-chip.tsx';
import { ContextMenu } from '../../ui/menus/context-menu.tsx';
import { Empty } from '../../ui/panels/empty.tsx';
import { Row, Stack, Text, Truncate } from '../../ui/layout.tsx';
import { ActorMark } from '../../ui/mark.tsx';
import { Tree } from '../../ui/panels/tree.tsx';
import { callMenu } from './call-menu.ts';
import { runCommand } from '../../base/keys/command-registry.ts';
import { Button } from '../../ui/button.tsx';
import styles from './panel.module.css';

const ROW = 22;
/** The maximum depth to which calls are indented. */
const DEEPEST = 24;

export function CallTree() {
  const { log, now, follows } = useTrace((state) => state);
  const filter = useDeferredValue(useTrace((state) => state.filter));
  const { rows, found } = useMemo(() => rowsOf(log, filter, now), [log, filter, now]);
  const [active, setActive] = useState<TraceNode | null>(null);
  const [chosen, setChosen] = useState<{ id: string } | null>(null);
  const [menu, setMenu] = useState<{ row: CallNode; place: { x: number; y: number } } | null>(null);
  if (rows.length === 0 && filter.trim() === '') return <NoCalls />;
  if (rows.length === 0) return <Empty title={`No call has “${filter.trim()}” in its name, arguments or values.`} />;
  const current = active ?? rows[0]!;
  const toCaller = (node: CallNode): void => {
    uncover(node);
    setChosen({ id: node.caller.id });
    setActive(node.caller);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (current.kind !== 'call' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'F12') void orNotice(goToFunction(current.function));
    else if (event.key === 'Backspace') toCaller(current);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // Handles the keys of the rows, in addition to the tree's own keys.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <Stack grow onKeyDown={onKeyDown}>
      {filter.trim() === '' ? null : (
        <Text font="small" tone={3} className={styles.found}>
          {found.toLocaleString('en')} of {now.calls.toLocaleString('en')} calls (with their callers)
        </Text>
      )}
      <Tree<TraceNode>
        label="Traced calls"
        rows={rows}
        rowSize={ROW}
        render={(row) => (row.kind === 'thread' ? <ThreadCells row={row} /> : <CallCells row={row} />)}
        opensAll
        onOpen={(row) => {
          if (row.kind === 'call' && row === active) inspectFirst(row);
        }}
        onToggle={(row, expanded) => fold(row, !expanded)}
        onActive={(row) => {
          setActive(row);
          if (row.kind === 'call' && row !== now.newest && follows) trace.setState({ follows: false });
        }}
        onMenu={(row, place) => (row.kind === 'call' ? setMenu({ row, place }) : undefined)}
        rowClass={() => styles.row ?? ''}
        inView={follows && filter.trim() === '' ? (now.newest?.id ?? null) : null}
        chosen={chosen}
      />
      {menu ? (
        <ContextMenu
          label="Call"
          groups={callMenu(menu.row, { toCaller, foldBelow })}
          place={menu.place}
          onClose={() => setMenu(null)}
        />
      ) : null}
    </Stack>
  );
}

/**
 * Returns the rows of the log. The log is modified in place. `_now` is a new object after each change, so that the rows are computed again.
 */
function rowsOf(log: TraceLog, filter: string, _now: object): ReturnType<typeof shownRows> {
  return shownRows(log, filter);
}

/** Opens the first value of a call in the inspector, or its first argument if it has no value. */
function inspectFirst(call: CallNode): void {
  const value = [...call.values, ...call.begun.values].find(({ handle }) => handle !== null);
  if (value?.handle != null)
    inspectHandle({ handle: value.handle, title: value.text.slice(0, 120), from: call.function });
  else
    notify(
      'The arguments and values of this call are not stored: only the first 2,000 calls of your own evaluations are stored with them.',
    );
}

function indent(level: number): { paddingLeft: number } {
  return { paddingLeft: 8 + Math.min(level - 1, DEEPEST) * 14 };
}

function Fold({ row }: { row: TraceNode }) {
  if (row.expanded === null) return <span className={styles.fold} />;
  const Icon = row.expanded ? ChevronDown : ChevronRight;
  return (
    <span className={styles.fold} data-fold>
      <Icon className="icon-small" aria-hidden />
    </span>
  );
}

function ThreadCells({ row }: { row: ThreadNode }) {
  const hue = useMirror(({ clients }) => hueFor(row.actor, clients));
  return (
    <span className={styles.line} style={indent(1)}>
      <Fold row={row} />
      <ActorMark hue={hue} label={row.actor.kind === 'person' ? 'you' : row.actor.name} />
      <Text font="small-medium" tone={1}>
        {row.thread}
      </Text>{' '}
      <Truncate className="code" tone={3}>
        {row.summary}
      </Truncate>
    </span>
  );
}

function CallCells({ row }: { row: CallNode }) {
  const { begun, ended } = row;
  return (
    <span className={styles.line} style={indent(row.level)}>
      <Fold row={row} />
      <span className={`code ${styles.text}`}>
        (<Text tone={1}>{begun.function.toLowerCase()}</Text>
        {begun.values.map((value, index) => (
          // Arguments are identified by their position.
          // oxlint-disable-next-line react/no-array-index-key
          <span key={index}>
            {' '}
            <ValueChip value={{ ...value, type: null }} from={`(${begun.function} …)`} embedded />
          </span>
        ))}
        {begun.more > 0 ? ' …' : ''})
        {ended === null ? (
          <Text tone={3}> runs</Text>
        ) : ended.kind === 'unwound' ? (
          <span className={styles.left}>
            {' '}
            <CornerDownLeft className="icon-small" aria-hidden /> exited without a value
          </span>
        ) : (
          <>
            <Text tone={3}> → </Text>
            {ended.values.length === 0 ? <Text tone={3}>no values</Text> : null}
            {ended.values.map((value, index) => (
              // Values are identified by their position.
              // oxlint-disable-next-line react/no-array-index-key
              <span key={index}>
                {index > 0 ? ', ' : ''}
                <ValueChip value={{ ...value, type: null }} from={begun.function} embedded />
              </span>
            ))}
            {ended.more > 0 ? ' …' : ''}
          </>
        )}
      </span>{' '}
      <Text font="small" tone={3} className={styles.took}>
        {ended?.took == null ? '' : microseconds(ended.took)}
      </Text>
    </span>
  );
}

function NoCalls() {
  const isTraced = useTrace(({ traced }) => traced !== null && traced.length > 0);
  if (isTraced)
    return (
      <Empty title="No calls yet.">
        <p>Calls of traced functions appear here, yours and those of agents.</p>
      </Empty>
    );
  return (
    <Empty title="Nothing is traced.">
      <p>Enter the name of a function on the left, or put the editor’s caret on one. Then call it.</p>
      <Row gap={2}>
        <Button size="small" onPress={() => runCommand('trace.toggle')}>
          Trace Function at Caret
        </Button>
      </Row>
    </Empty>
  );
}
