/** The column at the right of the editor: what the name at the caret means, where it is used, an object, and agents. */
import { Pin, X } from 'lucide-react';
import { type Key, Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { layout, type SidePanel, useLayout } from '../base/layout-store.ts';
import { commandKeys, runCommand } from '../features/command-registry.ts';
import { togglePinned, useDocumented } from '../features/documented.ts';
import { Agent } from '../panels/agent/agent.tsx';
import { Documentation } from '../panels/documentation/documentation.tsx';
import { Inspector } from '../panels/inspector/inspector.tsx';
import { References } from '../panels/references/references.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { look } from '../ui/look.ts';
import { Toolbar, ToolbarActions } from '../ui/toolbar.tsx';
import styles from './dock.module.css';

const PANELS: { id: SidePanel; title: string; Panel: () => React.JSX.Element }[] = [
  { id: 'documentation', title: 'Documentation', Panel: Documentation },
  { id: 'references', title: 'References', Panel: References },
  { id: 'inspector', title: 'Inspector', Panel: Inspector },
  { id: 'agent', title: 'Agent', Panel: Agent },
];

export function Side() {
  const side = useLayout((state) => state.side);
  const pinned = useDocumented((state) => state.pinned);
  return (
    <Tabs
      className={look({ flow: 'stack', grow: true, surface: 1 }, styles.dock, styles.side)}
      selectedKey={side}
      onSelectionChange={(key: Key) => layout.setState({ side: key as SidePanel })}
    >
      <Toolbar>
        <TabList
          aria-label="Beside the editor"
          className={look({ flow: 'row', align: 'stretch', padX: 1 }, styles.tabs)}
        >
          {PANELS.map(({ id, title }) => (
            <Tab
              key={id}
              id={id}
              className={look({ flow: 'row', gap: 2, padX: 2, font: 'small-medium', tone: 2 }, styles.tab)}
            >
              {title}
            </Tab>
          ))}
        </TabList>
        <ToolbarActions>
          {side === 'documentation' ? (
            <IconButton
              label={pinned ? 'Follow the caret' : 'Keep this name'}
              aria-pressed={pinned}
              onPress={togglePinned}
            >
              <Pin className="icon" aria-hidden />
            </IconButton>
          ) : null}
          <IconButton
            label="Hide right column"
            keys={commandKeys('view.toggleSide')}
            onPress={() => runCommand('view.toggleSide')}
          >
            <X className="icon" aria-hidden />
          </IconButton>
        </ToolbarActions>
      </Toolbar>
      {PANELS.map(({ id, Panel }) => (
        <TabPanel key={id} id={id} className={look({ flow: 'row', align: 'stretch', grow: true }, styles.panel)}>
          <Panel />
        </TabPanel>
      ))}
    </Tabs>
  );
}
