/** The dock below the editor: its panels behind tabs. Those with something that goes on stay alive while another is shown. */
import { ChevronDown, CirclePause, CircleStop, Ellipsis, Plus } from 'lucide-react';
import { type Key, Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { interrupt } from '../features/evaluations.ts';
import { orNotice } from '../features/notices.tsx';
import { commandKeys, menuEntry, runCommand } from '../features/command-registry.ts';
import { useMirror } from '../base/mirror.ts';
import { isShared, useOfShownImage, useShownImage } from '../features/repl/active-repl.ts';
import { DebuggerPanel } from '../panels/debugger/debugger.tsx';
import { OutputPanel } from '../panels/output/output-panel.tsx';
import { useProblems } from '../features/problems.ts';
import { Problems } from '../panels/problems/problems.tsx';
import { Search } from '../panels/search/search.tsx';
import { Repl } from '../panels/repl/repl.tsx';
import { Threads } from '../panels/threads/threads.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { MenuButton } from '../ui/menu.tsx';
import { type DockPanel, layout, useLayout } from '../base/layout-store.ts';
import { Text } from '../ui/layout.tsx';
import { look } from '../ui/look.ts';
import styles from './dock.module.css';
import { Toolbar, ToolbarActions } from '../ui/toolbar.tsx';

export function Dock() {
  const dock = useLayout((state) => state.dock);
  const shown = useOfShownImage((image) => image?.running?.evaluation ?? null);
  const running = useMirror((state) => state.session.running !== null) || shown !== null;
  return (
    <Tabs
      className={look({ flow: 'stack', grow: true, surface: 2 }, styles.dock)}
      selectedKey={dock}
      onSelectionChange={(key: Key) => layout.setState({ dock: key as DockPanel })}
    >
      <Toolbar>
        <TabList
          aria-label="Below the editor"
          className={look({ flow: 'row', align: 'stretch', padX: 1 }, styles.tabs)}
        >
          <Tab id="repl" className={look({ flow: 'row', gap: 2, padX: 3, font: 'small-medium', tone: 2 }, styles.tab)}>
            REPL
          </Tab>
          <Tab
            id="debugger"
            className={look({ flow: 'row', gap: 2, padX: 3, font: 'small-medium', tone: 2 }, styles.tab)}
          >
            Debugger <DebuggerCount />
          </Tab>
          <Tab
            id="problems"
            className={look({ flow: 'row', gap: 2, padX: 3, font: 'small-medium', tone: 2 }, styles.tab)}
          >
            Problems
            <ProblemCount />
          </Tab>
          <Tab
            id="search"
            className={look({ flow: 'row', gap: 2, padX: 3, font: 'small-medium', tone: 2 }, styles.tab)}
          >
            Search
          </Tab>
          <Tab
            id="output"
            className={look({ flow: 'row', gap: 2, padX: 3, font: 'small-medium', tone: 2 }, styles.tab)}
          >
            Output
          </Tab>
          <Tab
            id="threads"
            className={look({ flow: 'row', gap: 2, padX: 3, font: 'small-medium', tone: 2 }, styles.tab)}
          >
            Threads
          </Tab>
        </TabList>
        <ToolbarActions>
          {running ? (
            <IconButton
              label="Interrupt into Debugger"
              keys={commandKeys('debugger.pause')}
              onPress={() => runCommand('debugger.pause')}
            >
              <CirclePause className="icon" aria-hidden />
            </IconButton>
          ) : null}
          {running ? (
            <IconButton
              label="Interrupt"
              keys={commandKeys('evaluate.interrupt')}
              onPress={() =>
                dock === 'repl' && shown !== null ? void orNotice(interrupt(shown)) : runCommand('evaluate.interrupt')
              }
            >
              <CircleStop className="icon" aria-hidden />
            </IconButton>
          ) : null}
          {dock === 'repl' ? <ReplActions /> : null}
          <IconButton
            label="Hide dock"
            keys={commandKeys('view.toggleDock')}
            onPress={() => runCommand('view.toggleDock')}
          >
            <ChevronDown className="icon" aria-hidden />
          </IconButton>
        </ToolbarActions>
      </Toolbar>
      <TabPanel
        id="repl"
        shouldForceMount
        className={look({ flow: 'row', align: 'stretch', grow: true }, styles.panel)}
      >
        <Repl />
      </TabPanel>
      <TabPanel id="problems" className={look({ flow: 'row', align: 'stretch', grow: true }, styles.panel)}>
        <Problems />
      </TabPanel>
      <TabPanel id="search" className={look({ flow: 'row', align: 'stretch', grow: true }, styles.panel)}>
        <Search />
      </TabPanel>
      <TabPanel
        id="debugger"
        shouldForceMount
        className={look({ flow: 'row', align: 'stretch', grow: true }, styles.panel)}
      >
        <DebuggerPanel />
      </TabPanel>
      <TabPanel
        id="output"
        shouldForceMount
        className={look({ flow: 'row', align: 'stretch', grow: true }, styles.panel)}
      >
        <OutputPanel />
      </TabPanel>
      <TabPanel id="threads" className={look({ flow: 'row', align: 'stretch', grow: true }, styles.panel)}>
        <Threads />
      </TabPanel>
    </Tabs>
  );
}

/** The number of debuggers that are open, as a badge. */
function DebuggerCount() {
  const count = useMirror((state) => state.debuggers.debuggers.length);
  if (count === 0) return null;
  return (
    <Text padX="mark" font="small-strong" round="inline" surface={4} tone={1}>
      {count} <span className="visually-hidden">open</span>
    </Text>
  );
}

/** The number of problems, in the tab. */
function ProblemCount() {
  const count = useProblems((state) => state.listed.length);
  return count === 0 ? null : (
    <Text padX="mark" surface={4} tone={2} round="inline">
      {count.toLocaleString('en')}
    </Text>
  );
}

/** The actions on REPLs; other panels of the dock have their own rows for what is done in them. */
function ReplActions() {
  return (
    <>
      <IconButton label="New REPL" keys={commandKeys('repl.new')} onPress={() => runCommand('repl.new')}>
        <Plus className="icon" aria-hidden />
      </IconButton>
      <ReplMenu />
    </>
  );
}

function ReplMenu() {
  // The commands of the menu that can be run depend on the REPL and its image's process.
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
