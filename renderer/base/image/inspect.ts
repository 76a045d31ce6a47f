/** The object that the person wants to see in the inspector. Whoever shows a value asks here; the inspector listens. */
import { showSide } from '../layout/layout-store.ts';
import { makeStore } from '../store.ts';

interface Wanted {
  handle: number;
  /** The place that the value was found in, such as "frame 5". */
  from: string;
  /** The printed text of the object. */
  title: string;
}

export const [inspected, useInspected] = makeStore<{ wanted: Wanted | null }>({ wanted: null });

/** Shows the object of a handle in the inspector, which comes on screen and leaves the focus where it is. */
export function inspectHandle({ handle, title, from }: Wanted): void {
  inspected.setState({ wanted: { handle, from, title } });
  showSide('inspector');
}
