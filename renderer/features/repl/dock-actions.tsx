/** The actions on REPLs, in the dock's row of tabs. */
import { Ellipsis, ListFilter, Plus } from 'lucide-react';
import { useLayout } from '../../base/layout/layout-store.ts';
import { isShared, useShowsAgents, useShownImage } from '../../base/image/active-repl.ts';
import { commandKeys, menuEntry, runCommand } from '../../base/keys/command-registry.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { MenuButton } from '../../ui/menus/menu.tsx';

export function ReplActions() {
  return (
    <>
      <IconButton label="New REPL" keys={commandKeys('repl.new')} onPress={() => runCommand('repl.new')}>
        <Plus className="icon" aria-hidden />
      </IconButton>
      <ShowMenu />
      <ReplMenu />
    </>
  );
}

/** Chooses whose evaluations are shown, in a REPL that shows those of agents. */
function ShowMenu() {
  // The details of the commands name the current choice.
  useLayout(({ replShows, replFolds }) => `${replShows} ${replFolds}`);
  if (!useShowsAgents()) return null;
  return (
    <MenuButton
      label="Evaluations to show"
      placement="bottom end"
      groups={[
        { id: 'whose', entries: ['repl.show.everyone', 'repl.show.mine', 'repl.show.agents'].map(menuEntry) },
        { id: 'folds', entries: [menuEntry('repl.foldAgents')] },
      ]}
    >
      <IconButton label="Evaluations to show">
        <ListFilter className="icon" aria-hidden />
      </IconButton>
    </MenuButton>
  );
}

function ReplMenu() {
  // Which commands of the menu are enabled depends on the REPL and on its image's process.
  const image = useShownImage();
  const further = image !== null && !isShared(image);
  return (
    <MenuButton
      label="REPL"
      placement="bottom end"
      groups={[
        {
          id: 'repls',
          entries: ['repl.new', 'image.new', 'repl.rename', 'repl.close'].map(menuEntry),
        },
        {
          id: 'image',
          entries: further ? ['image.rename', 'image.restartFurther', 'image.end'].map(menuEntry) : [],
        },
        {
          id: 'repl',
          entries: [
            'repl.searchHistory',
            'repl.copyTranscript',
            'repl.saveTranscript',
            'repl.saveScript',
            'repl.clear',
            'repl.resetReader',
          ].map(menuEntry),
        },
      ]}
    >
      <IconButton label="REPL menu">
        <Ellipsis className="icon" aria-hidden />
      </IconButton>
    </MenuButton>
  );
}
