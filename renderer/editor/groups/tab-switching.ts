/** Switches between the focused group's texts, either in tab order or in the order in which they were last shown. */
import { buffers, showBuffer, type TextBuffer } from '../text/buffers.ts';
import { focusedGroup } from './groups.ts';
import { noteShown, recentTabs } from './recent-tabs.ts';

/** The order of texts while the modifier key is held down, and the current position in that order. */
let walk: { order: string[]; at: number } | null = null;

/** Records from now on which texts are shown. */
export function startTabOrder(): void {
  buffers.subscribe((state, before) => {
    if (state.active === before.active || walk !== null) return;
    if (state.active !== null) noteShown(state.active);
  });
  window.addEventListener('keyup', ({ key }) => {
    if (key !== 'Control' || walk === null) return;
    walk = null;
    const { active } = buffers.getState();
    if (active !== null) noteShown(active);
  });
}

/** Shows the previously shown text. Repeated calls while the modifier key is down go further back. */
export function showRecent(direction: 1 | -1): void {
  const open = focusedGroup(buffers.getState().groups).tabs;
  const recent = recentTabs();
  walk ??= {
    order: [...recent.filter((id) => open.includes(id)), ...open.filter((id) => !recent.includes(id))],
    at: 0,
  };
  const { order } = walk;
  walk.at = (walk.at + direction + order.length) % Math.max(1, order.length);
  const id = order[walk.at];
  if (id !== undefined) showBuffer(id);
}

/** Returns the open texts, starting with the previously shown one and ending with the current one. */
export function othersFirst(): readonly TextBuffer[] {
  const { buffers: open, active } = buffers.getState();
  const recent = recentTabs();
  const rank = ({ id }: TextBuffer): number => {
    const at = recent.indexOf(id);
    return id === active ? Number.POSITIVE_INFINITY : at < 0 ? recent.length : at;
  };
  return open.toSorted((one, other) => rank(one) - rank(other));
}

/** Shows the text of the next or previous tab, cyclically. */
export function showNeighbour(direction: 1 | -1): void {
  const { tabs, shown } = focusedGroup(buffers.getState().groups);
  const at = shown === null ? -1 : tabs.indexOf(shown);
  const next = tabs[(at + direction + tabs.length) % Math.max(1, tabs.length)];
  if (next !== undefined) showBuffer(next);
}
