/** A bar across a part of the window that shows a state and has buttons for it. Tooltips do not cover it. */
import type { ComponentPropsWithRef } from 'react';
import { Row } from '../layout.tsx';
import type { Look } from '../look.ts';

export interface BarProps extends Look, Omit<ComponentPropsWithRef<'div'>, keyof Look | 'role'> {
  /** `parked`: an item is waiting for the person. `tools`: the bar has actions on a text that the editor itself does not have. */
  kind: 'parked' | 'tools';
}

export function Bar({ kind, ...own }: BarProps) {
  const looks =
    kind === 'parked'
      ? ({ surface: 'parked', role: 'status' } as const)
      : ({ surface: 1, edge: 'bottom', wrap: true, role: 'group' } as const);
  return <Row gap={2} padY={1} padX={4} fixed font="small" {...looks} {...own} data-bar />;
}

/** Returns the distance in pixels between an element and its tooltip below, chosen so that the tooltip does not hide a bar there. */
export function belowBars(thing: Element, usual: number, height: number): number {
  const { bottom } = thing.getBoundingClientRect();
  let offset = usual;
  const bars = [...document.querySelectorAll('[data-bar]')].map((bar) => bar.getBoundingClientRect());
  for (const bar of bars.toSorted((one, other) => one.top - other.top))
    if (bar.height > 0 && bar.top < bottom + offset + height && bar.bottom > bottom)
      offset = bar.bottom - bottom + usual;
  return offset;
}
