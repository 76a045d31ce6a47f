/**
 * The filter, the folded rows and the selection of the Tests panel. They are stored here because the panel exists only while it is shown.
 */
import { makeStore } from '../../base/store.ts';

interface TestsView {
  readonly filter: string;
  readonly failedOnly: boolean;
  readonly folded: ReadonlySet<string>;
  /** The id of the selected row. */
  readonly selected: string | null;
}

export const [view, useView] = makeStore<TestsView>({
  filter: '',
  failedOnly: false,
  folded: new Set(),
  selected: null,
});
