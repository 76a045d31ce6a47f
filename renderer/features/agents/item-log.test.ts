import { describe, expect, it } from 'vitest';
import type { AgentItem } from '#contract/clients/hosted-agent.ts';
import { NO_ITEMS, putItem, putOlder } from './item-log.ts';

const said = (seq: number, text = String(seq)): AgentItem => ({
  kind: 'said',
  seq,
  at: seq,
  text,
  cut: 0,
  open: false,
});
const seqs = (log: { items: readonly AgentItem[] }): number[] => log.items.map(({ seq }) => seq);

describe('items of a conversation', () => {
  it('A later state of an item takes its place, and a new one comes behind all others [issue 14.3]', () => {
    let log = [1, 2, 3].reduce((before, seq) => putItem(before, said(seq)), NO_ITEMS);
    log = putItem(log, said(2, 'more words'));
    expect(log.items.map((item) => item.kind === 'said' && item.text)).toEqual(['1', 'more words', '3']);
    expect(log.hasOlder).toBe(false);
  });

  it('An item that was missed before takes its own place [issue 14.3]', () => {
    const log = [1, 2, 4, 3].reduce((before, seq) => putItem(before, said(seq)), NO_ITEMS);
    expect(seqs(log)).toEqual([1, 2, 3, 4]);
  });

  it('A conversation that is heard from its middle on has older items to ask for [issue 14.3]', () => {
    const log = putItem(NO_ITEMS, said(7));
    expect(log.hasOlder).toBe(true);
    expect(putItem(log, said(3))).toEqual({ ...log, hasOlder: true });
  });

  it('What was told meanwhile is newer than what was asked for, and stays [issue 14.3]', () => {
    const log = putItem(putItem(NO_ITEMS, said(4, 'new')), said(5));
    const filled = putOlder(log, [said(2), said(3), said(4, 'old')], 3);
    expect(filled.items.map((item) => item.kind === 'said' && item.text)).toEqual(['2', '3', 'new', '5']);
    expect(filled.hasOlder).toBe(true);
    expect(putOlder(filled, [said(1)], 3).hasOlder).toBe(false);
  });

  it('The oldest items leave a long conversation, and can be asked for again [issue 14.3]', () => {
    const log = [1, 2, 3, 4].reduce((before, seq) => putItem(before, said(seq), 3), NO_ITEMS);
    expect(seqs(log)).toEqual([2, 3, 4]);
    expect(log.hasOlder).toBe(true);
  });
});
