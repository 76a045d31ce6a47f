/** Which tabs of a row that scrolls are out of sight, and the selected one brought into it. */
import { type RefObject, useEffect, useRef, useState } from 'react';

/**
 * The ref of a row of tabs, each marked by `data-tab`, and the marks of those that are not whole in sight. The row scrolls to the
 * selected one whenever another is selected or the room changes.
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
      const outside = tabs().filter((tab) => {
        const at = tab.getBoundingClientRect();
        return at.left < left - 1 || at.right > right + 1;
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
