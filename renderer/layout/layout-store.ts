/** Which panels are open and how large they are. Kept in the workspace. */
import { createStore, useStore } from 'zustand';
import { z } from 'zod';
import { contribute, keepSoon } from '../workspace.ts';

const kept = z.object({
  version: z.literal(1),
  /** What fills the middle: the editor with its docks, or the activity of everybody. */
  page: z.enum(['editor', 'activity']),
  left: z.enum(['definitions', 'systems', 'clients']).nullable(),
  dock: z.enum(['repl', 'output']),
  dockOpen: z.boolean(),
  leftWidth: z.number().min(200).max(640),
  dockHeight: z.number().min(96).max(2000),
});

export type Layout = z.infer<typeof kept>;
export type LeftPanel = NonNullable<Layout['left']>;
export type DockPanel = Layout['dock'];

const initial: Layout = {
  version: 1,
  page: 'editor',
  left: 'definitions',
  dock: 'repl',
  dockOpen: true,
  leftWidth: 280,
  dockHeight: 312,
};

export const layout = createStore<Layout>(() => initial);

export function useLayout<Part>(select: (state: Layout) => Part): Part {
  return useStore(layout, select);
}

/** A layout of another shape is left aside: the window comes up as at first. */
export function restoreLayout(value: unknown): void {
  const parsed = kept.safeParse(value);
  if (parsed.success) layout.setState(parsed.data);
  contribute(() => ({ layout: layout.getState() }));
  layout.subscribe(keepSoon);
}

export function showLeft(panel: LeftPanel): void {
  layout.setState({ page: 'editor', left: panel });
}

export function showDock(panel: DockPanel): void {
  layout.setState({ page: 'editor', dock: panel, dockOpen: true });
}

export function showPage(page: Layout['page']): void {
  layout.setState({ page });
}
