/** The object that the person wants to inspect. Components that show a value call `inspectHandle`, and the inspector opens the object. */
import { showSide } from '../layout/layout-store.ts';
import { makeStore } from '../store.ts';

interface Wanted {
  handle: number;
  /** Where the value was found, such as "frame 5". */
  from: string;
  /** The printed text of the object. */
  title: string;
}

export const [inspected, useInspected] = makeStore<{ wanted: Wanted | null }>({ wanted: null });

/** Shows the object of a handle in the inspector. The inspector becomes visible without taking the focus. */
export function inspectHandle({ handle, title, from }: Wanted): void {
  inspected.setState({ wanted: { handle, from, title } });
  showSide('inspector');
}
