import { describe, expect, it } from 'vitest';
import type { AgentItem } from '#contract/clients/hosted-agent.ts';
import { newsOf } from './news.ts';

const said = (seq: number, text: string, open: boolean): AgentItem => ({
  kind: 'said',
  seq,
  at: 0,
  text,
  cut: 0,
  open,
});

function called(seq: number, status: 'running' | 'done' | 'failed'): AgentItem {
  const none = { text: '', cut: 0 };
  const rest = { id: 'x', title: 'Evaluate', tool: 'evaluate-lisp', call: null, input: none, output: none, files: [] };
  return { kind: 'call', seq, at: 0, status, ...rest };
}

describe('news of a conversation', () => {
  it('Words are news once they are complete, and only once [issue 14.3]', () => {
    const before = [said(1, 'It', true)];
    expect(newsOf(before, [said(1, 'It is', true)], 'Codex')).toEqual([]);
    const whole = [said(1, 'It is\n144.', false)];
    expect(newsOf(before, whole, 'Codex')).toEqual(['Codex says: It is 144.']);
    expect(newsOf(whole, whole, 'Codex')).toEqual([]);
  });

  it('Words are read out without marks of Markdown and tags of HTML', () => {
    const text = '# Result\n\nThe **sum** is `144`.\n\n- <b>one</b>\n- two';
    expect(newsOf([], [said(1, text, false)], 'Codex')).toEqual(['Codex says: Result. The sum is 144. one. two.']);
  });

  it('A call is news when it begins and when it fails, and not when it goes well [issue 14.3]', () => {
    const begun = [called(1, 'running')];
    expect(newsOf([], begun, 'Codex')).toEqual(['Codex calls evaluate-lisp.']);
    expect(newsOf(begun, [called(1, 'done')], 'Codex')).toEqual([]);
    expect(newsOf(begun, [called(1, 'failed')], 'Codex')).toEqual(['evaluate-lisp failed.']);
  });

  it('Older items that are loaded are no news, and long words are cut [issue 14.3]', () => {
    const known = [said(5, 'a', false)];
    expect(newsOf(known, [said(4, 'older', false), ...known], 'Codex')).toEqual([]);
    const [words = ''] = newsOf(known, [...known, said(6, 'x'.repeat(5000), false)], 'Codex');
    expect(words.length).toBeLessThan(450);
    expect(words.endsWith('…')).toBe(true);
  });
});
