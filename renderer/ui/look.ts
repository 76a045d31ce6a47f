/**
 * Style properties that elements share, with the sizes of `theme/tokens.css`. They replace declarations that would otherwise be repeated in
 * every style sheet.
 */
import styles from './look.module.css';

type Space = 'half' | 'mark' | 1 | 2 | 3 | 4 | 6;

/** The style properties of an element. A component's own style sheet overrides them. */
export interface Look {
  /** `row`: children side by side, centred vertically. `stack`: children below one another. */
  readonly flow?: 'row' | 'stack';
  /** The row is only as wide as its parts. */
  readonly inline?: boolean;
  readonly align?: 'start' | 'baseline' | 'stretch';
  readonly justify?: 'between' | 'center' | 'end';
  readonly wrap?: boolean;
  readonly gap?: Space;
  readonly padX?: Space;
  readonly padY?: Space;
  /** The height: of a control, or of the whole surrounding element. */
  readonly tall?: 'small' | 'control' | 'full';
  /** The element takes the remaining space, and can be smaller than its content. */
  readonly grow?: boolean;
  /** The element does not shrink if space is short. */
  readonly fixed?: boolean;
  /** The element can be narrower than its content. */
  readonly shrink?: boolean;
  /** The element is at the end of its row. */
  readonly end?: boolean;
  readonly font?: 'small' | 'small-medium' | 'small-strong' | 'base' | 'base-medium' | 'base-strong' | 'head' | 'code';
  readonly tone?: 1 | 2 | 3 | 'accent' | 'success' | 'warning' | 'cautious' | 'dangerous' | 'error';
  readonly surface?: 0 | 1 | 2 | 3 | 4 | 'idle' | 'parked';
  readonly edge?: 'top' | 'bottom';
  readonly round?: 'control' | 'inline';
  readonly scroll?: boolean;
  /** The text is one line, which is cut if it is too long. */
  readonly truncate?: boolean;
  /**
   * `one`: the text never wraps. `wrap`: line breaks and spaces are preserved, and long lines wrap. `kept`: the text is preserved and never
   * wraps.
   */
  readonly lines?: 'one' | 'wrap' | 'kept';
  /** A word that is too long continues on the next line. */
  readonly breaks?: boolean;
  readonly selectable?: boolean;
  /** True for a row of a list, a tree or a grid. The row is highlighted while it is selected or under the pointer. */
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

/** Joins class names to one string, and leaves out missing ones. */
export function classes(...names: Name[]): string {
  return names.filter(Boolean).join(' ');
}

/** Returns the class names of a look, followed by the names in `further`. */
export function look(wanted: Look, ...further: Name[]): string {
  const own = Object.entries(wanted).map(([name, value]) =>
    value === true ? styles[name] : value === false ? undefined : styles[`${name}-${value}`],
  );
  return classes(...own, ...further);
}
