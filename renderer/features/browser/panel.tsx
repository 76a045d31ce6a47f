/** The Browser, shown in place of the editor: the contents of the image, searchable by name. */
import { X } from 'lucide-react';
import { type Key, Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { type BrowserTab, layout, showPage, useLayout } from '../../base/layout/layout-store.ts';
import { showRegion } from '../../base/layout/regions.ts';
import { commandKeys } from '../../base/keys/command-registry.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { look } from '../../ui/look.ts';
import { Region } from '../../ui/panels/panel.tsx';
import { Toolbar, ToolbarActions } from '../../ui/panels/toolbar.tsx';
import { Apropos } from './apropos/apropos.tsx';
import { BuildComparison } from './built/build-comparison.tsx';
import { Classes } from './classes/classes.tsx';
import { GenericFunctions } from './functions.tsx';
import { SystemDependencies } from './systems/systems.tsx';
import { Packages } from './packages/packages.tsx';
import styles from './panel.module.css';

const TABS: { id: BrowserTab; title: string; Panel: () => React.JSX.Element }[] = [
  { id: 'apropos', title: 'Apropos', Panel: Apropos },
  { id: 'classes', title: 'Classes', Panel: Classes },
  { id: 'functions', title: 'Generic functions', Panel: GenericFunctions },
  { id: 'packages', title: 'Packages', Panel: Packages },
  { id: 'systems', title: 'Systems', Panel: SystemDependencies },
  { id: 'build', title: 'Clean build', Panel: BuildComparison },
];

export function Browser() {
  const browser = useLayout((state) => state.browser);
  return (
    <Region name="Browser">
      <Tabs
        className={look({ flow: 'stack', grow: true })}
        selectedKey={browser}
        // Choosing a tab focuses the field in its panel. If the arrow keys chose tabs immediately, the focus would leave the tabs at the
        // first key.
        keyboardActivation="manual"
        onSelectionChange={(key: Key) => layout.setState({ browser: key as BrowserTab })}
      >
        <Toolbar>
          <TabList
            aria-label="Content of the image"
            className={look({ flow: 'row', align: 'stretch', padX: 1 }, styles.tabs)}
          >
            {TABS.map(({ id, title }) => (
              <Tab
                key={id}
                id={id}
                className={look({ flow: 'row', gap: 2, padX: 3, font: 'small-medium', tone: 2 }, styles.tab)}
              >
                {title}
              </Tab>
            ))}
          </TabList>
          <ToolbarActions>
            <IconButton
              label="Back to the editor"
              keys={commandKeys('view.editor')}
              onPress={() => showRegion('Editor', () => showPage('editor'))}
            >
              <X className="icon" aria-hidden />
            </IconButton>
          </ToolbarActions>
        </Toolbar>
        {TABS.map(({ id, Panel }) => (
          <TabPanel key={id} id={id} className={look({ flow: 'stack', grow: true }, styles.panel)}>
            <Panel />
          </TabPanel>
        ))}
      </Tabs>
    </Region>
  );
}
