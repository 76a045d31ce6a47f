/** The items of a conversation as the page has them: bounded, in order, each once. Pure. */
import type { AgentItem } from '#contract/clients/hosted-agent.ts';

export interface ItemLog {
  /** In the order of their numbers. */
  readonly items: readonly AgentItem[];
  /** True where items before the first can be asked for. */
  readonly hasOlder: boolean;
}

export const NO_ITEMS: ItemLog = { items: [], hasOlder: false };

/** Items that the page keeps of a conversation; those before them are asked for again when they are wanted. */
const MOST = 5000;

/** The log with an item that is new, or has changed. One before the first that is known is not wanted yet. */
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
 * The log with items that were asked for, the newest before a number; `asked` is how many. What has been told since they were read is newer,
 * and stays.
 */
export function putOlder(log: ItemLog, older: readonly AgentItem[], asked: number): ItemLog {
  const known = new Set(log.items.map(({ seq }) => seq));
  const fresh = older.filter(({ seq }) => !known.has(seq));
  const items = [...fresh, ...log.items].toSorted((one, other) => one.seq - other.seq);
  return { items, hasOlder: older.length >= asked && (items[0]?.seq ?? 1) > 1 };
}

/** The index of the first item whose number is not lower; the list is ordered. */
function placeOf(items: readonly AgentItem[], seq: number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (items[middle]!.seq < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
