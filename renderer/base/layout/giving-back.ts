/**
 * The way back of the keyboard to the text in which the person worked last: out of each panel by Escape, and when the panel that
 * has it is hidden.
 */
import { flushSync } from 'react-dom';
import { layout, type Layout } from './layout-store.ts';
import { focusedRegion, focusRegion } from './regions.ts';

/** The regions whose texts are gone back to. In the texts themselves Escape has meanings of its own. */
const TEXTS = ['Editor', 'REPL'] as const;
type TextRegion = (typeof TEXTS)[number];

const FIELD = 'textarea, input, .native-edit-context';

/** The text that had the focus last, and its region. */
let last: { region: TextRegion; field: HTMLElement | null } = { region: 'Editor', field: null };

/** Follows the focus, and takes each Escape that nothing on the page had a use for. */
export function startGivingBack(): void {
  window.addEventListener('focusin', ({ target }) => {
    const region = textRegion(focusedRegion());
    if (region === null || !(target instanceof HTMLElement)) return;
    // A button of the region is no place to type: the text that had the focus before stays the one to go back to.
    if (target.matches(FIELD)) last = { region, field: target };
    else if (region !== last.region) last = { region, field: null };
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
    const at = document.activeElement;
    const region = focusedRegion();
    const isNowhere = at === null || at === document.body;
    // Outside the regions are dialogs, which close by themselves.
    if (region === null ? !isNowhere : textRegion(region) !== null && at?.matches(FIELD)) return;
    event.preventDefault();
    giveBack();
  };
  window.addEventListener('keydown', onKeyDown);
  keepInRegion();
  rememberDock();
  // A tooltip takes the key for itself, and goes with the focus anyway.
  window.addEventListener('keydown', (event) => (hasTooltip() ? onKeyDown(event) : undefined), true);
}

/** Focuses the text that had the focus last, and shows it. */
export function giveBack(dock: Partial<Layout> = {}): void {
  const back = last.region === 'REPL' ? { dock: 'repl' as const, dockOpen: true } : dock;
  flushSync(() => layout.setState({ page: 'editor', ...back }));
  focusLast();
}

/** The panel that the dock showed before the debugger, and whether the dock was open. */
let beforeDebugger: Pick<Layout, 'dock' | 'dockOpen'> = { dock: 'repl', dockOpen: true };

function rememberDock(): void {
  layout.subscribe(({ dock }, before) => {
    if (dock === 'debugger' && before.dock !== 'debugger')
      beforeDebugger = { dock: before.dock, dockOpen: before.dockOpen };
  });
}

/** Leaves the debugger after its last condition: the dock is as it was before, and the keyboard in the text it came from. */
export function leaveDebugger(): void {
  giveBack(beforeDebugger);
}

/** Keeps the keyboard in its region where what had it is taken off the page, such as a list that became empty. */
function keepInRegion(): void {
  let had: { element: Element; region: string } | null = null;
  window.addEventListener('focusin', ({ target }) => {
    const region = focusedRegion();
    had = target instanceof Element && region !== null ? { element: target, region } : null;
  });
  new MutationObserver(() => {
    if (had === null || had.element.isConnected || document.activeElement !== document.body) return;
    const { region } = had;
    had = null;
    focusRegion(region);
  }).observe(document.body, { childList: true, subtree: true });
}

function hasTooltip(): boolean {
  const described = document.activeElement?.getAttribute('aria-describedby') ?? '';
  return described.split(' ').some((id) => document.getElementById(id)?.role === 'tooltip');
}

/** Runs `hide`, which takes a panel off the screen; the keyboard does not stay in what is not there. */
export function hideRegion(hide: () => void): void {
  const before = document.activeElement;
  const had = before !== null && before !== document.body;
  flushSync(hide);
  if (had && (!before.isConnected || before.getClientRects().length === 0)) focusLast();
}

/** Focuses the text that had the focus last, where it is still on screen, else its region, else the editor. */
function focusLast(): void {
  const { region, field } = last;
  // What is hidden keeps the focus until the next frame is drawn.
  if (field && field.getClientRects().length > 0) {
    field.focus();
    if (document.activeElement === field) return;
  }
  if (!focusRegion(region)) focusRegion('Editor');
}

function textRegion(name: string | null): TextRegion | null {
  return TEXTS.find((each) => each === name) ?? null;
}
