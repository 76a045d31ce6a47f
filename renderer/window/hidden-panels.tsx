/** The menu of the panels whose tabs do not fit into their row. */
import { ChevronsRight } from 'lucide-react';
import { commandKeys, runCommand } from '../base/keys/command-registry.ts';
import { focusCommandOf, panelsAt, type PanelPlace } from '../base/layout/panels.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { MenuButton } from '../ui/menus/menu.tsx';

interface HiddenPanelsProps {
  /** The ids of the panels. */
  hidden: readonly string[];
  place: PanelPlace;
}

export function HiddenPanels({ hidden, place }: HiddenPanelsProps) {
  return (
    <MenuButton
      label="More panels"
      placement={place === 'dock' ? 'top end' : 'bottom end'}
      groups={[
        {
          id: 'panels',
          entries: panelsAt(place)
            .filter(({ id }) => hidden.includes(id))
            .map((panel) => ({
              id: panel.id,
              title: panel.title,
              keys: commandKeys(focusCommandOf(panel)),
              run: () => runCommand(focusCommandOf(panel)),
            })),
        },
      ]}
    >
      <IconButton label="More panels">
        <ChevronsRight className="icon" aria-hidden />
      </IconButton>
    </MenuButton>
  );
}
