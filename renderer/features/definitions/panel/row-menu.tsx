/** The context menu of a row of the browser. */
import { menuEntry } from '../../../base/keys/command-registry.ts';
import { orNotice } from '../../../base/notices/notices.tsx';
import { ContextMenu } from '../../../ui/menus/context-menu.tsx';
import type { MenuGroup } from '../../../ui/menus/menu.tsx';
import { shownPackage } from '../../../sexp/packages.ts';
import { exportDefinitions } from '../export-definitions.ts';
import { openRow } from '../open-definition.ts';
import type { BrowserRow } from '../definition-rows.ts';

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
  if (row.type !== 'definition') {
    const title = `Export Definitions of ${shownPackage(row.package)}…`;
    return [
      { id: 'package', entries: [{ id: 'export', title, run: () => void orNotice(exportDefinitions(row.package)) }] },
      everything,
    ];
  }
  const open = { id: 'open', title: 'Go to Source', run: () => void orNotice(openRow(row)) };
  return [
    { id: 'open', entries: [open] },
    { id: 'undo', entries: ['definitions.undo', 'definitions.undoEvaluation', 'definitions.undefine'].map(menuEntry) },
    { id: 'look', entries: ['definitions.difference', 'definitions.review'].map(menuEntry) },
    everything,
  ];
}
