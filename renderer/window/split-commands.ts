/** Commands that split the editor into groups and move between them. */
import { Columns2, PanelsTopLeft, Rows2, X } from 'lucide-react';
import { groupsIn } from '../editor/groups/grid.ts';
import { focusedGroup } from '../editor/groups/groups.ts';
import { activeBuffer, buffers } from '../editor/text/buffers.ts';
import {
  canSplit,
  closeGroup,
  closeOtherGroups,
  focusGroup,
  focusNeighbour,
  hasOtherGroup,
  moveToOtherGroup,
  splitGroup,
} from '../editor/groups/splitting.ts';
import { showPage } from '../base/layout/layout-store.ts';
import { focusedRegion, focusRegion, nextPanel, showRegion } from '../base/layout/regions.ts';
import type { Command } from '../base/keys/command-registry.ts';

/** Runs an action on the groups, then moves the keyboard focus to the focused group. */
function inEditor(action: () => void): () => void {
  return () =>
    showRegion('Editor', () => {
      showPage('editor');
      action();
    });
}

/** Goes to the next group of the editor, from the last group to the next panel, and from the last panel to the first group. */
function nextWindow(): void {
  const { grid, focused } = buffers.getState().groups;
  const order = groupsIn(grid);
  const inLastGroup = order.at(-1) === focused;
  if (focusedRegion() === 'Editor' && !inLastGroup) return inEditor(() => focusNeighbour(1))();
  const panel = nextPanel();
  if (panel === 'Editor') inEditor(() => focusGroup(order[0]!))();
  else if (panel !== null) focusRegion(panel);
}

function canMove(): true | string {
  const several = hasOtherGroup() === true || focusedGroup(buffers.getState().groups).tabs.length > 1;
  return activeBuffer() === null ? 'with an open file' : several || 'with a split editor or two files open';
}

export const splitCommands: Command[] = [
  {
    id: 'split.right',
    title: 'Split Right',
    keys: 'Ctrl+\\',
    icon: Columns2,
    when: canSplit,
    run: inEditor(() => splitGroup('right')),
  },
  {
    id: 'split.down',
    title: 'Split Down',
    keys: 'Alt+Shift+\\',
    icon: Rows2,
    when: canSplit,
    run: inEditor(() => splitGroup('down')),
  },
  {
    id: 'split.close',
    title: 'Close Split',
    keys: 'Ctrl+Shift+W',
    icon: X,
    when: hasOtherGroup,
    detail: () => 'its tabs go to the other group',
    run: inEditor(closeGroup),
  },
  {
    id: 'split.only',
    title: 'Close Other Splits',
    icon: X,
    when: hasOtherGroup,
    detail: () => 'their tabs go to this group',
    run: inEditor(closeOtherGroups),
  },
  {
    id: 'split.next',
    title: 'Focus Next Group',
    keys: 'Ctrl+F6',
    icon: PanelsTopLeft,
    when: hasOtherGroup,
    run: inEditor(() => focusNeighbour(1)),
  },
  { id: 'windows.next', title: 'Next Window', icon: PanelsTopLeft, run: nextWindow },
  {
    id: 'split.previous',
    title: 'Focus Previous Group',
    keys: 'Ctrl+Shift+F6',
    icon: PanelsTopLeft,
    when: hasOtherGroup,
    run: inEditor(() => focusNeighbour(-1)),
  },
  {
    id: 'split.moveTab',
    title: 'Move Tab to Other Group',
    keys: 'Ctrl+Shift+PageDown',
    icon: Columns2,
    when: canMove,
    detail: () => activeBuffer()?.title,
    run: inEditor(moveToOtherGroup),
  },
];
