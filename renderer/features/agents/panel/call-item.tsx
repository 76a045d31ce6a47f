/** A tool call: its rows from the activity, or the agent's own report if the workbench has no row for it. */
import { Check, CircleHelp, CircleX } from 'lucide-react';
import { type KeyboardEvent, useId, useState } from 'react';
import type { AgentItem } from '#contract/clients/hosted-agent.ts';
import { useHue } from '../../../base/actors.ts';
import { fileName } from '../../../base/text/paths.ts';
import { LongText } from '../../../editor/groups/long-text.tsx';
import { revealSource } from '../../../editor/monaco/reveal-source.ts';
import { useCallRows } from '../../activity/call-rows.ts';
import { RowDetails } from '../../activity/row-details.tsx';
import type { ActivityRow } from '../../activity/row-model.ts';
import { ActivityRowView } from '../../activity/row.tsx';
import { orNotice } from '../../../base/notices/notices.tsx';
import { Button } from '../../../ui/button.tsx';
import { Box, Row, Stack, Text, Truncate } from '../../../ui/layout.tsx';
import { classes } from '../../../ui/look.ts';
import { Ring } from '../../../ui/mark.tsx';
import { Cut, Folded, type Unfolding } from './folded.tsx';
import { WaitsForYou } from './waits-for-you.tsx';
import styles from './agent.module.css';

type Call = Extract<AgentItem, { kind: 'call' }>;

export function CallItem({ item, ...unfolding }: Unfolding & { readonly item: Call }) {
  const rows = useCallRows(item.call ?? '');
  return rows.length > 0 ? <Known item={item} rows={rows} {...unfolding} /> : <Told item={item} {...unfolding} />;
}

/** The maximum number of rows that are drawn for one call; the Activity panel has all of them. */
const MOST_ROWS = 40;

function Known({ item, rows, opened, onToggle }: Unfolding & { item: Call; rows: readonly ActivityRow[] }) {
  const prefix = useId();
  const [selectedId, setSelectedId] = useState(rows[0]!.id);
  const hue = useHue(rows[0]!.actor);
  const folded = (row: ActivityRow): boolean => opened.has(`${item.seq} fold ${row.id}`);
  const details = `${item.seq} details`;
  const isOpen = opened.has(details);
  const all = shownOf(rows, folded);
  const shown = all.slice(0, MOST_ROWS);
  const selected = Math.max(
    0,
    shown.findIndex(({ id }) => id === selectedId),
  );
  const row = shown[selected]!;
  const fold = (each: ActivityRow): void => onToggle(`${item.seq} fold ${each.id}`);
  const go = (to: number): void => setSelectedId(shown[Math.max(0, Math.min(to, shown.length - 1))]!.id);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return;
    const canFold = row.children > 0;
    const steps: Record<string, (() => void) | undefined> = {
      ArrowDown: selected < shown.length - 1 ? () => go(selected + 1) : undefined,
      ArrowUp: selected > 0 ? () => go(selected - 1) : undefined,
      ArrowRight: canFold && folded(row) ? () => fold(row) : undefined,
      ArrowLeft: canFold && !folded(row) ? () => fold(row) : undefined,
      Enter: () => onToggle(details),
      ' ': () => onToggle(details),
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    step();
  };
  return (
    <Box className={styles.call}>
      <Box
        role="treegrid"
        aria-label={`Call of ${rows[0]!.subject}`}
        aria-rowcount={rows.length}
        aria-activedescendant={`${prefix}${row.id}`}
        tabIndex={0}
        className={styles.rows}
        onKeyDown={onKeyDown}
      >
        {shown.map((each, index) => (
          <ActivityRowView
            key={each.id}
            id={`${prefix}${each.id}`}
            row={each}
            index={index}
            folded={folded(each)}
            selected={isOpen && index === selected}
            hue={hue}
            onFold={fold}
            onSelect={({ id }) => {
              if (!isOpen || id === row.id) onToggle(details);
              setSelectedId(id);
            }}
          />
        ))}
      </Box>
      {/* The message is below the grid, because the grid's rows have no room for the message and are a single tab stop. */}
      {rows.some(waits) ? (
        <Box padX={2}>
          <WaitsForYou words="This call is waiting for you." />
        </Box>
      ) : null}
      {all.length > shown.length ? (
        <Text as="p" padX={2} font="small" tone={3}>
          {(all.length - shown.length).toLocaleString('en')} more in Activity
        </Text>
      ) : null}
      {isOpen ? (
        <Box className={styles.details}>
          <RowDetails
            key={row.id}
            row={row}
            within={rows.find(({ id }) => id === row.parent) ?? null}
            onSelect={({ id }) => setSelectedId(id)}
          />
        </Box>
      ) : null}
    </Box>
  );
}

