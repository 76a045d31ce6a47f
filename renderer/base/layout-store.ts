/** The open panels and their sizes, kept in the workspace. */
import { createStore, useStore } from 'zustand';
import * as z from 'zod/mini';
import { contribute, keepSoon } from './workspace.ts';

const between = (least: number, most: number) => z.number().check(z.minimum(least), z.maximum(most));

const kept = z.object({
  version: z.literal(1),
  /**
   * The page in the middle: the editor, the browser of what the image has or the start-up page in the place of it, or the activity of
   * everybody.
   */
  page: z.enum(['editor', 'browser', 'welcome', 'activity']),
  browser: z._default(z.enum(['apropos', 'classes', 'functions', 'packages', 'systems', 'build']), 'apropos'),
  left: z.nullable(z.enum(['files', 'definitions', 'systems', 'tests', 'clients'])),
  dock: z.enum([
    'repl',
    'debugger',
    'problems',
    'search',
    'output',
    'threads',
    'memory',
    'profiler',
    'trace',
    'coverage',
  ]),
  dockOpen: z.boolean(),
  leftWidth: between(200, 640),
  dockHeight: between(96, 2000),
  /** The height of the dock while a debugger is open in it, which has more to show at once than the other panels. */
  debuggerHeight: z._default(between(96, 2000), 494),
  /** The height of the window in which the dock got its height: in a lower one the dock has its share, not more than that. */
  dockWindow: z._default(between(100, 20_000), 1000),
  /** The column at the right of the editor, where there is room for it. */
  side: z._default(z.enum(['documentation', 'references', 'inspector', 'agent']), 'documentation'),
  sideOpen: z._default(z.boolean(), true),
  sideWidth: z._default(between(240, 900), 376),
  /** The column that lies over the editor, in a window without room beside it, until the editor or the dock has the focus again. */
  over: z._default(z.nullable(z.enum(['left', 'side'])), null),
});

export type Layout = z.infer<typeof kept>;
export type LeftPanel = NonNullable<Layout['left']>;
export type DockPanel = Layout['dock'];
export type SidePanel = Layout['side'];
export type BrowserTab = Layout['browser'];

const initial: Layout = {
  version: 1,
  page: 'editor',
  browser: 'apropos',
  left: 'definitions',
  dock: 'repl',
  dockOpen: true,
  leftWidth: 280,
  dockHeight: 312,
  debuggerHeight: 494,
  dockWindow: 1000,
  side: 'documentation',
  sideOpen: true,
  sideWidth: 376,
  over: null,
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

/** The page that has the columns and the dock around it: the one that is shown, or else the editor. */
function workPage(): Layout['page'] {
  const { page } = layout.getState();
  return page === 'activity' ? 'editor' : page;
}

export function showLeft(panel: LeftPanel): void {
  layout.setState({ page: workPage(), left: panel, over: 'left' });
}

export function showDock(panel: DockPanel): void {
  layout.setState({ page: workPage(), dock: panel, dockOpen: true });
}

/** Widths in pixels: of the rail, the least ones of the columns, and that of the editor for which the right one gives way. */
export const RAIL = 44;
export const LEAST_LEFT = 200;
export const LEAST_SIDE = 320;
export const LEAST_BESIDE = 480;
/** The least width of the editor beside the left column, and how much of it stays in sight under a column that lies over it. */
export const LEAST_EDITOR = 320;
export const LEAST_UNDER = 64;

/** True when a window of this width has room for the left column beside the editor. */
export function hasRoomForLeft(windowWidth: number): boolean {
  return windowWidth >= RAIL + LEAST_LEFT + LEAST_EDITOR;
}

/** True when a window of this width has room for the column at the right of the editor. */
export function hasRoomForSide(windowWidth: number, hasLeft: boolean): boolean {
  return windowWidth >= RAIL + LEAST_BESIDE + LEAST_SIDE + (hasLeft ? LEAST_LEFT : 0);
}

/** Shows a panel at the right; in a window without room for both columns the left one goes, and in a narrow one it lies over the editor. */
export function showSide(panel: SidePanel): void {
  const { left } = layout.getState();
  const width = window.innerWidth;
  const keeps = hasRoomForSide(width, true) || !hasRoomForSide(width, false);
  layout.setState({ page: workPage(), side: panel, sideOpen: true, left: keeps ? left : null, over: 'side' });
}

export function showPage(page: Layout['page']): void {
  layout.setState({ page });
}
