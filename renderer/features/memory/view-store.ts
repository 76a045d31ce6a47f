/** The filter and the order of the classes. They outlive the panel, which exists only while it is shown. */
import type { Order } from './memory-rows.ts';
import { makeStore } from '../../base/store.ts';

interface View {
  readonly filter: string;
  readonly order: Order;
  /** True for all classes, false for the first ones. */
  readonly all: boolean;
}

export const [view, useView] = makeStore<View>({ filter: '', order: 'bytes', all: false });
