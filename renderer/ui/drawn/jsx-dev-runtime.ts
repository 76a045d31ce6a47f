/** The JSX runtime for development, used by tools such as the unit tests. It creates the same elements as {@link jsx}. */
import type { ElementType, Key, ReactElement } from 'react';
import { jsx, jsxs } from './jsx-runtime.ts';

export { Fragment } from './jsx-runtime.ts';
export type { JSX } from './jsx-runtime.ts';

/** `isStatic` is true if the children are written one by one, not as an array. */
export function jsxDEV(
  type: ElementType,
  props: Record<string, unknown>,
  key: Key | undefined,
  isStatic: boolean,
): ReactElement {
  return (isStatic ? jsxs : jsx)(type, props, key);
}
