import { describe, expect, it } from 'vitest';
import { ShownValues } from './shown-values.ts';

function shown(most: number) {
  const released: string[] = [];
  const tell = (_op: string, { holder }: { holder: string }): void => void released.push(holder);
  return { values: new ShownValues({ tell: tell as never }, most), released };
}

describe('shown values', () => {
  it('Values are released when their evaluation leaves, once', () => {
    const { values, released } = shown(5);
    values.add('one');
    values.release('one');
    values.release('one');
    values.release('never added');
    expect(released).toEqual(['one']);
  });

  it('The oldest values are released when too many are held', () => {
    const { values, released } = shown(2);
    for (const each of ['one', 'two', 'three', 'four']) values.add(each);
    expect(released).toEqual(['one', 'two']);
  });

  it('Nothing is released of an image that is gone', () => {
    const { values, released } = shown(2);
    values.add('one');
    values.clear();
    values.release('one');
    expect(released).toEqual([]);
  });
});
