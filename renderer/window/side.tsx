/** The column on the right of the editor: documentation of the name at the caret, its references, an inspected object, and agents. */
import { X } from 'lucide-react';
import { type Key, Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { layout, useLayout } from '../base/layout/layout-store.ts';
import { panelsAt } from '../base/layout/panels.ts';
import { commandKeys, runCommand } from '../base/keys/command-registry.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { look } from '../ui/look.ts';
import { Toolbar, ToolbarActions } from '../ui/panels/toolbar.tsx';
import { HiddenPanels } from './hidden-panels.tsx';
import { useHiddenTabs } from './hidden-tabs.ts';
import styles from './dock.module.css';

export function Side() {
  const side = useLayout((state) => state.side);
  const panels = panelsAt('side');
  const { list, hidden } = useHiddenTabs();
  const Actions = panels.find(({ id }) => id === side)?.Actions;
  return (
    <Tabs
      className={look({ flow: 'stack', grow: true, surface: 1 }, styles.dock, styles.side)}
      selectedKey={side}
      onSelectionChange={(key: Key) => layout.setState({ side: String(key) })}
    >
      <Toolbar>
        <TabList
          ref={list}
          aria-label="Beside the editor"
          className={look({ flow: 'row', align: 'stretch', padX: 1 }, styles.tabs)}
        >
          {panels.map(({ id, title }) => (
            <Tab
              key={id}
              id={id}
              data-tab={id}
              className={look({ flow: 'row', gap: 2, padX: 2, font: 'small-medium', tone: 2 }, styles.tab)}
            >
              {title}
            </Tab>
          ))}
        </TabList>
        <ToolbarActions>
          {hidden.length === 0 ? null : <HiddenPanels hidden={hidden} place="side" />}
          {Actions ? <Actions /> : null}
          <IconButton
            label="Hide right column"
            keys={commandKeys('view.toggleSide')}
            onPress={() => runCommand('view.toggleSide')}
          >
            <X className="icon" aria-hidden />
          </IconButton>
        </ToolbarActions>
      </Toolbar>
      {panels.map(({ id, Panel }) => (
        <TabPanel key={id} id={id} className={look({ flow: 'row', align: 'stretch', grow: true }, styles.panel)}>
          <Panel />
        </TabPanel>
      ))}
    </Tabs>
  );
}
