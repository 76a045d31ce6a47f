/** A profile as a flame graph with the profiled form at the top; for the keyboard and screen readers it is a tree. */
import { type KeyboardEvent, type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { ProfileResult } from '#contract/image/observation/profiling.ts';
import { Button } from '../../ui/button.tsx';
import { Box, Row, Text, Truncate } from '../../ui/layout.tsx';
import { classes } from '../../ui/look.ts';
import { boxesOf, flameOf, type FlameBox, type FlameNode, matches, nodeWords, stepFrom } from './flame.ts';
import { goToSource } from './function-table.tsx';
import { useView } from './view-store.ts';
import styles from './panel.module.css';

/** The height of a row of boxes, in pixels. */
const ROW = 20;
/** The minimum width of a drawn box, in pixels. */
const NARROWEST = 2;
/** A function is highlighted if it has at least this share of the samples itself, without the functions that it called. */
const HOT = 0.1;

export function FlameGraph({ result }: { result: ProfileResult }) {
  const { filter } = useView();
  const root = useMemo(() => flameOf(result.stacks), [result]);
  const [zoomed, setZoomed] = useState(root);
  const [active, setActive] = useState(root);
  const area = useRef<HTMLDivElement>(null);
  const { width, height, top } = useSeen(area);
  const prefix = useId();
  const boxes = useMemo(() => boxesOf(zoomed, width === 0 ? 1 : NARROWEST / width), [zoomed, width]);
  const rows = boxes.reduce((most, { node }) => Math.max(most, node.level), 0);
  const isSeen = ({ node }: FlameBox): boolean =>
    node === active || (node.level * ROW >= top && (node.level - 1) * ROW <= top + height);

  const activate = (node: FlameNode): void => {
    setActive(node);
    const scrolled = area.current;
    if (!scrolled) return;
    const above = (node.level - 1) * ROW;
    if (above < scrolled.scrollTop) scrolled.scrollTop = above;
    else if (above + ROW > scrolled.scrollTop + scrolled.clientHeight)
      scrolled.scrollTop = above + ROW - scrolled.clientHeight;
  };
  const zoom = (node: FlameNode): void => {
    setZoomed(node);
    activate(node);
  };
  const zoomOut = (): void => {
    if (zoomed.parent) setZoomed(zoomed.parent);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const next = stepFrom(active, event.key, boxes);
    if (next) activate(next);
    else if (event.key === 'Enter') zoom(active);
    else if ((event.key === 'Escape' || event.key === 'Backspace') && zoomed.parent) zoomOut();
    else if (event.key === 'F12') void goToSource(active.name);
    else if (!event.key.startsWith('Arrow')) return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <>
      <Box
        ref={area}
        role="tree"
        aria-label="Flame graph"
        tabIndex={0}
        data-region-focus
        aria-activedescendant={`${prefix}${active.id}`}
        grow
        scroll
        className={styles.flame}
        onKeyDown={onKeyDown}
      >
        <div role="presentation" className={styles.boxes} style={{ height: rows * ROW }}>
          {boxes.filter(isSeen).map(({ node, left, width: wide }) => (
            // The tree has the focus and handles the keys of the boxes.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
            <div
              key={node.id}
              id={`${prefix}${node.id}`}
              role="treeitem"
              tabIndex={-1}
              aria-label={nodeWords(node, result.samples)}
              aria-level={node.level}
              aria-posinset={(node.parent?.children.indexOf(node) ?? 0) + 1}
              aria-setsize={node.parent?.children.length ?? 1}
              aria-selected={node === active}
              title={nodeWords(node, result.samples)}
              className={classes(
                'code',
                styles.box,
                node.self >= HOT * result.samples && node.self > 0 ? styles.hot : undefined,
                node.level < zoomed.level ? styles.caller : undefined,
                matches(node, filter) ? styles.match : undefined,
              )}
              style={{ left: `${left * 100}%`, width: `${wide * 100}%`, top: (node.level - 1) * ROW }}
              onClick={() => {
                area.current?.focus();
                zoom(node);
              }}
            >
              {node.name.toLowerCase()}
            </div>
          ))}
        </div>
      </Box>
      <Row fixed gap={2} padX={3} edge="top" font="small" className={styles.status}>
        <Truncate grow tone={2} role="status">
          {nodeWords(active, result.samples)}
        </Truncate>
        {zoomed.parent ? (
          <Button size="small" onPress={zoomOut}>
            Zoom Out
          </Button>
        ) : null}
        {active.level === 1 ? (
          <Text tone={3} fixed>
            Enter zooms in, Escape out
          </Text>
        ) : (
          <Button size="small" onPress={() => void goToSource(active.name)}>
            Go to Source
          </Button>
        )}
      </Row>
    </>
  );
}

/** Returns the size and the scroll offset of an element's visible part, in pixels. */
function useSeen(area: RefObject<HTMLElement | null>): { width: number; height: number; top: number } {
  const [seen, setSeen] = useState({ width: 0, height: 0, top: 0 });
  useEffect(() => {
    const element = area.current;
    if (!element) return undefined;
    const measure = (): void =>
      setSeen({ width: element.clientWidth, height: element.clientHeight, top: element.scrollTop });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure);
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [area]);
  return seen;
}
