/**
 * The list of rows, of which only the visible ones are drawn. The focus stays on the list, which names the selected row to assistive
 * technology.
 */
import { type KeyboardEvent, type MouseEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { hueFor } from '../../base/actors.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { loadOlderActivity, mirror, useMirror } from '../../base/mirror.ts';
import { ActivityRowView } from './row.tsx';
import type { ActivityRow } from './row-model.ts';
import { Box } from '../../ui/layout.tsx';
import rowStyles from './row.module.css';
import styles from './panel.module.css';

const ROW = 28;

export interface RowListProps {
  rows: readonly ActivityRow[];
  folded: (row: ActivityRow) => boolean;
  selectedId: string | null;
  following: boolean;
  onFollow: (following: boolean) => void;
  onSelect: (row: ActivityRow) => void;
  onFold: (row: ActivityRow) => void;
  onMenu: (row: ActivityRow, place: { x: number; y: number }) => void;
}

export function RowList({ rows, folded, selectedId, following, onFollow, onSelect, onFold, onMenu }: RowListProps) {
  const clients = useMirror((state) => state.clients);
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const prefix = useId();
  const [older, setOlder] = useState(false);
  const selected = selectedId === null ? -1 : rows.findLastIndex((row) => row.id === selectedId);

  useLayoutEffect(() => {
    if (following && rows.length > 0) list.current?.scrollToIndex(rows.length - 1, { align: 'end' });
  }, [following, rows]);

  // Opening the details of the selected row shrinks the list, so scroll the row into view.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || selected < 0) return undefined;
    const observer = new ResizeObserver(() => list.current?.scrollToIndex(selected, { align: 'nearest' }));
    observer.observe(element);
    return () => observer.disconnect();
  }, [selected]);

  const onScroll = (): void => {
    const element = scroller.current;
    if (!element) return;
    const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < ROW;
    if (atEnd !== following) onFollow(atEnd);
    if (element.scrollTop < ROW * 4 && mirror.getState().activity.hasOlder && !older) {
      setOlder(true);
      void orNotice(loadOlderActivity()).finally(() => setOlder(false));
    }
  };
  const go = (index: number): void => {
    const row = rows[Math.max(0, Math.min(index, rows.length - 1))];
    if (!row) return;
    onSelect(row);
    list.current?.scrollToIndex(rows.indexOf(row), { align: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== scroller.current) return;
    const row = rows[selected];
    const from = selected < 0 ? rows.length : selected;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW) - 1);
    const canFold = row !== undefined && row.children > 0;
    const steps: Record<string, () => void> = {
      // Without a selection, start at the visible rows.
      ArrowDown: () => go(selected < 0 ? (following ? rows.length - 1 : 0) : selected + 1),
      ArrowUp: () => go(from - 1),
      PageDown: () => go(selected + page),
      PageUp: () => go(from - page),
      Home: () => go(0),
      End: () => go(rows.length - 1),
      ArrowRight: () => (canFold && folded(row) ? onFold(row) : go(selected + 1)),
      ArrowLeft: () => (canFold && !folded(row) ? onFold(row) : go(rows.findLastIndex(({ id }) => id === row?.parent))),
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    step();
  };
  const onContextMenu = (event: MouseEvent<HTMLElement>): void => {
    const item = event.target instanceof Element ? event.target.closest<HTMLElement>('[role="row"]') : null;
    const row = item ? rows[Number(item.getAttribute('aria-rowindex')) - 1] : rows[selected];
    if (!row) return;
    event.preventDefault();
    onSelect(row);
    const box = item ? null : document.getElementById(`${prefix}${row.id}`)?.getBoundingClientRect();
    onMenu(row, box ? { x: box.left + 200, y: box.bottom } : { x: event.clientX, y: event.clientY });
  };

  return (
    <>
      <Box padX={4} fixed font="small" tone={3} edge="bottom" className={rowStyles.columns} aria-hidden>
        <span>Time</span>
        <span>Who</span>
        <span>What</span>
        <span>Outcome</span>
        <span>Took</span>
      </Box>
      <Box
        ref={scroller}
        grow
        selectable
        className={styles.rows}
        role="treegrid"
        aria-label="What happened"
        aria-rowcount={rows.length}
        aria-activedescendant={selected < 0 ? undefined : `${prefix}${rows[selected]!.id}`}
        tabIndex={0}
        data-region-focus
        onScroll={onScroll}
        onKeyDown={onKeyDown}
        onContextMenu={onContextMenu}
      >
        <Virtualizer ref={list} data={rows} itemSize={ROW} shift={older} keepMounted={selected < 0 ? NONE : [selected]}>
          {(row, index) => (
            <ActivityRowView
              key={row.id}
              id={`${prefix}${row.id}`}
              row={row}
              index={index}
              folded={folded(row)}
              selected={index === selected}
              hue={hueFor(row.actor, clients)}
              onFold={onFold}
              onSelect={onSelect}
            />
          )}
        </Virtualizer>
      </Box>
    </>
  );
}

const NONE: number[] = [];
