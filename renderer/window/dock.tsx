/** The dock below the editor, whose panels are behind tabs. Panels with ongoing work stay mounted while another panel is shown. */
import { ChevronDown, CirclePause, CircleStop } from 'lucide-react';
import { type Key, Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { interrupt } from '../base/image/evaluations.ts';
import { orNotice } from '../base/notices/notices.tsx';
import { commandKeys, runCommand } from '../base/keys/command-registry.ts';
import { useMirror } from '../base/mirror.ts';
import { useOfShownImage } from '../base/image/active-repl.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { layout, useLayout } from '../base/layout/layout-store.ts';
import { panelsAt } from '../base/layout/panels.ts';
import { look } from '../ui/look.ts';
import { HiddenPanels } from './hidden-panels.tsx';
import { useHiddenTabs } from './hidden-tabs.ts';
import { useSecondStep } from './two-steps.tsx';
import styles from './dock.module.css';
import { Toolbar, ToolbarActions } from '../ui/panels/toolbar.tsx';

export function Dock() {
  const dock = useLayout((state) => state.dock);
  const shown = useOfShownImage((image) => image?.running?.evaluation ?? null);
  const running = useMirror((state) => state.session.running !== null) || shown !== null;
  const { list, hidden } = useHiddenTabs();
  const panels = panelsAt('dock');
  const Actions = panels.find(({ id }) => id === dock)?.Actions;
  const isSecondStep = useSecondStep();
  return (
    <Tabs
      className={look({ flow: 'stack', grow: true, surface: 2 }, styles.dock)}
      selectedKey={dock}
      onSelectionChange={(key: Key) => layout.setState({ dock: String(key) })}
    >
      <Toolbar>
        <TabList
          ref={list}
          aria-label="Below the editor"
          className={look({ flow: 'row', align: 'stretch', padX: 1 }, styles.tabs)}
        >
          {panels.map(({ id, title, Count }) => (
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
          {hidden.length === 0 ? null : <HiddenPanels hidden={hidden} place="dock" />}
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
          {Actions ? <Actions /> : null}
          <IconButton
            label="Hide dock"
            keys={commandKeys('view.toggleDock')}
            onPress={() => runCommand('view.toggleDock')}
          >
            <ChevronDown className="icon" aria-hidden />
          </IconButton>
        </ToolbarActions>
      </Toolbar>
      {panels.map(({ id, Panel, staysAlive }) => (
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
