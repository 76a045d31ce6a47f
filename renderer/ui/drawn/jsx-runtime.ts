/**
 * The JSX runtime of the pages. It is React's, but makes each text and tooltip `drawable`. All text from the image, the disk or an agent
 * passes through it before the text is shown, so that no component can forget this. A component must therefore return elements, not a plain
 * string. Values of fields are not changed.
 */
import type { ElementType, Key, ReactElement } from 'react';
import { jsx as element, jsxs as elements } from 'react/jsx-runtime';
import { drawable } from '#contract/text/visible.ts';

export { Fragment } from 'react/jsx-runtime';
export type { JSX } from 'react/jsx-runtime';

type Props = Record<string, unknown>;

/** Properties that are shown or read aloud as text. */
const TEXTS = ['children', 'title', 'aria-label', 'aria-description', 'alt', 'placeholder'];

export function jsx(type: ElementType, props: Props, key?: Key): ReactElement {
  return element(type, drawableProps(props), key);
}

export function jsxs(type: ElementType, props: Props, key?: Key): ReactElement {
  return elements(type, drawableProps(props), key);
}

/** Returns the properties with drawable texts. Returns the same object if all texts are already drawable. */
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
