/** The object that the person wants to see in the inspector. Whoever shows a value asks here; the inspector listens. */
import { createStore } from 'zustand';

/** The wish of the moment; `from` is the place that the value was found in, such as "frame 5". @public The inspector's. */
export const inspected = createStore<{ wanted: { handle: number; from: string; title: string } | null }>(() => ({
  wanted: null,
}));

/** Wants the object of a handle in the inspector; `title` is its printed text. */
export function inspectHandle({ handle, title, from }: { handle: number; title: string; from: string }): void {
  inspected.setState({ wanted: { handle, from, title } });
}
