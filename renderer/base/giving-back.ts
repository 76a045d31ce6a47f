/**
 * The way back of the keyboard to the text in which the person worked last: out of each panel by Escape, and when the panel that
 * has it is hidden.
 */
import { flushSync } from 'react-dom';
import { layout } from './layout-store.ts';
import { focusedRegion, focusRegion } from './regions.ts';

/** The regions in which one types for a living; Escape means something of its own there. */
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
    const region = focusedRegion();
    // Outside the regions are dialogs, which close by themselves.
    const nowhere = document.activeElement === null || document.activeElement === document.body;
    if (region === null ? !nowhere : textRegion(region) !== null) return;
    event.preventDefault();
    giveBack();
  };
  window.addEventListener('keydown', onKeyDown);
  // A tooltip takes the key for itself, and goes with the focus anyway.
  window.addEventListener('keydown', (event) => (hasTooltip() ? onKeyDown(event) : undefined), true);
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
  if (had && (!before.isConnected || before.getClientRects().length === 0)) giveBack();
}

function giveBack(): void {
  const { region, field } = last;
  if (region === 'REPL') flushSync(() => layout.setState({ page: 'editor', dock: 'repl', dockOpen: true }));
  else flushSync(() => layout.setState({ page: 'editor' }));
  field?.focus();
  if (field === null || document.activeElement !== field) focusRegion(region);
}

function textRegion(name: string | null): TextRegion | null {
  return TEXTS.find((each) => each === name) ?? null;
}
