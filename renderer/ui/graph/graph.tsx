/** A drawing of a hierarchy from left to right, with lines between the boxes. The page contains only the visible section. */
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Minus, Plus } from 'lucide-react';
import { IconButton } from '../icon-button.tsx';
import { Box, Row } from '../layout.tsx';
import { classes, look } from '../look.ts';
import { type Drawing, drawingOf, type Links, placesIn } from './drawing.ts';
import { type Geometry, geometryOf, linePath, neighbour, type Sight, inSight } from './geometry.ts';
import styles from './graph.module.css';

const SCALES = [0.5, 0.65, 0.8, 1, 1.25, 1.5, 2];
const ACTUAL = SCALES.indexOf(1);

/** The contents of a name's box. */
export interface Boxed {
  readonly text: string;
  /** The accessible name. */
  readonly label: string;
  /** True if the box is emphasized: the person's own classes, or the systems the graph starts from. */
  readonly strong: boolean;
  /** A mark before the text. */
  readonly mark?: ReactNode;
}

export interface GraphProps {
  label: string;
  links: Links;
  boxed: (name: string) => Boxed;
  chosen: string | null;
  onChoose: (name: string) => void;
  onOpen: (name: string) => void;
}

/** Spaces as wide as a mark and the gap after it. */
const MARK = '   ';

export function Graph({ links, boxed, ...rest }: GraphProps) {
  const [step, setStep] = useState(ACTUAL);
  const drawing = useMemo(() => drawingOf(links), [links]);
  const geometry = useMemo(() => {
    const textOf = (name: string): string => {
      const { text, mark } = boxed(name);
      return mark ? `${MARK}${text}` : text;
    };
    return geometryOf(drawing, textOf, SCALES[step] ?? 1);
  }, [drawing, boxed, step]);
  const zoom = (by: number): void => setStep((now) => Math.max(0, Math.min(SCALES.length - 1, now + by)));
  return (
    <Box grow className={styles.drawing}>
      <Canvas {...rest} drawing={drawing} geometry={geometry} links={links} boxed={boxed} onZoom={zoom} />
      <Row gap={1} className={styles.zoom} surface={2} round="control">
        <IconButton label="Zoom out" isDisabled={step === 0} onPress={() => zoom(-1)}>
          <Minus className="icon-small" aria-hidden />
        </IconButton>
        <IconButton label="Zoom in" isDisabled={step === SCALES.length - 1} onPress={() => zoom(1)}>
          <Plus className="icon-small" aria-hidden />
        </IconButton>
      </Row>
    </Box>
  );
}

interface CanvasProps extends GraphProps {
  drawing: Drawing;
  geometry: Geometry;
  onZoom: (by: number) => void;
}

function Canvas({ label, drawing, geometry, links, boxed, chosen, onChoose, onOpen, onZoom }: CanvasProps) {
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
  const places = useMemo(() => placesIn(drawing.boxes), [drawing]);
  const current = drawing.boxes.find(({ name }) => name === chosen) ?? drawing.boxes[0];
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
  const shown = drawing.boxes.filter((each) => each === current || inSight(geometry.boxOf(each), sight));
  const lines = drawing.lines.filter(({ from, to }) => {
    const [a, b] = [geometry.boxOf(from), geometry.boxOf(to)];
    return Math.min(a.top, b.top) <= sight.top + sight.height && Math.max(a.top, b.top) + a.height >= sight.top;
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!current || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '+' || event.key === '-') onZoom(event.key === '+' ? 1 : -1);
    else if (event.key === 'Enter') onOpen(current.name);
    else {
      const next = neighbour(drawing, links, current, event.key);
      if (next === null) return;
      onChoose(next);
    }
    event.preventDefault();
  };
  return (
    <Box
      ref={view}
      role="tree"
      aria-label={label}
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
          const { text, label: name, strong, mark } = boxed(each.name);
          return (
            <div
              key={each.name}
              id={`${prefix}${each.name}`}
              role="treeitem"
              aria-label={name}
              aria-level={each.column + 1}
              aria-posinset={places.get(each)?.place}
              aria-setsize={places.get(each)?.of}
              aria-selected={each === current && chosen !== null}
              style={{ left, top, width, height }}
              className={classes(
                look({ lines: 'one', round: 'inline', tone: strong ? 1 : 3 }, 'code'),
                styles.box,
                strong && styles.strong,
              )}
              onClick={() => onChoose(each.name)}
              onDoubleClick={() => onOpen(each.name)}
            >
              {mark}
              {text}
            </div>
          );
        })}
      </div>
    </Box>
  );
}
