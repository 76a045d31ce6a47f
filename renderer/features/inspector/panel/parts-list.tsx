/**
 * The parts of an object as a tree that draws and requests only the visible parts. The focus stays on the list. The keys of the selected
 * part are SLIME's and work only here.
 */
import { ChevronRight } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import type { InspectedPage, InspectedPart } from '#contract/image/inspection.ts';
import { copyToRepl } from '../inspector.ts';
import { startEdit } from '../editing.ts';
import type { Step } from '../viewer-state.ts';
import { CHUNK, type Viewer } from '../viewer.ts';
import { openedAt, type RowPlace } from '../part-rows.ts';
import { orNotice } from '../../../base/notices/notices.tsx';
import { valueMenu } from '../value-chip.tsx';
import { CodeText } from '../../../ui/code-text.tsx';
import { PlainIconButton } from '../../../ui/icon-button.tsx';
import { ContextMenu } from '../../../ui/menus/context-menu.tsx';
import { Box, Text, Truncate } from '../../../ui/layout.tsx';
import { classes, look } from '../../../ui/look.ts';
import { FoundState } from './found-state.tsx';
import { MOST_ROWS, type Rows } from './use-rows.ts';
import styles from './inspector.module.css';

const ROW = 24;

interface PartsProps {
  viewer: Viewer;
  step: Step;
  head: InspectedPage;
  rows: Rows;
  name: string;
}

