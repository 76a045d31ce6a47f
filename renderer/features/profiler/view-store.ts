/** How the person looks at a profile. It outlives the panel, which is drawn only while it is shown. */
import type { Order } from './functions.ts';
import { makeStore } from '../../base/store.ts';

interface View {
  readonly as: 'flame' | 'table';
  readonly filter: string;
  readonly order: Order;
}

export const [view, useView] = makeStore<View>({ as: 'flame', filter: '', order: 'self' });
