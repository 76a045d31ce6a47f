/** The frame of the window: bars and rail at the edges, panels and their dragged edges between them. */
import './frame.css';
import { useSyncExternalStore } from 'react';
import { Editor } from '../editor/editor.tsx';
import { Activity } from '../panels/activity/activity.tsx';
import { Clients } from '../panels/clients/clients.tsx';
import { Definitions } from '../panels/definitions/definitions.tsx';
import { Systems } from '../panels/systems/systems.tsx';
import { Splitter } from '../ui/splitter.tsx';
import { AlertBar } from './alert-bar.tsx';
import { Dock } from './dock.tsx';
import { layout, useLayout } from './layout-store.ts';
import { Rail } from './rail.tsx';
import { StatusBar } from './status-bar.tsx';
import { TitleBar } from './title-bar.tsx';
import { TrustBar } from './trust-bar.tsx';

/** What the editor keeps for itself whatever is dragged. */
const LEAST_EDITOR = { width: 320, height: 140 };

export function Frame() {
  const { page, left, dockOpen, leftWidth, dockHeight } = useLayout((state) => state);
  const size = useWindowSize();
  const widest = Math.max(200, size.width - 44 - LEAST_EDITOR.width);
  const highest = Math.max(96, size.height - 40 - 24 - LEAST_EDITOR.height);
  const width = Math.min(leftWidth, widest);
  const height = Math.min(dockHeight, highest);
  return (
    <div className="frame">
      <TitleBar />
      <AlertBar />
      <TrustBar />
      <div className="middle">
        <Rail />
        <main className="pages">
          {page === 'activity' ? <Activity /> : null}
          <div className="workspace" hidden={page !== 'editor'}>
            {left === null ? null : (
              <div className="left" style={{ width }}>
                {left === 'definitions' ? <Definitions /> : null}
                {left === 'systems' ? <Systems /> : null}
                {left === 'clients' ? <Clients /> : null}
                <Splitter
                  label="Width of the left panel"
                  orientation="vertical"
                  value={width}
                  min={200}
                  max={Math.min(640, widest)}
                  direction={1}
                  onChange={(leftWidth) => layout.setState({ leftWidth })}
                />
              </div>
            )}
            <div className="centre">
              <Editor />
              <div className="below" style={{ height }} hidden={!dockOpen}>
                <Splitter
                  label="Height of the dock"
                  orientation="horizontal"
                  value={height}
                  min={96}
                  max={highest}
                  direction={-1}
                  onChange={(dockHeight) => layout.setState({ dockHeight })}
                />
                <Dock />
              </div>
            </div>
          </div>
        </main>
      </div>
      <StatusBar />
    </div>
  );
}

function useWindowSize(): { width: number; height: number } {
  const text = useSyncExternalStore(
    (changed) => {
      window.addEventListener('resize', changed);
      return () => window.removeEventListener('resize', changed);
    },
    () => `${window.innerWidth}x${window.innerHeight}`,
  );
  const [width = 0, height = 0] = text.split('x').map(Number);
  return { width, height };
}
