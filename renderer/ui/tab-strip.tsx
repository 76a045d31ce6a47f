/** Tabs over one shared panel: a row of names, moved through by arrow keys, chosen by Enter, Space or a click. */
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';

export interface TabStripProps<Item extends { id: string }> {
  label: string;
  items: readonly Item[];
  selected: string | null;
  /** Id of the panel that shows the selected one. */
  panel: string;
  onSelect: (id: string) => void;
  onClose: (id: string) => void;
  className: string;
  tabClass: string;
  render: (item: Item) => ReactNode;
}

export function TabStrip<Item extends { id: string }>(props: TabStripProps<Item>) {
  const { label, items, selected, panel, onSelect, onClose, className, tabClass, render } = props;
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    row.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
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
    <div ref={row} role="tablist" aria-label={label} className={className}>
      {items.map((item, index) => (
        <div
          key={item.id}
          role="tab"
          aria-selected={item.id === selected}
          aria-controls={item.id === selected ? panel : undefined}
          tabIndex={item.id === selected ? 0 : -1}
          className={tabClass}
          onClick={() => onSelect(item.id)}
          onAuxClick={(event) => (event.button === 1 ? onClose(item.id) : undefined)}
          onKeyDown={(event) => onKeyDown(event, index)}
        >
          {render(item)}
        </div>
      ))}
    </div>
  );
}
