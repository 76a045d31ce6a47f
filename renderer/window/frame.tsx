/** The frame of the window: bars and rail at the edges, and the panels between them, separated by draggable edges. */
import { useSyncExternalStore } from 'react';
import { Editor } from '../editor/groups/editor.tsx';
import { Notices } from '../base/notices/notices.tsx';
import { useHasDebugger } from '../features/debugger/panel/closing-delay.ts';
import { Welcome } from '../features/start/welcome.tsx';
import { Tour } from '../features/tour/panel.tsx';
import { Splitter } from '../ui/panels/splitter.tsx';
import { AlertBar } from './bars/alert-bar.tsx';
import { Dock } from './dock.tsx';
import {
  hasRoomForLeft,
  hasRoomForSide,
  isWholePage,
  layout,
  LEAST_BESIDE,
  LEAST_EDITOR,
  LEAST_LEFT,
  LEAST_SIDE,
  LEAST_UNDER,
  RAIL,
  useLayout,
} from '../base/layout/layout-store.ts';
import { panelsAt, type PanelPlace } from '../base/layout/panels.ts';
import { Rail } from './rail.tsx';
import { Side } from './side.tsx';
import { ServerBar } from './bars/server-bar.tsx';
import { StatusBar } from './bars/status-bar.tsx';
import { TitleBar } from './bars/title-bar.tsx';
import { TrustBar } from './bars/trust-bar.tsx';
import { Later } from './two-steps.tsx';
import { Row, Stack } from '../ui/layout.tsx';
import { classes } from '../ui/look.ts';
import styles from './frame.module.css';

/**
 * The minimum height of the editor in pixels. In a window lower than `LOW`, the minimum is `LEAST_IN_LOW`: four lines of code under the
 * tabs.
 */
const LEAST_HEIGHT = 140;
const LEAST_IN_LOW = 116;
const LOW = 420;

/**
 * The minimum height of the dock in pixels. With a debugger, the minimum is `LEAST_DEBUGGER`: room for a condition with its restarts,
 * frames and variables.
 */
const LEAST_DOCK = 96;
const LEAST_DEBUGGER = 340;

export function Frame() {
  const shown = useLayout((state) => state);
  const { page, left, dock, dockOpen, leftWidth, dockWindow, sideOpen, over } = shown;
  const size = useWindowSize();
  const under = size.width - RAIL - LEAST_UNDER;
  const leftLies = !hasRoomForLeft(size.width);
  const hasLeft = left !== null && (!leftLies || over === 'left');
  const sideLies = !hasRoomForSide(size.width, left !== null && !leftLies);
  const hasSide = sideLies ? over === 'side' : sideOpen;
  const room = size.width - RAIL - LEAST_EDITOR;
  const widest = leftLies ? under : Math.max(LEAST_LEFT, room - (hasSide && !sideLies ? LEAST_SIDE : 0));
  const leastHeight = size.height < LOW ? LEAST_IN_LOW : LEAST_HEIGHT;
  const highest = Math.max(LEAST_DOCK, size.height - 40 - 24 - leastHeight);
  const width = Math.min(leftWidth, widest);
  const widestSide = sideLies
    ? under
    : Math.max(LEAST_SIDE, size.width - RAIL - LEAST_BESIDE - (left === null ? 0 : width));
  const sideWidth = Math.min(shown.sideWidth, widestSide);
  const share = Math.min(1, size.height / dockWindow);
  const hasDebugger = useHasDebugger();
  const debugs = dock === 'debugger' && hasDebugger;
  const lowest = Math.min(debugs ? LEAST_DEBUGGER : LEAST_DOCK, highest);
  const dockHeight = Math.round(shown.dockHeight * share);
  const debuggerHeight = Math.round(shown.debuggerHeight * share);
  const height = Math.min(Math.max(lowest, debugs ? debuggerHeight : dockHeight), highest);
  const dragDock = (changed: number): void =>
    layout.setState({
      dockHeight,
      debuggerHeight,
      [debugs ? 'debuggerHeight' : 'dockHeight']: changed,
      dockWindow: size.height,
    });
  return (
    <Stack tall="full">
      <TitleBar />
      <AlertBar />
      <TrustBar />
      <ServerBar />
      <Row align="stretch" grow>
        <Rail hasLeft={hasLeft} />
        <Row as="main" align="stretch" grow>
          <PanelAt place="page" id={page} />
          <Row align="stretch" grow className={styles.workspace} hidden={isWholePage(page)}>
            {!hasLeft ? null : (
              <Row
                align="stretch"
                fixed
                surface={1}
                className={classes(styles.left, leftLies && styles.over)}
                style={{ width }}
              >
                <Later>
                  <PanelAt place="left" id={left} />
                </Later>
                <Splitter
                  label="Width of the left panel"
                  orientation="vertical"
                  value={width}
                  min={Math.min(LEAST_LEFT, widest)}
                  max={Math.min(640, widest)}
                  direction={1}
                  onChange={(leftWidth) => layout.setState({ leftWidth })}
                />
              </Row>
            )}
            <Stack grow onFocus={uncover} onPointerDown={uncover}>
              <Tour />
              <PanelAt place="middle" id={page} />
              <Stack grow className={styles.editor} hidden={page !== 'editor' && !isWholePage(page)}>
                <Editor empty={page === 'welcome' ? null : <Welcome />} />
              </Stack>
              <Row align="stretch" fixed edge="top" className={styles.below} style={{ height }} hidden={!dockOpen}>
                <Splitter
                  label="Height of the dock"
                  orientation="horizontal"
                  value={height}
                  min={lowest}
                  max={highest}
                  direction={-1}
                  onChange={dragDock}
                />
                <Dock />
              </Row>
            </Stack>
            {hasSide ? (
              <Row
                align="stretch"
                fixed
                surface={1}
                className={classes(styles.right, sideLies && styles.over)}
                style={{ width: sideWidth }}
              >
                <Splitter
                  label="Width of the right column"
                  orientation="vertical"
                  value={sideWidth}
                  min={Math.min(LEAST_SIDE, widestSide)}
                  max={Math.min(900, widestSide)}
                  direction={-1}
                  onChange={(changed) => layout.setState({ sideWidth: changed })}
                />
                <Later>
                  <Side />
                </Later>
              </Row>
            ) : null}
          </Row>
        </Row>
      </Row>
      <Notices />
      <StatusBar />
    </Stack>
  );
}

/** Draws the panel with this id if the panel belongs to `place`; otherwise draws nothing. */
function PanelAt({ place, id }: { place: PanelPlace; id: string }) {
  const Panel = panelsAt(place).find((each) => each.id === id)?.Panel;
  return Panel ? <Panel /> : null;
}

/** When the user works in the editor or the dock, hides the column that covers them. */
function uncover(): void {
  if (layout.getState().over !== null) layout.setState({ over: null });
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
