/** Registers the contributions of the features where the window looks them up. */
import { registerCommands } from '../base/keys/command-registry.ts';
import { allPanels, panelsAt, registerPanels } from '../base/layout/panels.ts';
import { setRegionOrder } from '../base/layout/regions.ts';
import { addToEditor } from '../editor/additions.ts';
import { features } from '../features/all.ts';
import { inMenuOrder } from './menus.ts';
import { splitCommands } from './split-commands.ts';
import { structureCommands } from './structure-commands.ts';
import { textCommands } from './text-commands.ts';
import { panelCommands, viewCommands } from './view-commands.ts';

/** Registers the panels, commands and editor parts of all features, and the commands of the window itself. Must be called once. */
export function registerFeatures(): void {
  for (const { panels = [], editor } of features) {
    registerPanels(panels);
    if (editor) addToEditor(editor);
  }
  const commands = features.flatMap((feature) => feature.commands ?? []);
  registerCommands(
    inMenuOrder([
      ...structureCommands,
      ...commands,
      ...splitCommands,
      ...panelCommands(commands, allPanels()),
      ...viewCommands,
      ...textCommands,
    ]),
  );
  const titles = (...panels: ReturnType<typeof panelsAt>): string[] => panels.map(({ title }) => title);
  setRegionOrder([
    'Title bar',
    'Panels',
    ...titles(...panelsAt('left')),
    ...titles(...panelsAt('page')),
    'Tour',
    ...titles(...panelsAt('middle')),
    'Editor',
    ...titles(...panelsAt('dock')),
    ...titles(...panelsAt('side')),
    'Status bar',
  ]);
}
