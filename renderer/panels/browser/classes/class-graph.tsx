/** The drawing of classes: superclasses at the left, lines to their subclasses. Only what is in sight is in the page. */
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Minus, Plus } from 'lucide-react';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Box, Row } from '../../../ui/layout.tsx';
import { classes as classNames, look } from '../../../ui/look.ts';
import { type Drawing, drawingOf, type Hierarchy, shownName } from './model.ts';
import { type Geometry, geometryOf, linePath, neighbour, type Sight, inSight } from './geometry.ts';
import styles from './classes.module.css';

const SCALES = [0.5, 0.65, 0.8, 1, 1.25, 1.5, 2];
const ACTUAL = SCALES.indexOf(1);

export interface ClassGraphProps {
  hierarchy: Hierarchy;
  chosen: string | null;
  onChoose: (name: string) => void;
  onOpen: (name: string) => void;
}

export function ClassGraph({ hierarchy, chosen, onChoose, onOpen }: ClassGraphProps) {
  const [step, setStep] = useState(ACTUAL);
  const drawing = useMemo(() => drawingOf(hierarchy), [hierarchy]);
  const geometry = useMemo(() => geometryOf(drawing, SCALES[step] ?? 1), [drawing, step]);
  const zoom = (by: number): void => setStep((now) => Math.max(0, Math.min(SCALES.length - 1, now + by)));
  return (
    <Box grow className={styles.drawing}>
      <Canvas
        drawing={drawing}
        geometry={geometry}
        hierarchy={hierarchy}
        chosen={chosen}
        onChoose={onChoose}
        onOpen={onOpen}
        onZoom={zoom}
      />
      <Row gap={1} className={styles.zoom} surface={2} round="control">
        <IconButton label="Smaller" isDisabled={step === 0} onPress={() => zoom(-1)}>
          <Minus className="icon-small" aria-hidden />
        </IconButton>
        <IconButton label="Larger" isDisabled={step === SCALES.length - 1} onPress={() => zoom(1)}>
          <Plus className="icon-small" aria-hidden />
        </IconButton>
      </Row>
    </Box>
  );
}

interface CanvasProps extends ClassGraphProps {
  drawing: Drawing;
  geometry: Geometry;
  onZoom: (by: number) => void;
}

function Canvas({ drawing, geometry, hierarchy, chosen, onChoose, onOpen, onZoom }: CanvasProps) {
  const view = useRef<HTMLDivElement>(null);
  const prefix = useId();
  const [sight, setSight] = useState<Sight>({ left: 0, top: 0, width: 1600, height: 1000 });
  const lookAgain = (): void => {
    const at = view.current;
    if (at) setSight({ left: at.scrollLeft, top: at.scrollTop, width: at.clientWidth, height: at.clientHeight });
  };
  useLayoutEffect(() => {
    const sizes = new ResizeObserver(lookAgain);
    if (view.current) sizes.observe(view.current);
    return () => sizes.disconnect();
  }, []);
  const current = drawing.classes.find(({ name }) => name === chosen) ?? drawing.classes[0];
  useEffect(() => {
    const at = view.current;
    if (!at || !current) return;
    const box = geometry.boxOf(current);
    const target = { left: at.scrollLeft, top: at.scrollTop };
    if (box.top < at.scrollTop || box.top + box.height > at.scrollTop + at.clientHeight)
      target.top = box.top - (at.clientHeight - box.height) / 2;
    if (box.left < at.scrollLeft || box.left + box.width > at.scrollLeft + at.clientWidth)
      target.left = box.left - (at.clientWidth - box.width) / 2;
    at.scrollTo(target);
  }, [current, geometry]);
  const shown = drawing.classes.filter((each) => each === current || inSight(geometry.boxOf(each), sight));
  const lines = drawing.lines.filter(({ from, to }) => {
    const [a, b] = [geometry.boxOf(from), geometry.boxOf(to)];
    return Math.min(a.top, b.top) <= sight.top + sight.height && Math.max(a.top, b.top) + a.height >= sight.top;
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!current || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '+' || event.key === '-') onZoom(event.key === '+' ? 1 : -1);
    else if (event.key === 'Enter') onOpen(current.name);
    else {
      const next = neighbour(drawing, hierarchy, current, event.key);
      if (next === null) return;
      onChoose(next);
    }
    event.preventDefault();
  };
  return (
    <Box
      ref={view}
      role="tree"
      aria-label="Graph of classes"
      tabIndex={0}
      data-region-focus
      aria-activedescendant={current ? `${prefix}${current.name}` : undefined}
      scroll
      className={styles.view}
      onScroll={lookAgain}
      onKeyDown={onKeyDown}
      onWheel={(event) => (event.ctrlKey ? onZoom(event.deltaY < 0 ? 1 : -1) : undefined)}
    >
      <div
        style={{ width: geometry.width, height: geometry.height, fontSize: geometry.fontSize }}
        className={styles.sheet}
      >
        <svg className={styles.lines} width={geometry.width} height={geometry.height} aria-hidden>
          <path d={lines.map(({ from, to }) => linePath(geometry.boxOf(from), geometry.boxOf(to))).join('')} />
        </svg>
        {shown.map((each) => {
          const { left, top, width, height } = geometry.boxOf(each);
          const node = hierarchy.nodes.get(each.name)!;
          return (
            <div
              key={each.name}
              id={`${prefix}${each.name}`}
              role="treeitem"
              aria-label={`${shownName(each.name)}, ${node.kind}`}
              aria-level={each.column + 1}
              aria-selected={each === current && chosen !== null}
              style={{ left, top, width, height }}
              className={classNames(
                look({ lines: 'one', round: 'inline', tone: node.user ? 1 : 3 }, 'code'),
                styles.box,
                node.user && styles.mine,
              )}
              onClick={() => onChoose(each.name)}
              onDoubleClick={() => onOpen(each.name)}
            >
              {shownName(each.name)}
            </div>
          );
        })}
      </div>
    </Box>
  );
}
