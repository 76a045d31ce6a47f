/** The menu of a mark in the gutter, which Monaco has none for. */
import { createStore, useStore } from 'zustand';
import { ContextMenu } from '../../ui/menus/context-menu.tsx';
import type { MenuGroup } from '../../ui/menus/menu.tsx';

interface OpenMenu {
  readonly label: string;
  readonly groups: readonly MenuGroup[];
  readonly place: { x: number; y: number };
}

const store = createStore<{ open: OpenMenu | null }>(() => ({ open: null }));

export function openGutterMenu(open: OpenMenu): void {
  store.setState({ open });
}

export function GutterMenu() {
  const open = useStore(store, (state) => state.open);
  return open ? <ContextMenu {...open} onClose={() => store.setState({ open: null })} /> : null;
}
