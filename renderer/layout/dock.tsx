/** The dock below the editor: its panels behind tabs. Those with something that goes on stay alive while another is shown. */
import { ChevronDown, ChevronsRight, CirclePause, CircleStop, Ellipsis, Plus } from 'lucide-react';
import { type Key, Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { interrupt } from '../features/evaluations.ts';
import { orNotice } from '../features/notices.tsx';
import { commandKeys, menuEntry, runCommand } from '../features/command-registry.ts';
import { useMirror } from '../base/mirror.ts';
import { isShared, useOfShownImage, useShownImage } from '../features/repl/active-repl.ts';
import { Coverage } from '../panels/coverage/coverage.tsx';
import { DebuggerPanel } from '../panels/debugger/debugger.tsx';
import { Memory } from '../panels/memory/memory.tsx';
import { OutputPanel } from '../panels/output/output-panel.tsx';
import { useProfile } from '../features/profiler/profile-store.ts';
import { useProblems } from '../features/problems.ts';
import { Profiler } from '../panels/profiler/profiler.tsx';
import { Problems } from '../panels/problems/problems.tsx';
import { Search } from '../panels/search/search.tsx';
import { Repl } from '../panels/repl/repl.tsx';
import { Trace } from '../panels/trace/trace.tsx';
import { Threads } from '../panels/threads/threads.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { MenuButton } from '../ui/menu.tsx';
import { type DockPanel, layout, useLayout } from '../base/layout-store.ts';
import { Text } from '../ui/layout.tsx';
import { look } from '../ui/look.ts';
import { useHiddenTabs } from './hidden-tabs.ts';
import { useSecondStep } from './two-steps.tsx';
import styles from './dock.module.css';
import { Toolbar, ToolbarActions } from '../ui/toolbar.tsx';

interface DockEntry {
  readonly id: DockPanel;
  readonly title: string;
  readonly Panel: () => React.JSX.Element;
  /** The count behind the title: how much the panel has to tell. */
  readonly Count?: () => React.JSX.Element | null;
  /** True for a panel with something that goes on while another is shown. */
  readonly staysAlive?: true;
}

/** The panels of the dock, in the order of their tabs. */
const PANELS: readonly DockEntry[] = [
  { id: 'repl', title: 'REPL', Panel: Repl, staysAlive: true },
  { id: 'debugger', title: 'Debugger', Panel: DebuggerPanel, Count: DebuggerCount, staysAlive: true },
  { id: 'problems', title: 'Problems', Panel: Problems, Count: ProblemCount },
  { id: 'search', title: 'Search', Panel: Search },
  { id: 'output', title: 'Output', Panel: OutputPanel, staysAlive: true },
  { id: 'threads', title: 'Threads', Panel: Threads },
  { id: 'memory', title: 'Memory', Panel: Memory },
  { id: 'profiler', title: 'Profiler', Panel: Profiler, Count: SamplingMark },
  { id: 'trace', title: 'Trace', Panel: Trace },
  { id: 'coverage', title: 'Coverage', Panel: Coverage },
];

export function Dock() {
  const dock = useLayout((state) => state.dock);
  const shown = useOfShownImage((image) => image?.running?.evaluation ?? null);
  const running = useMirror((state) => state.session.running !== null) || shown !== null;
  const { list, hidden } = useHiddenTabs();
  const isSecondStep = useSecondStep();
  return (
    <Tabs
      className={look({ flow: 'stack', grow: true, surface: 2 }, styles.dock)}
      selectedKey={dock}
      onSelectionChange={(key: Key) => layout.setState({ dock: key as DockPanel })}
    >
      <Toolbar>
        <TabList
          ref={list}
          aria-label="Below the editor"
          className={look({ flow: 'row', align: 'stretch', padX: 1 }, styles.tabs)}
        >
          {PANELS.map(({ id, title, Count }) => (
            <Tab
              key={id}
              id={id}
              data-tab={id}
              className={look({ flow: 'row', gap: 2, padX: 3, font: 'small-medium', tone: 2 }, styles.tab)}
            >
              {title}
              {Count ? <Count /> : null}
            </Tab>
          ))}
        </TabList>
        <ToolbarActions>
          {hidden.length === 0 ? null : <HiddenPanels hidden={hidden} />}
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
      {PANELS.map(({ id, Panel, staysAlive }) => (
        <TabPanel
          key={id}
          id={id}
          shouldForceMount={isSecondStep && staysAlive === true}
          className={look({ flow: 'row', align: 'stretch', grow: true }, styles.panel)}
        >
          <Panel />
        </TabPanel>
      ))}
    </Tabs>
  );
}

/** A menu of the panels whose tabs are out of sight. */
function HiddenPanels({ hidden }: { hidden: readonly string[] }) {
  return (
    <MenuButton
      label="Further panels"
      placement="top end"
      groups={[
        {
          id: 'panels',
          entries: PANELS.filter(({ id }) => hidden.includes(id)).map(({ id, title }) => ({
            id,
            title,
            keys: commandKeys(`view.${id}`),
            run: () => runCommand(`view.${id}`),
          })),
        },
      ]}
    >
      <IconButton label="Further panels">
        <ChevronsRight className="icon" aria-hidden />
      </IconButton>
    </MenuButton>
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

/** A mark in the tab while all threads are being sampled. */
function SamplingMark() {
  const { sampling } = useProfile();
  return sampling === null ? null : (
    <Text padX="mark" font="small-strong" round="inline" surface={4} tone={1}>
      on
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
