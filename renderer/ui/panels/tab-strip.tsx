/** Tabs that share one panel. The arrow keys move through the row of names; Enter, Space or a click selects a tab. */
import { type DragEvent, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';

interface TabDragging {
  /** Called when a tab begins to be dragged, to put the tab's data into the event. */
  readonly onStart: (event: DragEvent<HTMLElement>, id: string) => void;
  /** Called when data is dragged over the row. To accept the data, prevent the event's default. */
  readonly onOver: (event: DragEvent<HTMLElement>) => void;
  /** Called when data is dropped before the tab `before`, or after the last tab if `before` is null. */
  readonly onDrop: (event: DragEvent<HTMLElement>, before: string | null) => void;
}

export interface TabStripProps<Item extends { id: string }> {
  label: string;
  items: readonly Item[];
  selected: string | null;
  /** The id of the panel that shows the selected tab's content. */
  panel: string;
  onSelect: (id: string) => void;
  onClose: (id: string) => void;
  /** Opens the context menu of a tab at a position in the window; omitted if tabs have no menu. */
  onMenu?: (id: string, place: { x: number; y: number }) => void;
  /** The handlers for dragging tabs; omitted if tabs cannot be dragged. */
  drag?: TabDragging;
  className: string;
  tabClass: string;
  render: (item: Item) => ReactNode;
}

export function TabStrip<Item extends { id: string }>(props: TabStripProps<Item>) {
  const { label, items, selected, panel, onSelect, onClose, onMenu, drag, className, tabClass, render } = props;
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const strip = row.current;
    if (!strip) return undefined;
    // Keeps the selected tab visible when the row becomes narrower.
    const show = (): void =>
      strip.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    show();
    const watched = new ResizeObserver(show);
    watched.observe(strip);
    return () => watched.disconnect();
  }, [selected]);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>, index: number): void => {
    const steps: Record<string, number> = {
      ArrowRight: index + 1,
      ArrowLeft: index - 1,
      Home: 0,
      End: items.length - 1,
    };
    const next = steps[event.key];
    if (next !== undefined) {
      event.preventDefault();
      row.current?.querySelectorAll<HTMLElement>('[role="tab"]')[(next + items.length) % items.length]?.focus();
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      onSelect(items[index]!.id);
    } else if (event.key === 'Delete') {
      event.preventDefault();
      onClose(items[index]!.id);
    }
  };
  return (
    <div
      ref={row}
      role="tablist"
      aria-label={label}
      className={className}
      onDragOver={drag?.onOver}
      onDrop={(event) => drag?.onDrop(event, null)}
    >
      {items.map((item, index) => (
        <div
          key={item.id}
          role="tab"
          aria-selected={item.id === selected}
          aria-controls={item.id === selected ? panel : undefined}
          tabIndex={item.id === selected ? 0 : -1}
          className={tabClass}
          draggable={drag !== undefined}
          onDragStart={(event) => drag?.onStart(event, item.id)}
          onDrop={(event) => drag?.onDrop(event, item.id)}
          onClick={() => onSelect(item.id)}
          onAuxClick={(event) => (event.button === 1 ? onClose(item.id) : undefined)}
          onContextMenu={(event) => {
            if (!onMenu) return;
            event.preventDefault();
            onMenu(item.id, { x: event.clientX, y: event.clientY });
          }}
          onKeyDown={(event) => onKeyDown(event, index)}
        >
          {render(item)}
        </div>
      ))}
    </div>
  );
}
