/** The page's stores, each created with the hook that reads it. */
import { createStore, type StoreApi, useStore } from 'zustand';

/**
 * Reads a store in a component: the whole state, or the part that `select` returns. The component renders again when that state or part
 * changes.
 */
interface UseState<State> {
  <Part>(select: (state: State) => Part): Part;
  (): State;
}

/** Makes a store and its hook. */
export function makeStore<State>(initial: State): readonly [StoreApi<State>, UseState<State>] {
  const store = createStore<State>(() => initial);
  function useState(): State;
  function useState<Part>(select: (state: State) => Part): Part;
  function useState(select: (state: State) => unknown = (state) => state): unknown {
    return useStore(store, select);
  }
  return [store, useState];
}
