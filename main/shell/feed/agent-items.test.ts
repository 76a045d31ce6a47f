import { describe, expect, it } from 'vitest';
import { AgentItems, type ToldItem } from './agent-items.ts';
import type { PageEvent } from './outbox.ts';

function said(seq: number, text = '', agent = 'one'): ToldItem {
  return { agent, item: { kind: 'said', seq, at: 0, text, cut: 0, open: false } };
}

/** Returns the numbers of the items in a batch, grouped by agent. */
function numbers(events: readonly PageEvent[]): string[] {
  return events.map(([, told]) => {
    const { agent, item } = told as ToldItem;
    return `${agent} ${item.seq}`;
  });
}

function channel(): { items: AgentItems; wakes: () => number } {
  let count = 0;
  return { items: new AgentItems(() => (count += 1)), wakes: () => count };
}

describe('items of agents that wait for the page', () => {
  it('All of a burst reach the page, in order, a bounded number with each batch [issue 14.3]', () => {
    const { items, wakes } = channel();
    for (let seq = 1; seq <= 450; seq += 1) items.add(said(seq));
    const batches: string[][] = [];
    while (items.waits) batches.push(numbers(items.take()));
    expect(batches.map(({ length }) => length)).toEqual([200, 200, 50]);
    expect(batches.flat()).toEqual(Array.from({ length: 450 }, (_, index) => `one ${index + 1}`));
    expect([wakes(), items.take()]).toEqual([450, []]);
  });

  it('Of one item the latest state alone is sent, in the place where it was first told [issue 14.3]', () => {
    const { items } = channel();
    items.add(said(1, 'a'));
    items.add(said(2, 'b'));
    items.add(said(1, 'a and more'));
    expect(items.take()).toEqual([
      ['hosted-item', said(1, 'a and more')],
      ['hosted-item', said(2, 'b')],
    ]);
  });

  it('Long items go with several batches, and each batch has at least one [issue 14.3]', () => {
    const { items } = channel();
    for (let seq = 1; seq <= 3; seq += 1) items.add(said(seq, 'x'.repeat(600_000)));
    expect([1, 2, 3, 4].map(() => numbers(items.take()))).toEqual([['one 1'], ['one 2'], ['one 3'], []]);
  });

  it('What waits is bounded for each conversation, by what the page would keep of it [issue 14.3]', () => {
    const { items } = channel();
    items.add(said(1, '', 'other'));
    for (let seq = 1; seq <= 5_100; seq += 1) items.add(said(seq));
    const sent: string[] = [];
    while (items.waits) sent.push(...numbers(items.take()));
    expect([sent.length, sent[0], sent[1], sent.at(-1)]).toEqual([5_001, 'other 1', 'one 101', 'one 5100']);
  });

  it('Nothing waits for a page that begins anew [issue 14.3]', () => {
    const { items } = channel();
    items.add(said(1));
    items.clear();
    expect([items.waits, items.take()]).toEqual([false, []]);
  });
});
