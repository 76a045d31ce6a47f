/** The menu of a row of the browser. */
import { menuEntry } from '../../commands/registry.ts';
import { orNotice } from '../../layout/notices.tsx';
import { ContextMenu } from '../../ui/context-menu.tsx';
import type { MenuGroup } from '../../ui/menu.tsx';
import { exportDefinitions } from './export.ts';
import { openRow } from './jump.ts';
import type { BrowserRow } from './model.ts';

export interface RowMenuProps {
  row: BrowserRow;
  place: { x: number; y: number };
  onClose: () => void;
}

export function RowMenu({ row, place, onClose }: RowMenuProps) {
  return <ContextMenu label={row.label} groups={groupsFor(row)} place={place} onClose={onClose} />;
}

function groupsFor(row: BrowserRow): MenuGroup[] {
  const everything = { id: 'all', entries: [menuEntry('definitions.export')] };
  if (row.type === 'package') {
    const title = `Export Definitions of ${row.label}…`;
    return [
      { id: 'package', entries: [{ id: 'export', title, run: () => void orNotice(exportDefinitions(row.package)) }] },
      everything,
    ];
  }
  const open = { id: 'open', title: 'Go to Source', run: () => void orNotice(openRow(row)) };
  return [
    { id: 'open', entries: [open] },
    { id: 'undo', entries: ['definitions.undo', 'definitions.undoEvaluation'].map(menuEntry) },
    { id: 'look', entries: ['definitions.difference', 'definitions.review'].map(menuEntry) },
    everything,
  ];
}
