import { describe, expect, it } from 'vitest';
import { callAround } from './calls.ts';

const at = (marked: string) => callAround(marked.replace('|', ''), marked.indexOf('|'));

describe('the call around a place', () => {
  it('The innermost list with a symbol at its head is the call, and its forms before the place are counted', () => {
    expect(at('(list 1 (vector 2 3| 4))')).toEqual({ operator: 'vector', argument: 1 });
    expect(at('(list 1 (vector 2) |)')).toEqual({ operator: 'list', argument: 2 });
    expect(at('(lis|t 1)')).toEqual({ operator: 'list', argument: -1 });
  });

  it('A list of data or bindings leaves the call around it', () => {
    expect(at('(let ((x |1)) x)')).toEqual({ operator: 'x', argument: 0 });
    expect(at('(f ((a) | b))')).toEqual({ operator: 'f', argument: 0 });
  });

  it('A list that is still being typed is a call, a place outside of lists is in none', () => {
    expect(at('(subseq string |')).toEqual({ operator: 'subseq', argument: 1 });
    expect(at('|(list 1)')).toBeNull();
    expect(at('(list 1)|')).toBeNull();
  });
});
