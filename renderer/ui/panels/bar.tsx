/** A bar across a part of the window, which tells of its state and has the buttons for it. Tooltips keep clear of it. */
import type { ComponentPropsWithRef } from 'react';
import { Row } from '../layout.tsx';
import type { Look } from '../look.ts';

export interface BarProps extends Look, Omit<ComponentPropsWithRef<'div'>, keyof Look | 'role'> {
  /** `parked`: something waits for the person; `tools`: a text has more to it than the editor's own keys. */
  kind: 'parked' | 'tools';
}

export function Bar({ kind, ...own }: BarProps) {
  const looks =
    kind === 'parked'
      ? ({ surface: 'parked', role: 'status' } as const)
      : ({ surface: 1, edge: 'bottom', wrap: true, role: 'group' } as const);
  return <Row gap={2} padY={1} padX={4} fixed font="small" {...looks} {...own} data-bar />;
}

/** Returns how far below a thing its tooltip stands, so that it hides no bar there, in pixels. */
export function belowBars(thing: Element, usual: number, height: number): number {
  const { bottom } = thing.getBoundingClientRect();
  let offset = usual;
  const bars = [...document.querySelectorAll('[data-bar]')].map((bar) => bar.getBoundingClientRect());
  for (const bar of bars.toSorted((one, other) => one.top - other.top))
    if (bar.height > 0 && bar.top < bottom + offset + height && bar.bottom > bottom)
      offset = bar.bottom - bottom + usual;
  return offset;
}
