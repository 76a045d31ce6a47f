/**
 * A tree of rows with a fixed height. Only the visible rows are drawn, so that ten thousand items cost as much as thirty. The focus stays
 * on the tree; `aria-activedescendant` names the active row.
 */
import {
  type DragEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { Box } from '../layout.tsx';
import { look } from '../look.ts';
import styles from './tree.module.css';

export interface TreeRow {
  id: string;
  level: number;
  /** The item's accessible name. */
  label: string;
  /** True if the row is expanded; null for a leaf. */
  expanded: boolean | null;
  position: number;
  siblings: number;
}

export interface TreeDragging<Row> {
  /** Called when a row begins to be dragged, to put its data into the event. */
  readonly onStart: (event: DragEvent<HTMLElement>, row: Row) => void;
  /** Called when data is dragged over a row, or over the space below the rows (null). To accept the data, prevent the event's default. */
  readonly onOver: (event: DragEvent<HTMLElement>, row: Row | null) => void;
  readonly onDrop: (event: DragEvent<HTMLElement>, row: Row | null) => void;
  /** Called when the dragging ended, or the data left the tree. */
  readonly onEnd: () => void;
}

export interface TreeProps<Row extends TreeRow> {
  label: string;
  rows: readonly Row[];
  rowSize: number;
  render: (row: Row) => ReactNode;
  onOpen: (row: Row) => void;
  onToggle: (row: Row, expanded: boolean) => void;
  /**
   * True if a click or Enter also opens rows with children. Such rows are then folded with an element that has `data-fold`, or with the
   * Space key.
   */
  opensAll?: boolean;
  /** Called when the active row has changed. */
  onActive?: (row: Row) => void;
  /** Called when the user requests the menu of a row, by the right button or the menu key. */
  onMenu?: (row: Row, place: { x: number; y: number }) => void;
  /** Returns the text of a row's tooltip, which a screen reader reads after the row's name. */
  hint?: (row: Row) => string | undefined;
  rowClass?: (row: Row) => string;
  /** True if a row's accessible name is its drawn content. Set this for rows whose drawn content leaves out a part of their label. */
  isNamedByContent?: boolean;
  /** The id of a row. When this id changes, the row is scrolled into view; the active row stays the same. */
  inView?: string | null;
  /** The row to make active. Each new object makes its row active, even if the id is the same. */
  chosen?: { readonly id: string } | null;
  /** The key context of the tree while it has the focus, for commands whose keys work only there. */
  keyContext?: string;
  /** The handlers for dragging rows; omitted if rows cannot be dragged. */
  drag?: TreeDragging<Row>;
}

export function Tree<Row extends TreeRow>({
  label,
  rows,
  rowSize,
  render,
  onOpen,
  onToggle,
  opensAll = false,
  onActive,
  onMenu,
  hint,
  rowClass,
  isNamedByContent = false,
  inView = null,
  chosen = null,
  keyContext,
  drag,
}: TreeProps<Row>) {
  const [activeId, setActiveId] = useState<string | null>(null);
  const list = useRef<VirtualizerHandle>(null);
  const prefix = useId();
  const found = rows.findIndex((row) => row.id === activeId);
  const active = found >= 0 ? found : 0;
  const current = rows[active];

  const activate = (row: Row): void => {
    setActiveId(row.id);
    onActive?.(row);
  };
  const go = (index: number): void => {
    const next = Math.max(0, Math.min(index, rows.length - 1));
    if (rows[next]) activate(rows[next]);
    list.current?.scrollToIndex(next, { align: 'nearest' });
  };
  useEffect(() => {
    if (activeId !== null && found >= 0) list.current?.scrollToIndex(found, { align: 'nearest' });
    // Runs only when the row itself moves, not at each scroll.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [found]);

  useEffect(() => {
    const at = inView === null ? -1 : rows.findLastIndex((row) => row.id === inView);
    if (at >= 0) list.current?.scrollToIndex(at, { align: 'nearest' });
    // Runs only when the id changes: other changes of the rows do not scroll the row into view again.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [inView]);
  useEffect(() => {
    if (chosen) setActiveId(chosen.id);
  }, [chosen]);

  const onKeyDown = (event: KeyboardEvent): void => {
    // The keys of a field in a row are for the field.
    if (event.target instanceof HTMLInputElement) return;
    if (!current || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor((list.current?.viewportSize ?? 0) / rowSize) - 1);
    const steps: Record<string, () => void> = {
      ArrowDown: () => go(active + 1),
      ArrowUp: () => go(active - 1),
      PageDown: () => go(active + page),
      PageUp: () => go(active - page),
      Home: () => go(0),
      End: () => go(rows.length - 1),
      ArrowRight: () => (current.expanded === false ? onToggle(current, true) : go(active + 1)),
      ArrowLeft: () => (current.expanded === true ? onToggle(current, false) : go(parentOf(rows, active))),
      Enter: () => (current.expanded === null || opensAll ? onOpen(current) : onToggle(current, !current.expanded)),
      ' ': () => (current.expanded === null ? onOpen(current) : onToggle(current, !current.expanded)),
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    step();
  };

  const rowAt = (event: { target: EventTarget }): Row | null => {
    const item = event.target instanceof Element ? event.target.closest('[role="treeitem"]') : null;
    return (item && rows.find(({ id }) => `${prefix}${id}` === item.id)) ?? null;
  };
  const openMenu = (event: MouseEvent<HTMLElement>): void => {
    const item = event.target instanceof Element ? event.target.closest('[role="treeitem"]') : null;
    const row = item ? rows.find(({ id }) => `${prefix}${id}` === item.id) : current;
    if (!row || !onMenu) return;
    event.preventDefault();
    activate(row);
    // The menu key has no pointer position, so the menu opens under the row.
    const box = document.getElementById(`${prefix}${row.id}`)?.getBoundingClientRect();
    onMenu(row, item || !box ? { x: event.clientX, y: event.clientY } : { x: box.left + rowSize, y: box.bottom });
  };

  return (
    <Box
      role="tree"
      aria-label={label}
      tabIndex={0}
      data-region-focus
      aria-activedescendant={current ? `${prefix}${current.id}` : undefined}
      grow
      scroll
      className={styles.tree}
      onKeyDown={onKeyDown}
      onContextMenu={openMenu}
      data-keys={keyContext}
      {...(drag
        ? {
            onDragOver: (event: DragEvent<HTMLElement>) => drag.onOver(event, rowAt(event)),
            onDrop: (event: DragEvent<HTMLElement>) => drag.onDrop(event, rowAt(event)),
            onDragLeave: (event: DragEvent<HTMLElement>) => {
              if (event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)) return;
              drag.onEnd();
            },
            onDragEnd: drag.onEnd,
          }
        : {})}
    >
      <Virtualizer ref={list} data={rows} itemSize={rowSize} keepMounted={rows.length > 0 ? [active] : []}>
        {(row, index) => (
          <div
            key={row.id}
            id={`${prefix}${row.id}`}
            role="treeitem"
            aria-label={isNamedByContent ? undefined : row.label}
            aria-level={row.level}
            aria-posinset={row.position}
            aria-setsize={row.siblings}
            aria-expanded={row.expanded ?? undefined}
            aria-selected={index === active && activeId !== null}
            title={hint?.(row)}
            className={look({ flow: 'row', lines: 'one', list: true }, styles.row, rowClass?.(row) ?? undefined)}
            draggable={drag !== undefined}
            onDragStart={(event) => drag?.onStart(event, row)}
            onClick={(event) => {
              activate(row);
              const isFold = event.target instanceof Element && event.target.closest('[data-fold]') !== null;
              if (row.expanded === null || (opensAll && !isFold)) onOpen(row);
              else onToggle(row, !row.expanded);
            }}
          >
            {render(row)}
          </div>
        )}
      </Virtualizer>
    </Box>
  );
}

function parentOf(rows: readonly TreeRow[], index: number): number {
  const level = rows[index]?.level ?? 1;
  for (let at = index - 1; at >= 0; at -= 1) if (rows[at]!.level < level) return at;
  return index;
}
