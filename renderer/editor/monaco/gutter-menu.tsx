/** The context menu of a mark in the gutter, which Monaco does not provide. */
import { ContextMenu } from '../../ui/menus/context-menu.tsx';
import type { MenuGroup } from '../../ui/menus/menu.tsx';
import { makeStore } from '../../base/store.ts';

interface OpenMenu {
  readonly label: string;
  readonly groups: readonly MenuGroup[];
  readonly place: { x: number; y: number };
}

const [store, useStored] = makeStore<{ open: OpenMenu | null }>({ open: null });

export function openGutterMenu(open: OpenMenu): void {
  store.setState({ open });
}

export function GutterMenu() {
  const open = useStored((state) => state.open);
  return open ? <ContextMenu {...open} onClose={() => store.setState({ open: null })} /> : null;
}
