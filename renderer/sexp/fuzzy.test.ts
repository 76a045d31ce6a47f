import { describe, expect, it } from 'vitest';
import { fuzzyScore } from './fuzzy.ts';

const best = (typed: string, ...names: string[]): string[] =>
  names
    .map((name) => ({ name, score: fuzzyScore(typed, name) }))
    .filter((each): each is { name: string; score: number } => each.score !== null)
    .toSorted((a, b) => b.score - a.score)
    .map(({ name }) => name);

describe('fuzzy matching', () => {
  it('The first letters of the parts find a compound name', () => {
    expect(fuzzyScore('mvb', 'multiple-value-bind')).not.toBeNull();
    expect(fuzzyScore('m-v-b', 'multiple-value-bind')).not.toBeNull();
    expect(best('mvb', 'map-visible-bits-x', 'multiple-value-bind', 'remove-b')[0]).toMatch(/^m/);
  });

  it('A name that begins with what was typed comes first, the shortest of them before the others', () => {
    expect(best('list', 'list-length', 'make-list', 'list', 'copy-list')).toEqual([
      'list',
      'list-length',
      'make-list',
      'copy-list',
    ]);
  });

  it('A name without one of the characters, or with them in another order, does not match', () => {
    expect(fuzzyScore('carx', 'car')).toBeNull();
    expect(fuzzyScore('rac', 'car')).toBeNull();
    expect(fuzzyScore('', 'car')).toBe(0);
  });

  it('An early letter inside a part does not hide a match at the beginning of a later part', () => {
    expect(fuzzyScore('wos', 'with-output-to-string')).toBeGreaterThan(fuzzyScore('wos', 'two-so') ?? -100);
  });
});
