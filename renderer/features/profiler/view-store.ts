/** The view settings of a profile. They outlive the panel, which exists only while it is shown. */
import type { Order } from './functions.ts';
import { makeStore } from '../../base/store.ts';

interface View {
  readonly as: 'flame' | 'table';
  readonly filter: string;
  readonly order: Order;
}

export const [view, useView] = makeStore<View>({ as: 'flame', filter: '', order: 'self' });
