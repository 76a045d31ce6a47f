/** The edge between two regions. It can be dragged, or moved with the arrow keys while it has the focus. */
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { classes } from '../look.ts';
import styles from './splitter.module.css';

export interface SplitterProps {
  label: string;
  /** The direction of the edge: vertical between columns, horizontal between rows. */
  orientation: 'vertical' | 'horizontal';
  value: number;
  min: number;
  max: number;
  /** 1 if the region grows when the pointer's coordinate increases; -1 if it shrinks. */
  direction: 1 | -1;
  onChange: (value: number) => void;
}

const STEP = 16;

export function Splitter({ label, orientation, value, min, max, direction, onChange }: SplitterProps) {
  const drag = useRef<{ from: number; value: number } | null>(null);
  const place = (event: PointerEvent): number => (orientation === 'vertical' ? event.clientX : event.clientY);
  const set = (next: number): void => onChange(Math.round(Math.min(Math.max(next, min), max)));
  const onKeyDown = (event: KeyboardEvent): void => {
    const [less, more] = orientation === 'vertical' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
    if (event.key !== less && event.key !== more) return;
    event.preventDefault();
    set(value + (event.key === more ? STEP : -STEP) * direction);
  };
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={orientation}
      data-direction={direction}
      aria-valuenow={value}
      aria-valuemin={min}
      aria-valuemax={max}
      className={classes(styles.splitter, styles[`splitter-${orientation}`])}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        drag.current = { from: place(event), value };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) =>
        drag.current ? set(drag.current.value + (place(event) - drag.current.from) * direction) : undefined
      }
      onPointerUp={() => {
        drag.current = null;
      }}
      onPointerCancel={() => {
        drag.current = null;
      }}
    />
  );
}
