/** The part of the tests that the panel Tests shows: kept while other panels are shown. */
import { createStore, useStore } from 'zustand';

interface TestsView {
  readonly filter: string;
  readonly failedOnly: boolean;
  readonly folded: ReadonlySet<string>;
  /** The id of the row that is selected. */
  readonly selected: string | null;
}

export const view = createStore<TestsView>(() => ({
  filter: '',
  failedOnly: false,
  folded: new Set(),
  selected: null,
}));

export function useView(): TestsView {
  return useStore(view);
}
