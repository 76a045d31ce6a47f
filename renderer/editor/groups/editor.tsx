/** The editor: the groups that show the open texts, and the edges between them. */
import '../monaco/monaco.css';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useBuffers } from '../text/buffers.ts';
import { EditorGroup } from './editor-group.tsx';
import { followDisk } from '../files/files.ts';
import { type Edge, edgesOf, placesOf } from './grid.ts';
import { numberOf } from './groups.ts';
import { additions } from '../additions.ts';
import { GutterMenu } from '../monaco/gutter-menu.tsx';
import { moveEdge } from './splitting.ts';
import { Box } from '../../ui/layout.tsx';
import { Region } from '../../ui/panels/panel.tsx';
import { Splitter } from '../../ui/panels/splitter.tsx';
import styles from './editor.module.css';

/** `empty` is drawn while no text is open. */
export function Editor({ empty }: { empty: ReactNode }) {
  const isEmpty = useBuffers((state) => state.buffers.length === 0);
  useEffect(() => {
    const follow = (): void => void followDisk();
    window.addEventListener('focus', follow);
    return () => window.removeEventListener('focus', follow);
  }, []);
  return (
    <Region name="Editor" takesFiles>
      {isEmpty ? empty : null}
      <Groups hidden={isEmpty} />
      <GutterMenu />
      {additions.overlays.map((Overlay) => (
        <Overlay key={Overlay.name} />
      ))}
    </Region>
  );
}

/** Positions each group independently of the grid's nesting, so that a text is not drawn again when other groups open or close. */
function Groups({ hidden }: { hidden: boolean }) {
  const groups = useBuffers((state) => state.groups);
  const area = useRef<HTMLDivElement>(null);
  const size = useSizeOf(area);
  const places = placesOf(groups.grid);
  return (
    <Box ref={area} grow className={styles.groups} hidden={hidden}>
      {groups.groups.map(({ id }) => (
        <EditorGroup key={id} id={id} number={numberOf(groups, id)} place={places.get(id)!} />
      ))}
      {edgesOf(groups.grid).map((edge) => (
        <GroupEdge key={edge.path} edge={edge} size={size} />
      ))}
    </Box>
  );
}

/** The minimum size in pixels of a group on each side of an edge. */
const LEAST = 80;

function GroupEdge({ edge, size }: { edge: Edge; size: { width: number; height: number } }) {
  const { path, direction, share, around } = edge;
  const beside = direction === 'right';
  const room = beside ? around.width * size.width : around.height * size.height;
  const [left, top] = [
    around.left + (beside ? around.width * share : 0),
    around.top + (beside ? 0 : around.height * share),
  ];
  const style = {
    left: percent(left),
    top: percent(top),
    width: beside ? 0 : percent(around.width),
    height: beside ? percent(around.height) : 0,
  };
  return (
    <div className={styles.edge} style={style}>
      <Splitter
        label={beside ? 'Width of the group' : 'Height of the group'}
        orientation={beside ? 'vertical' : 'horizontal'}
        value={Math.round(room * share)}
        min={Math.min(LEAST, room / 2)}
        max={Math.max(room - LEAST, room / 2)}
        direction={1}
        onChange={(pixels) => (room > 0 ? moveEdge(path, pixels / room) : undefined)}
      />
    </div>
  );
}

function percent(share: number): string {
  return `${share * 100}%`;
}

function useSizeOf(element: { readonly current: HTMLElement | null }): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    if (!element.current) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      setSize({ width, height });
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
