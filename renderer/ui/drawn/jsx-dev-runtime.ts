/** Elements as {@link jsx} makes them, where a tool asks for those of a development build, as the unit tests do. */
import type { ElementType, Key, ReactElement } from 'react';
import { jsx, jsxs } from './jsx-runtime.ts';

export { Fragment } from './jsx-runtime.ts';
export type { JSX } from './jsx-runtime.ts';

/** `isStatic`: the children are written one by one, not a list of their own. */
export function jsxDEV(
  type: ElementType,
  props: Record<string, unknown>,
  key: Key | undefined,
  isStatic: boolean,
): ReactElement {
  return (isStatic ? jsxs : jsx)(type, props, key);
}
