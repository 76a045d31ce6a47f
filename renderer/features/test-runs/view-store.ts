/** The part of the tests that the panel Tests shows: kept while other panels are shown. */
import { makeStore } from '../../base/store.ts';

interface TestsView {
  readonly filter: string;
  readonly failedOnly: boolean;
  readonly folded: ReadonlySet<string>;
  /** The id of the row that is selected. */
  readonly selected: string | null;
}

export const [view, useView] = makeStore<TestsView>({
  filter: '',
  failedOnly: false,
  folded: new Set(),
  selected: null,
});
