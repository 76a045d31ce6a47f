/** The tabs of a scrolling row that are not fully visible, and scrolling to the selected tab. */
import { type RefObject, useEffect, useRef, useState } from 'react';

/**
 * Returns the ref for a row of tabs, each with `data-tab`, and the `data-tab` values of tabs that are not fully visible. The row scrolls to
 * the selected tab when the selection or the width changes.
 */
export function useHiddenTabs(): { list: RefObject<HTMLDivElement | null>; hidden: readonly string[] } {
  const list = useRef<HTMLDivElement>(null);
  const [hidden, setHidden] = useState('');
  useEffect(() => {
    const row = list.current;
    if (!row) return undefined;
    const tabs = (): HTMLElement[] => [...row.querySelectorAll<HTMLElement>('[data-tab]')];
    const look = (): void => {
      const { left, right } = row.getBoundingClientRect();
      // The button of the menu takes room from the row, which is free again if all tabs fit into it.
      const button = row.parentElement?.querySelector<HTMLElement>('[aria-label="More panels"]');
      const all = tabs();
      const taken = (all.at(-1)?.getBoundingClientRect().right ?? 0) - (all[0]?.getBoundingClientRect().left ?? 0);
      const room = right - left + (button?.getBoundingClientRect().width ?? 0);
      const outside = all.filter((tab) => {
        const at = tab.getBoundingClientRect();
        return taken > room + 1 && (at.left < left - 1 || at.right > right + 1);
      });
      setHidden(outside.map((tab) => tab.dataset['tab']).join(' '));
    };
    const bring = (): void => {
      tabs()
        .find((tab) => tab.hasAttribute('data-selected'))
        ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      look();
    };
    const sizes = new ResizeObserver(bring);
    sizes.observe(row);
    const selection = new MutationObserver(bring);
    selection.observe(row, { subtree: true, attributeFilter: ['data-selected'] });
    row.addEventListener('scroll', look);
    bring();
    return () => {
      sizes.disconnect();
      selection.disconnect();
      row.removeEventListener('scroll', look);
    };
  }, []);
  return { list, hidden: hidden === '' ? [] : hidden.split(' ') };
}
