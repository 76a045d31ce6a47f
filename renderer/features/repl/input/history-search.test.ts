import { describe, expect, it } from 'vitest';
import { searchHistory, searchOn } from './history-search.ts';

const history = ['(defun Total ())', '(list 1)', '(total)', '(list 2)'];

describe('history search', () => {
  it('The newest entry with the text comes first, in any case, and older ones after it [D5]', () => {
    const first = searchHistory(history, 'TOTAL');
    expect(first).toEqual({ query: 'TOTAL', index: 2, offset: 1 });
    const older = searchOn(history, first, -1);
    expect(older).toEqual({ query: 'TOTAL', index: 0, offset: 7 });
    expect(searchOn(history, older, -1)).toBe(older);
    expect(searchOn(history, older, 1).index).toBe(2);
  });

  it('Nothing is found for no text, or for one that was never typed', () => {
    expect(searchHistory(history, '').index).toBeNull();
    const none = searchHistory(history, 'xyz');
    expect([none.index, searchOn(history, none, -1)]).toEqual([null, none]);
  });
});
