/** How the person looks at a profile. It outlives the panel, which is drawn only while it is shown. */
import { createStore, useStore } from 'zustand';
import type { Order } from './functions.ts';

interface View {
  readonly as: 'flame' | 'table';
  readonly filter: string;
  readonly order: Order;
}

export const view = createStore<View>(() => ({ as: 'flame', filter: '', order: 'self' }));

export function useView(): View {
  return useStore(view);
}
