/** Returns the focus to the text in which the person last worked, when Escape leaves a panel or the focused panel is hidden. */
import { flushSync } from 'react-dom';
import { layout, type Layout } from './layout-store.ts';
import { focusedRegion, focusRegion } from './regions.ts';

/** The regions whose texts get the focus back. Escape has its own meanings in these texts. */
const TEXTS = ['Editor', 'REPL'] as const;
type TextRegion = (typeof TEXTS)[number];

const FIELD = 'textarea, input, .native-edit-context';

/** The text field that last had the focus, and its region. */
let last: { region: TextRegion; field: HTMLElement | null } = { region: 'Editor', field: null };

/** Tracks the focus, and handles each Escape that nothing else on the page handled. */
export function startGivingBack(): void {
  window.addEventListener('focusin', ({ target }) => {
    const region = textRegion(focusedRegion());
    if (region === null || !(target instanceof HTMLElement)) return;
    // A button of the region is not a text field, so the focus will still return to the previous text field.
    if (target.matches(FIELD)) last = { region, field: target };
    else if (region !== last.region) last = { region, field: null };
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
    const at = document.activeElement;
    const region = focusedRegion();
    const isNowhere = at === null || at === document.body;
    // Dialogs are outside the regions and handle Escape on their own.
    if (region === null ? !isNowhere : textRegion(region) !== null && at?.matches(FIELD)) return;
    event.preventDefault();
    giveBack();
  };
  window.addEventListener('keydown', onKeyDown);
  keepInRegion();
  rememberDock();
  // A tooltip would consume Escape, so handle the key before the tooltip does. The tooltip disappears with the focus.
  window.addEventListener('keydown', (event) => (hasTooltip() ? onKeyDown(event) : undefined), true);
}

/** Shows and focuses the text field that last had the focus. */
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

/** Leaves the debugger after its last condition. Restores the dock, and returns the focus to the previous text. */
export function leaveDebugger(): void {
  giveBack(beforeDebugger);
}

/**
 * Keeps the focus in its region if the focused element is removed, such as a list that became empty. If the element was in no region, such
 * as the button of a bar or a notice, the text that last had the focus gets it.
 */
function keepInRegion(): void {
  let had: { element: Element; region: string | null } | null = null;
  window.addEventListener('focusin', ({ target }) => {
    had = target instanceof Element ? { element: target, region: focusedRegion() } : null;
  });
  const isLost = (): boolean => had?.element.isConnected === false && document.activeElement === document.body;
  new MutationObserver(() => {
    if (!isLost()) return;
    const region = had?.region ?? null;
    if (region !== null) {
      had = null;
      focusRegion(region);
      return;
    }
    // A dialog or a menu returns the focus itself when the next frame is drawn.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (!isLost()) return;
        had = null;
        focusLast();
      }),
    );
  }).observe(document.body, { childList: true, subtree: true });
}

function hasTooltip(): boolean {
  const described = document.activeElement?.getAttribute('aria-describedby') ?? '';
  return described.split(' ').some((id) => document.getElementById(id)?.role === 'tooltip');
}

/** Runs `hide`, which removes a panel from the screen, and moves the focus out of the hidden panel. */
export function hideRegion(hide: () => void): void {
  const before = document.activeElement;
  const had = before !== null && before !== document.body;
  flushSync(hide);
  if (had && (!before.isConnected || before.getClientRects().length === 0)) focusLast();
}

/** Focuses the last text field if it is still visible, otherwise its region, otherwise the editor. */
function focusLast(): void {
  const { region, field } = last;
  // A hidden element keeps the focus until the next frame is drawn.
  if (field && field.getClientRects().length > 0) {
    field.focus();
    if (document.activeElement === field) return;
  }
  if (!focusRegion(region)) focusRegion('Editor');
}

function textRegion(name: string | null): TextRegion | null {
  return TEXTS.find((each) => each === name) ?? null;
}
