import { expect, it } from 'vitest';
import { emptyKillRing, kill, type KillRing, rotated, yanked } from './kill-ring.ts';

const ring = (...kills: string[]): KillRing => kills.reduce((each, text) => kill(each, text), emptyKillRing);

it('The text that was killed last is put in, and nothing where none was', () => {
  expect([yanked(emptyKillRing), yanked(ring('a')), yanked(ring('a', 'b'))]).toEqual([null, 'a', 'b']);
});

it('Kills right after one another are one text, in the order of the file', () => {
  const one = ring('x', 'b');
  expect(kill(one, 'c', 'after').kills).toEqual(['bc', 'x']);
  expect(kill(one, 'a', 'before').kills).toEqual(['ab', 'x']);
  expect(kill(emptyKillRing, 'a', 'after').kills).toEqual(['a']);
});

it('Going round the ring comes to each text and then again to the first', () => {
  let each = ring('a', 'b', 'c');
  const texts = [yanked(each)];
  for (let times = 0; times < 3; times += 1) {
    each = rotated(each);
    texts.push(yanked(each));
  }
  expect(texts).toEqual(['c', 'b', 'a', 'c']);
  expect(rotated(emptyKillRing)).toEqual({ kills: [], at: 0 });
});

it('A new kill is the one that is put in, also in the middle of going round', () => {
  const turned = rotated(ring('a', 'b'));
  expect(yanked(kill(turned, 'c'))).toBe('c');
  expect(kill(turned, 'c', 'after')).toEqual({ kills: ['bc', 'a'], at: 0 });
});

it('Nothing killed adds nothing, and what is put in next is the latest', () => {
  expect(kill(rotated(ring('a', 'b')), '')).toEqual({ kills: ['b', 'a'], at: 0 });
});

it('The ring keeps sixty texts', () => {
  const many = ring(...Array.from({ length: 61 }, (_, index) => String(index)));
  expect([many.kills.length, many.kills[0], many.kills.at(-1)]).toEqual([60, '60', '1']);
});

it('The ring keeps twenty million characters, and the latest text however long', () => {
  const large = 'x'.repeat(10_000_000);
  const full = ring(large, large);
  expect(full.kills.length).toBe(2);
  expect(kill(full, 'y').kills.map(({ length }) => length)).toEqual([1, 10_000_000]);
  expect(ring('a', 'x'.repeat(20_000_001)).kills.map(({ length }) => length)).toEqual([20_000_001]);
});
