/** The open panels and their sizes, saved in the workspace. */
import * as z from 'zod/mini';
import { type Panel, panelsAt, type PanelPlace } from './panels.ts';
import { keepWithFolder } from './folder-sessions.ts';
import { contribute, keepSoon } from './workspace.ts';
import { makeStore } from '../store.ts';

const between = (least: number, most: number) => z.number().check(z.minimum(least), z.maximum(most));

const kept = z.object({
  version: z.literal(1),
  /** The page in the middle: `editor`, `welcome`, or the id of a panel that replaces the editor. */
  page: z.string(),
  browser: z._default(z.enum(['apropos', 'classes', 'functions', 'packages', 'systems', 'build']), 'apropos'),
  /** The entries that the REPL shows, by their authors, and whether it folds those of agents. */
  replShows: z._default(z.enum(['everyone', 'mine', 'agents']), 'everyone'),
  replFolds: z._default(z.boolean(), false),
  left: z.nullable(z.string()),
  dock: z.string(),
  dockOpen: z.boolean(),
  leftWidth: between(200, 640),
  dockHeight: between(96, 2000),
  /** The height of the dock while it shows a debugger, which needs more room than the other panels. */
  debuggerHeight: z._default(between(96, 2000), 494),
  /** The window height for which the dock's height was set. In a lower window, the dock shrinks in proportion. */
  dockWindow: z._default(between(100, 20_000), 1000),
  /** The panel in the column to the right of the editor, which is shown if there is room. */
  side: z._default(z.string(), 'documentation'),
  sideOpen: z._default(z.boolean(), true),
  sideWidth: z._default(between(240, 900), 392),
  /** The column that covers the editor in a narrow window until the editor or the dock gets the focus. */
  over: z._default(z.nullable(z.enum(['left', 'side'])), null),
});

export type Layout = z.infer<typeof kept>;
export type BrowserTab = Layout['browser'];

/** The layout at first start. @internal Exported for tests. */
export const INITIAL_LAYOUT: Layout = {
  version: 1,
  page: 'editor',
  browser: 'apropos',
  replShows: 'everyone',
  replFolds: false,
  left: 'definitions',
  dock: 'repl',
  dockOpen: true,
  leftWidth: 280,
  dockHeight: 312,
  debuggerHeight: 494,
  dockWindow: 1000,
  side: 'documentation',
  sideOpen: true,
  sideWidth: 392,
  over: null,
};

export const [layout, useLayout] = makeStore<Layout>(INITIAL_LAYOUT);

/** Restores the layout of the previous session. If its shape or its panels are unknown, uses the initial layout. */
export function restoreLayout(value: unknown): void {
  const parsed = kept.safeParse(value);
  if (parsed.success && hasItsPanels(parsed.data)) layout.setState(parsed.data);
  contribute(() => ({ layout: layout.getState() }));
  layout.subscribe(keepSoon);
  keepWithFolder({ take: () => ({}), put: (session) => showPanelsOf(session?.layout) });
}

/** Shows the panels that a folder's layout names. Sizes and the page in the middle stay. */
function showPanelsOf(value: unknown): void {
  const parsed = kept.safeParse(value);
  if (!parsed.success || !hasItsPanels(parsed.data)) return;
  const { browser, left, dock, dockOpen, side, sideOpen } = parsed.data;
  layout.setState({ browser, left, dock, dockOpen, side, sideOpen });
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

/** Returns the page that has the columns and the dock around it: the current page, or else the editor. */
function workPage(): string {
  const { page } = layout.getState();
  return isWholePage(page) ? 'editor' : page;
}

/** True for a page that also replaces the columns and the dock. */
export function isWholePage(page: string): boolean {
  return panelsAt('page').some(({ id }) => id === page);
}

/** True while the dock's panel is visible. */
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

/**
 * The width of the rail in pixels. It is followed by the minimum widths of the columns and the editor width below which the right column is
 * hidden.
 */
export const RAIL = 44;
export const LEAST_LEFT = 200;
export const LEAST_SIDE = 320;
export const LEAST_BESIDE = 480;
/** The minimum width of the editor beside the left column, and its visible width under a column that covers it. */
export const LEAST_EDITOR = 320;
export const LEAST_UNDER = 64;

/** True if a window of this width has room for the left column beside the editor. */
export function hasRoomForLeft(windowWidth: number): boolean {
  return windowWidth >= RAIL + LEAST_LEFT + LEAST_EDITOR;
}

/** True if a window of this width has room for the column to the right of the editor. */
export function hasRoomForSide(windowWidth: number, hasLeft: boolean): boolean {
  return windowWidth >= RAIL + LEAST_BESIDE + LEAST_SIDE + (hasLeft ? LEAST_LEFT : 0);
}

/**
 * Shows a panel in the right column. If the window has no room for both columns, closes the left one. In a narrow window, the right column
 * covers the editor.
 */
export function showSide(panel: string): void {
  const { left } = layout.getState();
  const width = window.innerWidth;
  const keeps = hasRoomForSide(width, true) || !hasRoomForSide(width, false);
  layout.setState({ page: workPage(), side: panel, sideOpen: true, left: keeps ? left : null, over: 'side' });
}

export function showPage(page: string): void {
  layout.setState({ page });
}
