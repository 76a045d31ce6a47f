/**
 * The look that elements share, in the measures of `theme/tokens.css`: names instead of declarations that every style sheet
 * repeats.
 */
import styles from './look.module.css';

type Space = 'half' | 'mark' | 1 | 2 | 3 | 4 | 6;

/** A component's own style sheet wins over all of it. */
export interface Look {
  /** The flow of the parts: in a row, in the middle of its height; or one below the other. */
  readonly flow?: 'row' | 'stack';
  /** A row as wide as its parts. */
  readonly inline?: boolean;
  readonly align?: 'start' | 'baseline' | 'stretch';
  readonly justify?: 'between' | 'center' | 'end';
  readonly wrap?: boolean;
  readonly gap?: Space;
  readonly padX?: Space;
  readonly padY?: Space;
  /** The height: that of a control, or of what the element stands in. */
  readonly tall?: 'small' | 'control' | 'full';
  /** Takes the place that is left, and can be smaller than what is in it. */
  readonly grow?: boolean;
  /** Keeps its size where place is short. */
  readonly fixed?: boolean;
  /** Can be narrower than what is in it. */
  readonly shrink?: boolean;
  /** Puts the element at the end of its row. */
  readonly end?: boolean;
  readonly font?: 'small' | 'small-medium' | 'small-strong' | 'base' | 'base-medium' | 'base-strong' | 'head' | 'code';
  readonly tone?: 1 | 2 | 3 | 'accent' | 'success' | 'warning' | 'cautious' | 'dangerous' | 'error';
  readonly surface?: 0 | 1 | 2 | 3 | 4 | 'idle' | 'parked';
  readonly edge?: 'top' | 'bottom';
  readonly round?: 'control' | 'inline';
  readonly scroll?: boolean;
  /** One line, whose end is cut where it is too long. */
  readonly truncate?: boolean;
  /** One line; or lines as they are written, and more where they are too long. */
  readonly lines?: 'one' | 'wrap';
  /** A word that is too long goes on in the next line. */
  readonly breaks?: boolean;
  readonly selectable?: boolean;
  /** A row of a list, a tree or a grid: shows where the pointer is, and which row is chosen. */
  readonly list?: boolean;
}

const NAMES: Record<keyof Look, true> = {
  flow: true,
  inline: true,
  align: true,
  justify: true,
  wrap: true,
  gap: true,
  padX: true,
  padY: true,
  tall: true,
  grow: true,
  fixed: true,
  shrink: true,
  end: true,
  font: true,
  tone: true,
  surface: true,
  edge: true,
  round: true,
  scroll: true,
  truncate: true,
  lines: true,
  breaks: true,
  selectable: true,
  list: true,
};

export const isLook = (name: string): name is keyof Look => Object.hasOwn(NAMES, name);

type Name = string | false | undefined;

/** Class names in one string, without those that are not there. */
export function classes(...names: Name[]): string {
  return names.filter(Boolean).join(' ');
}

/** The class names of a look, and further ones. */
export function look(wanted: Look, ...further: Name[]): string {
  const own = Object.entries(wanted).map(([name, value]) =>
    value === true ? styles[name] : value === false ? undefined : styles[`${name}-${value}`],
  );
  return classes(...own, ...further);
}