export function PartsList({ viewer, step, head, rows, name }: PartsProps) {
  const list = useRef<VirtualizerHandle>(null);
  const [menu, setMenu] = useState<{ part: InspectedPart; path: readonly number[]; x: number; y: number } | null>(null);
  const prefix = useId();
  // The list needs an array with an element for each row. There may be a million rows, and all elements are the same.
  const data = useMemo(() => Array.from<null>({ length: rows.count }).fill(null), [rows.count]);
  const active = Math.max(0, rows.rowOf(step.selected));
  const partOf = (place: RowPlace): InspectedPart | undefined =>
    place.kind === 'part' ? viewer.partAt(place.path) : undefined;

  useEffect(() => {
    wantSeen(viewer, step, rows, list.current);
  }, [viewer, step, rows]);

  // Each filter text has its own list. If a single list shrank and grew again, late measurements of removed rows would leave gaps.
  const found = rows.finding === null ? 'all' : `${rows.finding.looked > 0} ${rows.finding.text}`;

  useEffect(() => {
    list.current?.scrollToIndex(active, { align: 'nearest' });
    // Runs only when another object or filter is shown, not at each caret move.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [step.id, step.view, found]);

  const go = (row: number): void => {
    const next = Math.max(0, Math.min(row, rows.count - 1));
    const place = rows.placeAt(next);
    viewer.select(place.path);
    list.current?.scrollToIndex(next, { align: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || rows.count === 0) return;
    const place = rows.placeAt(active);
    const part = partOf(place);
    const page = Math.max(1, Math.floor((list.current?.viewportSize ?? 0) / ROW) - 1);
    const open = openedAt(step.opened, place.path) !== undefined;
    const keys: Record<string, () => void> = {
      ArrowDown: () => go(active + 1),
      ArrowUp: () => go(active - 1),
      PageDown: () => go(active + page),
      PageUp: () => go(active - page),
      Home: () => go(0),
      End: () => go(rows.count - 1),
      ArrowRight: () => (open || part?.handle == null ? go(active + 1) : void viewer.toggle(place.path)),
      ArrowLeft: () => {
        if (open) void viewer.toggle(place.path);
        else if (place.path.length > 1) go(rows.rowOf(place.path.slice(0, -1)));
      },
      ' ': () => void viewer.toggle(place.path),
      Enter: () => void orNotice(viewer.drill(place.path)),
      e: () => startEdit(viewer, place.path),
      c: () => void orNotice(copyToRepl(part?.handle ?? step.handle)),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  const onContextMenu = (event: MouseEvent<HTMLElement>): void => {
    const item = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]') : null;
    const row = item ? Number(item.dataset['row']) : active;
    const place = rows.placeAt(row);
    const part = partOf(place);
    if (!part) return;
    event.preventDefault();
    viewer.select(place.path);
    const box = document.getElementById(`${prefix}${row}`)?.getBoundingClientRect();
    setMenu({
      part,
      path: place.path,
      ...(item || !box ? { x: event.clientX, y: event.clientY } : { x: box.left + ROW, y: box.bottom }),
    });
  };

  return (
    <>
      <Box
        role="tree"
        aria-label={name}
        tabIndex={0}
        data-region-focus
        aria-activedescendant={rows.count > 0 ? `${prefix}${active}` : undefined}
        grow
        scroll
        className={styles.list}
        onKeyDown={onKeyDown}
        onContextMenu={onContextMenu}
      >
        <Virtualizer
          key={found}
          ref={list}
          data={data}
          itemSize={ROW}
          keepMounted={rows.count > 0 ? [active] : []}
          onScroll={() => wantSeen(viewer, step, rows, list.current)}
        >
          {(_, row) => {
            const place = rows.placeAt(row);
            return (
              <PartRow
                key={row}
                id={`${prefix}${row}`}
                row={row}
                place={place}
                part={partOf(place)}
                viewer={viewer}
                step={step}
                total={head.total}
                selected={row === active}
              />
            );
          }}
        </Virtualizer>
      </Box>
      {rows.finding ? <FoundState viewer={viewer} step={step} finding={rows.finding} /> : null}
      {rows.finding === null && (head.inexact || head.total > MOST_ROWS) ? (
        <Box padX={4} padY={1} fixed font="small" tone={3}>
          The first {MOST_ROWS.toLocaleString('en')} are shown.{' '}
          {head.inexact ? 'Evaluate (nthcdr 1000000 *) below to see the others.' : 'The filter searches all of them.'}
        </Box>
      ) : null}
      {menu ? (
        <ContextMenu
          label={menu.part.label}
          groups={[
            {
              id: 'part',
              entries: [
                {
                  id: 'open',
                  title: 'Inspect Here',
                  disabled: menu.part.handle === null,
                  run: () => void orNotice(viewer.drill(menu.path)),
                },
                {
                  id: 'set',
                  title: 'Set…',
                  disabled: menu.part.path === null,
                  run: () => startEdit(viewer, menu.path),
                },
              ],
            },
            ...valueMenu(menu.part, step.label).map((group) => ({
              ...group,
              entries: group.entries.filter(({ id }) => id !== 'inspect'),
            })),
            ...(menu.part.keyHandle === null
              ? []
              : [
                  {
                    id: 'key',
                    entries: [
                      {
                        id: 'key',
                        title: 'Inspect the Key',
                        run: () => void orNotice(viewer.open(menu.part.keyHandle!, `key ${menu.part.label}`)),
                      },
                    ],
                  },
                ]),
          ]}
          place={menu}
          onClose={() => setMenu(null)}
        />
      ) : null}
    </>
  );
}

/** Returns the width of a label. Numbers of elements and lines need little room, so that their values get the rest of a narrow panel. */
function labelWidth({ label, keyHandle }: InspectedPart, depth: number): string {
  return keyHandle === null && /^\d+$/.test(label) ? '8ch' : `calc(max(112px, 36%) - ${depth * 14}px)`;
}

/** Requests the visible parts. */
function wantSeen(viewer: Viewer, step: Step, rows: Rows, list: VirtualizerHandle | null): void {
  if (rows.count === 0) return;
  const first = Math.max(0, list?.findItemIndex(list.scrollOffset) ?? 0);
  const last = Math.min(rows.count - 1, list ? list.findItemIndex(list.scrollOffset + list.viewportSize) : 0);
  if (rows.finding) return viewer.finder.want(step, first, last);
  for (const row of [first, last]) viewer.want(Math.floor((rows.placeAt(row).path[0] ?? 0) / CHUNK));
}

interface RowProps {
  id: string;
  row: number;
  place: RowPlace;
  part: InspectedPart | undefined;
  viewer: Viewer;
  step: Step;
  total: number;
  selected: boolean;
}

function PartRow({ id, row, place, part, viewer, step, total, selected }: RowProps) {
  const depth = place.path.length - (place.kind === 'part' ? 1 : 0);
  const open = place.kind === 'part' && openedAt(step.opened, place.path) !== undefined;
  const opens = part !== undefined && part.handle !== null;
  const changed = part !== undefined && place.path.length === 1 && step.changed.has(part.label);
  return (
    <div
      id={id}
      data-row={row}
      role="treeitem"
      aria-label={part ? `${part.label}: ${part.text}${changed ? ', changed' : ''}` : 'Waiting for the image'}
      aria-level={depth + 1}
      aria-posinset={(place.path.at(-1) ?? 0) + 1}
      aria-setsize={place.path.length === 1 ? total : -1}
      aria-expanded={opens ? open : undefined}
      aria-selected={selected}
      title={part ? titleOf(part) : undefined}
      className={look({ flow: 'row', gap: 2, font: 'small', lines: 'one', list: true }, styles.row)}
      style={{ paddingLeft: 14 + depth * 14 }}
      onClick={() => viewer.select(place.path)}
      onDoubleClick={() => void orNotice(viewer.drill(place.path))}
    >
      {place.kind === 'more' ? (
        <Text tone={3}>{place.count.toLocaleString('en')} more. Press Enter on the part to show all.</Text>
      ) : null}
      {place.kind === 'waiting' || (place.kind === 'part' && !part) ? <Text tone={3}>…</Text> : null}
      {part ? (
        <>
          <Truncate tone={2} className={classes('code', styles.label)} style={{ width: labelWidth(part, depth) }}>
            {part.keyHandle === null ? <PartName label={part.label} /> : <CodeText text={part.label} />}
          </Truncate>{' '}
          <Truncate
            grow
            tone={part.state === 'value' ? 1 : 3}
            className={classes('code', changed ? styles.changed : undefined)}
          >
            {opens ? (
              <button
                type="button"
                tabIndex={-1}
                className={classes('code', styles.value)}
                onClick={(event) => {
                  event.stopPropagation();
                  viewer.select(place.path);
                  void orNotice(viewer.drill(place.path));
                }}
              >
                <CodeText text={part.text} />
              </button>
            ) : (
              <CodeText text={part.text} />
            )}
          </Truncate>
          {part.note === null ? null : (
            <Text tone={3} fixed>
              {part.note}
            </Text>
          )}
          {opens ? (
            <PlainIconButton
              excludeFromTabOrder
              aria-label={open ? 'Close in place' : 'Open in place'}
              onPress={() => void viewer.toggle(place.path)}
            >
              <ChevronRight className={classes('icon-tiny', open ? 'turned' : undefined)} aria-hidden />
            </PlainIconButton>
          ) : null}
        </>
      ) : null}
    </div>
  );
}

/** The name of a part. If space is short, a symbol's package prefix is truncated, but not its name. */
function PartName({ label }: { label: string }) {
  const [, prefix, name] = /^([^\s:"#(|]+::?)([^\s:]+)$/.exec(label) ?? [];
  if (prefix === undefined) return label;
  return (
    <span className={styles.name}>
      <Truncate tone={3}>{prefix}</Truncate>
      <Truncate fixed className={styles.symbol}>
        {name}
      </Truncate>
    </span>
  );
}

function titleOf({ label, text, type, group, note, editable, path }: InspectedPart): string {
  const place = path === null ? 'no place' : editable ? null : 'cannot be set';
  return [`${label}: ${text}`, type, group, note, place].filter((each) => each !== null).join('\n');
}
