/** The items of a conversation that the page stores: a limited number, in order, each once. Pure. */
import type { AgentItem } from '#contract/clients/hosted-agent.ts';

export interface ItemLog {
  /** The items, ordered by their numbers. */
  readonly items: readonly AgentItem[];
  /** True if older items can be requested. */
  readonly hasOlder: boolean;
}

export const NO_ITEMS: ItemLog = { items: [], hasOlder: false };

/** The maximum number of items that the page stores per conversation; older ones are requested again when needed. */
const MOST = 5000;

/** Returns the log with a new or changed item. An item before the first known one is ignored for now. */
export function putItem(log: ItemLog, item: AgentItem, most = MOST): ItemLog {
  const { items } = log;
  const last = items.at(-1);
  if (last === undefined) return { items: [item], hasOlder: item.seq > 1 };
  if (item.seq < items[0]!.seq) return { ...log, hasOlder: true };
  if (item.seq > last.seq) {
    const kept = items.length >= most ? items.slice(items.length - most + 1) : items;
    return { items: [...kept, item], hasOlder: log.hasOlder || kept !== items };
  }
  const at = placeOf(items, item.seq);
  const replaces = items[at]!.seq === item.seq;
  return { ...log, items: items.toSpliced(at, replaces ? 1 : 0, item) };
}

/**
 * Returns the log with the requested older items; `asked` is the requested number. If an item is already in the log, the log's version is
 * newer and stays.
 */
export function putOlder(log: ItemLog, older: readonly AgentItem[], asked: number): ItemLog {
  const known = new Set(log.items.map(({ seq }) => seq));
  const fresh = older.filter(({ seq }) => !known.has(seq));
  const items = [...fresh, ...log.items].toSorted((one, other) => one.seq - other.seq);
  return { items, hasOlder: older.length >= asked && (items[0]?.seq ?? 1) > 1 };
}

/** Returns the index of the first item whose number is equal to or greater than `seq`; the list is ordered. */
function placeOf(items: readonly AgentItem[], seq: number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (items[middle]!.seq < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