/** True for an undecided approval request, either for the call or for an effect of its code. */
function waits({ kind, outcome }: ActivityRow): boolean {
  return kind === 'approval' && outcome === 'waiting';
}

/** Returns the rows that are not inside folded rows. */
function shownOf(rows: readonly ActivityRow[], folded: (row: ActivityRow) => boolean): ActivityRow[] {
  const hidden = new Set<string>();
  return rows.filter((row, index) => {
    const isHidden = index > 0 && row.parent !== null && hidden.has(row.parent);
    if (isHidden || folded(row)) hidden.add(row.id);
    return !isHidden;
  });
}

const STATUSES = { pending: 'is to come', running: 'runs', done: 'done', failed: 'failed' };

function Told({ item, opened, onToggle }: Unfolding & { item: Call }) {
  const { seq, title, status, tool, call, input, output, files } = item;
  const hasMore = input.text !== '' || output.text !== '' || files.length > 0;
  const name = (
    <Truncate tone={1} className={tool === null ? undefined : 'code'}>
      {tool ?? (title === '' ? 'A tool' : title)}
    </Truncate>
  );
  const words = (
    <Text fixed font="small" tone={3}>
      {STATUSES[status]}
    </Text>
  );
  return (
    <Stack className={classes(styles.call, styles.told)} padX={2} padY={1}>
      <Row gap="mark" shrink>
        <StatusMark status={status} tool={tool} call={call} />
        {hasMore ? (
          <Folded
            title={name}
            isOpen={opened.has(`${seq} told`)}
            onToggle={() => onToggle(`${seq} told`)}
            beside={words}
          />
        ) : (
          <>
            {name}
            {words}
          </>
        )}
      </Row>
      <Text as="p" font="small" tone={3}>
        {storyOf(item)}
      </Text>
      {opened.has(`${seq} told`) ? (
        <Stack gap={1}>
          {files.length === 0 ? null : (
            <Row as="ul" wrap gap={2} aria-label="Files">
              {files.map(({ path, line }, index) => (
                // A file can only be identified by its position, because the same file may occur twice, so the index is its key.
                // oxlint-disable-next-line react/no-array-index-key
                <li key={index}>
                  <Button
                    kind="link"
                    size="small"
                    onPress={() => void orNotice(revealSource({ file: path, line, offset: null }))}
                  >
                    {fileName(path)}
                    {line === null ? '' : `:${line}`}
                  </Button>
                </li>
              ))}
            </Row>
          )}
          <Part title="Input" of={title} {...input} />
          <Part title="Output" of={title} {...output} />
        </Stack>
      ) : null}
    </Stack>
  );
}

/** Returns the workbench's own description of a call without a row. */
function storyOf({ tool, status, call }: Call): string {
  if (tool === null) return 'Reported by the agent: this is one of its own tools, which the workbench cannot observe.';
  // The activity may not contain the call, because it is empty at each start of the program and stores only a limited number of events.
  if (call !== null)
    return 'The workbench received this call, but its row is no longer in Activity. These details are reported by the agent.';
  return status === 'pending' || status === 'running'
    ? 'Reported by the agent: the workbench has not received this call yet.'
    : 'Reported by the agent: the workbench did not receive this call.';
}

/** Draws the status of a call. Only a call that the workbench received gets the success mark. */
function StatusMark({ status, tool, call }: Pick<Call, 'status' | 'tool' | 'call'>) {
  if (status === 'done' && tool !== null && call === null) return <CircleHelp className="icon-small" aria-hidden />;
  if (status === 'done')
    return <Check className={classes('icon-small', call === null ? undefined : 'good-mark')} aria-hidden />;
  if (status === 'failed') return <CircleX className="icon-small error-mark" aria-hidden />;
  return <Ring />;
}

function Part({ title, of, text, cut }: { title: string; of: string; text: string; cut: number }) {
  if (text === '') return null;
  return (
    <Stack>
      <Text font="small" tone={3}>
        {title}
      </Text>
      <Text
        as="pre"
        padY={1}
        padX={2}
        font="code"
        surface={2}
        round="control"
        scroll
        breaks
        lines="wrap"
        className={classes('code', styles.part)}
        tabIndex={0}
        role="group"
        aria-label={`${title} of ${of}`}
      >
        <LongText text={text} title={`${title} of ${of}`} code={/^\s*[(#'`]/.test(text)} />
        <Cut count={cut} />
      </Text>
    </Stack>
  );
}
