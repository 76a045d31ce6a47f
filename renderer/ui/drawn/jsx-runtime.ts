/**
 * The pages' way to make elements: React's, with each text and tooltip `drawable`. Whatever comes from the image, the disk or an agent
 * passes here on its way to the screen, so that no component can forget it, as long as it gives back elements and not a mere string. Values
 * of fields are left as they are typed.
 */
import type { ElementType, Key, ReactElement } from 'react';
import { jsx as element, jsxs as elements } from 'react/jsx-runtime';
import { drawable } from '#contract/text/visible.ts';

export { Fragment } from 'react/jsx-runtime';
export type { JSX } from 'react/jsx-runtime';

type Props = Record<string, unknown>;

/** Properties that are read, or read out, as text. */
const TEXTS = ['children', 'title', 'aria-label', 'aria-description', 'alt', 'placeholder'];

export function jsx(type: ElementType, props: Props, key?: Key): ReactElement {
  return element(type, drawableProps(props), key);
}

export function jsxs(type: ElementType, props: Props, key?: Key): ReactElement {
  return elements(type, drawableProps(props), key);
}

/** The properties with their texts drawable: the same object where they are so already. */
function drawableProps(props: Props): Props {
  let changed: Props | null = null;
  for (const name of TEXTS) {
    const value = props[name];
    const drawn = drawableNode(value);
    if (drawn !== value) (changed ??= { ...props })[name] = drawn;
  }
  return changed ?? props;
}

function drawableNode(value: unknown): unknown {
  if (typeof value === 'string') return drawable(value);
  if (!Array.isArray(value)) return value;
  const drawn = value.map(drawableNode);
  return drawn.every((each, index) => each === value[index]) ? value : drawn;
}
