/** The dock below the editor: REPL and Output behind tabs. Both stay alive while the other is shown. */
import './dock.css';
import { ChevronDown, CircleStop, Ellipsis } from 'lucide-react';
import { type Key, Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { commandKeys, menuEntry, runCommand } from '../commands/registry.ts';
import { useMirror } from '../mirror.ts';
import { OutputPanel } from '../panels/output/output-panel.tsx';
import { Repl } from '../panels/repl/repl.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { MenuButton } from '../ui/menu.tsx';
import { type DockPanel, layout, useLayout } from './layout-store.ts';

export function Dock() {
  const dock = useLayout((state) => state.dock);
  const running = useMirror((state) => state.session.running !== null);
  return (
    <Tabs
      className="dock"
      selectedKey={dock}
      onSelectionChange={(key: Key) => layout.setState({ dock: key as DockPanel })}
    >
      <div className="tab-bar">
        <TabList aria-label="Below the editor" className="dock-tabs">
          <Tab id="repl" className="dock-tab">
            REPL
          </Tab>
          <Tab id="output" className="dock-tab">
            Output
          </Tab>
        </TabList>
        <div className="bar-actions">
          {running ? (
            <IconButton
              label="Interrupt"
              keys={commandKeys('evaluate.interrupt')}
              onPress={() => runCommand('evaluate.interrupt')}
            >
              <CircleStop className="icon" aria-hidden />
            </IconButton>
          ) : null}
          <ReplMenu />
          <IconButton
            label="Hide dock"
            keys={commandKeys('view.toggleDock')}
            onPress={() => runCommand('view.toggleDock')}
          >
            <ChevronDown className="icon" aria-hidden />
          </IconButton>
        </div>
      </div>
      <TabPanel id="repl" shouldForceMount className="dock-panel">
        <Repl />
      </TabPanel>
      <TabPanel id="output" shouldForceMount className="dock-panel">
        <OutputPanel />
      </TabPanel>
    </Tabs>
  );
}

function ReplMenu() {
  // Which of them can be run depends on it.
  useMirror((state) => state.session.pid);
  return (
    <MenuButton
      label="REPL"
      placement="bottom end"
      groups={[{ id: 'repl', entries: ['repl.clear', 'repl.resetReader'].map(menuEntry) }]}
    >
      <IconButton label="REPL menu">
        <Ellipsis className="icon" aria-hidden />
      </IconButton>
    </MenuButton>
  );
}
