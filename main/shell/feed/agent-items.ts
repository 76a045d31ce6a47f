/**
 * The channel for items of agents' conversations that are waiting to be sent to the page. Only the latest state of each item is sent. An
 * item is never dropped while the conversation still has it, because the page could not detect the gap.
 */
import type { AgentItem } from '#contract/clients/hosted-agent.ts';
import type { Channel, PageEvent } from './outbox.ts';

/** The maximum number of waiting items of one conversation. The conversation and the page store the same number. */
const MOST_OF_ONE = 5_000;
/** The maximum number of items in one batch. The next constant is the maximum number of their characters. */
const MOST_AT_ONCE = 200;
const MOST_CHARACTERS = 512 * 1024;

export interface ToldItem {
  readonly agent: string;
  readonly item: AgentItem;
}

export class AgentItems implements Channel {
  readonly #wake: () => void;
  /** Waiting items by agent, then by the number of the item, in the order in which they were first reported. */
  readonly #waiting = new Map<string, Map<number, AgentItem>>();

  constructor(wake: () => void) {
    this.#wake = wake;
  }

  get waits(): boolean {
    return this.#waiting.size > 0;
  }

  add({ agent, item }: ToldItem): void {
    const items = this.#waiting.get(agent) ?? new Map<number, AgentItem>();
    this.#waiting.set(agent, items.set(item.seq, item));
    if (items.size > MOST_OF_ONE) items.delete(items.keys().next().value!);
    this.#wake();
  }

  take(): PageEvent[] {
    const events: PageEvent[] = [];
    let characters = 0;
    for (const [agent, items] of this.#waiting) {
      for (const [seq, item] of items) {
        if (events.length >= MOST_AT_ONCE || characters >= MOST_CHARACTERS) return events;
        characters += lengthOf(item);
        events.push(['hosted-item', { agent, item }]);
        items.delete(seq);
      }
      this.#waiting.delete(agent);
    }
    return events;
  }

  clear(): void {
    this.#waiting.clear();
  }
}

/** Returns the approximate number of characters of an item. */
function lengthOf(item: AgentItem): number {
  return 200 + (item.kind === 'call' ? item.input.text.length + item.output.text.length : item.text.length);
}
