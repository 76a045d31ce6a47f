/** The layout elements of the pages. Each is an HTML element with a `Look`, and takes the attributes of its element. */
import type { ComponentPropsWithRef, ElementType } from 'react';
import { isLook, look, type Look } from './look.ts';

type Props<Tag extends ElementType> = { readonly as?: Tag } & Look &
  Omit<ComponentPropsWithRef<Tag>, keyof Look | 'as'>;

/** A container whose children are side by side. */
export function Row<Tag extends ElementType = 'div'>(props: Props<Tag>) {
  return draw('div', { flow: 'row' }, props);
}

/** A container whose children are below one another. */
export function Stack<Tag extends ElementType = 'div'>(props: Props<Tag>) {
  return draw('div', { flow: 'stack' }, props);
}

/** A box with padding that does not arrange its children. */
export function Box<Tag extends ElementType = 'div'>(props: Props<Tag>) {
  return draw('div', {}, props);
}

export function Text<Tag extends ElementType = 'span'>(props: Props<Tag>) {
  return draw('span', {}, props);
}

/** A one-line text that is cut if it is too long. */
export function Truncate<Tag extends ElementType = 'span'>(props: Props<Tag>) {
  return draw('span', { truncate: true }, props);
}

function draw(
  tag: ElementType,
  own: Look,
  { as: Tag = tag, className, ...given }: { as?: ElementType; className?: string },
) {
  const looks: [string, unknown][] = [];
  const attributes: [string, unknown][] = [];
  for (const entry of Object.entries(given)) (isLook(entry[0]) ? looks : attributes).push(entry);
  const names = look({ ...own, ...Object.fromEntries(looks) }, className);
  return <Tag {...Object.fromEntries(attributes)} className={names || undefined} />;
}
