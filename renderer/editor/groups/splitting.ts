/** Divides the editor into groups, moves the focus between them, and moves tabs between them. */
import { editorOf } from './active-editor.ts';
import { buffers, bufferOf, changeGroups } from '../text/buffers.ts';
import { copyView, forgetGroup, noteView } from '../text/carets.ts';
import type { Direction } from './grid.ts';
import {
  focusedGroup,
  focusedOn,
  groupOf,
  joined,
  moved,
  MOST_GROUPS,
  neighbourOf,
  shownIn,
  split,
  withEdge,
} from './groups.ts';

/** Returns true if the focused group can be divided, otherwise text that explains when it can. */
export function canSplit(): true | string {
  const { groups, active } = buffers.getState();
  if (active === null) return 'with an open file';
  return groups.groups.length < MOST_GROUPS || `with fewer than ${MOST_GROUPS} groups`;
}

/** Returns true if there is another group to go to, otherwise text that explains when there is one. */
export function hasOtherGroup(): true | string {
  return buffers.getState().groups.groups.length > 1 || 'with a split editor';
}

/** Divides the focused group. The new group shows the same text with the same caret and scroll position, and gets the focus. */
export function splitGroup(direction: Direction): void {
  const { id, shown } = focusedGroup(buffers.getState().groups);
  const fresh = crypto.randomUUID();
  if (shown !== null) {
    keepView(id);
    copyView(id, fresh, shown);
  }
  changeGroups((groups) => split(groups, direction, fresh));
}

/** Closes the focused group; its tabs move to the previous group. */
export function closeGroup(): void {
  const { groups } = buffers.getState();
  joinInto(groups.focused, neighbourOf(groups, groups.focused, -1));
}

/** Closes the other groups; their tabs move to the focused group. */
export function closeOtherGroups(): void {
  const { focused, groups } = buffers.getState().groups;
  for (const { id } of groups) joinInto(id, focused);
}

function joinInto(group: string, heir: string): void {
  if (heir === group) return;
  keepView(group);
  const { groups } = buffers.getState();
  for (const text of groupOf(groups, group)?.tabs ?? [])
    if (!groupOf(groups, heir)?.tabs.includes(text)) copyView(group, heir, text);
  changeGroups((all) => joined(all, group, heir));
  forgetGroup(group);
}

/** Focuses a group, on which commands act from now on. */
export function focusGroup(id: string): void {
  if (buffers.getState().groups.focused !== id) changeGroups((groups) => focusedOn(groups, id));
}

export function focusNeighbour(step: 1 | -1): void {
  const { groups } = buffers.getState();
  focusGroup(neighbourOf(groups, groups.focused, step));
}

/** Moves the shown tab to the next group. If there is no other group, creates one beside it. */
export function moveToOtherGroup(): void {
  const { groups } = buffers.getState();
  const { id, shown, tabs } = focusedGroup(groups);
  if (shown === null) return;
  if (groups.groups.length > 1) moveTab(shown, { from: id, to: neighbourOf(groups, id, 1) });
  else if (tabs.length > 1) {
    splitGroup('right');
    changeGroups((all) => moved(all, shown, { from: id, to: all.focused }));
  }
}

/**
 * Calls `open`, which shows another text in the focused group, and moves that text beside the group. The group keeps the text that it
 * showed, and the focus.
 */
export function showBeside(open: () => void): void {
  const { id, shown } = focusedGroup(buffers.getState().groups);
  open();
  if (shown === null) return;
  moveToOtherGroup();
  changeGroups((groups) => shownIn(focusedOn(groups, id), shown));
}

/** Moves a tab into a group, before another tab or to the end. Its text keeps the scroll position. */
export function moveTab(text: string, place: { from: string; to: string; before?: string | null }): void {
  keepView(place.from);
  if (place.from !== place.to) copyView(place.from, place.to, text);
  changeGroups((groups) => moved(groups, text, place));
}

export function moveEdge(path: string, share: number): void {
  changeGroups((groups) => withEdge(groups, path, share));
}

/** Records the scroll position of a group, because its editor reports it only when another text is shown. */
function keepView(group: string): void {
  const editor = editorOf(group);
  const buffer = bufferOf(editor?.getModel() ?? null);
  if (editor && buffer) noteView(group, buffer.id, editor.saveViewState());
}
