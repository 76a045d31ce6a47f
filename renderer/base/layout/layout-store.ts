/** The open panels and their sizes, kept in the workspace. */
import * as z from 'zod/mini';
import { type Panel, panelsAt, type PanelPlace } from './panels.ts';
import { contribute, keepSoon } from './workspace.ts';
import { makeStore } from '../store.ts';

const between = (least: number, most: number) => z.number().check(z.minimum(least), z.maximum(most));

const kept = z.object({
  version: z.literal(1),
  /** The page in the middle: `editor`, `welcome`, or the id of a panel that takes the place of the editor. */
  page: z.string(),
  browser: z._default(z.enum(['apropos', 'classes', 'functions', 'packages', 'systems', 'build']), 'apropos'),
  left: z.nullable(z.string()),
  dock: z.string(),
  dockOpen: z.boolean(),
  leftWidth: between(200, 640),
  dockHeight: between(96, 2000),
  /** The height of the dock while a debugger is open in it, which has more to show at once than the other panels. */
  debuggerHeight: z._default(between(96, 2000), 494),
  /** The height of the window in which the dock got its height: in a lower one the dock has its share, not more than that. */
  dockWindow: z._default(between(100, 20_000), 1000),
  /** The column at the right of the editor, where there is room for it. */
  side: z._default(z.string(), 'documentation'),
  sideOpen: z._default(z.boolean(), true),
  sideWidth: z._default(between(240, 900), 376),
  /** The column that lies over the editor, in a window without room beside it, until the editor or the dock has the focus again. */
  over: z._default(z.nullable(z.enum(['left', 'side'])), null),
});

export type Layout = z.infer<typeof kept>;
export type BrowserTab = Layout['browser'];

/** The layout of a first start. @internal Exported for tests. */
export const INITIAL_LAYOUT: Layout = {
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

export const [layout, useLayout] = makeStore<Layout>(INITIAL_LAYOUT);

/** Restores the layout of the last start. One of another shape, or with panels that are not there, is left aside: the window comes up as at first. */
export function restoreLayout(value: unknown): void {
  const parsed = kept.safeParse(value);
  if (parsed.success && hasItsPanels(parsed.data)) layout.setState(parsed.data);
  contribute(() => ({ layout: layout.getState() }));
  layout.subscribe(keepSoon);
}

function hasItsPanels({ left, dock, side, page }: Layout): boolean {
  const has = (id: string, ...places: PanelPlace[]): boolean => panelsAt(...places).some((panel) => panel.id === id);
  return (
    (left === null || has(left, 'left')) &&
    has(dock, 'dock') &&
    has(side, 'side') &&
    (page === 'editor' || has(page, 'middle', 'page'))
  );
}

/** The page that has the columns and the dock around it: the one that is shown, or else the editor. */
function workPage(): string {
  const { page } = layout.getState();
  return isWholePage(page) ? 'editor' : page;
}

/** True for a page that is shown in the place of the columns and the dock too. */
export function isWholePage(page: string): boolean {
  return panelsAt('page').some(({ id }) => id === page);
}

/** True while the dock shows its panel. */
export function isDockInSight({ page, dockOpen }: Layout): boolean {
  return dockOpen && !isWholePage(page);
}

/** Shows a panel, without moving the focus. */
export function showPanel({ id, place }: Panel): void {
  ({ left: showLeft, dock: showDock, side: showSide, middle: showPage, page: showPage })[place](id);
}

export function showLeft(panel: string): void {
  layout.setState({ page: workPage(), left: panel, over: 'left' });
}

export function showDock(panel: string): void {
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
export function showSide(panel: string): void {
  const { left } = layout.getState();
  const width = window.innerWidth;
  const keeps = hasRoomForSide(width, true) || !hasRoomForSide(width, false);
  layout.setState({ page: workPage(), side: panel, sideOpen: true, left: keeps ? left : null, over: 'side' });
}

export function showPage(page: string): void {
  layout.setState({ page });
}
