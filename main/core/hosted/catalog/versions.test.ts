import { describe, expect, it } from 'vitest';
import { isNewer, lowestNode, newestOf } from './versions.ts';

describe('versions', () => {
  it.each([
    ['1.2.10', '1.2.9'],
    ['2.0.0', '1.99.99'],
    ['1.2.3', '1.2.3-beta.4'],
    ['1.2.3-beta.10', '1.2.3-beta.9'],
    ['1.2.3-beta.4', '1.2.3-beta'],
    ['1.2.3-rc', '1.2.3-1'],
    ['1.2.4-beta', '1.2.3'],
  ])('The version %s is newer than %s, and not the other way around [issue 33.2]', (newer, older) => {
    expect([isNewer(newer, older), isNewer(older, newer), isNewer(newer, newer)]).toEqual([true, false, false]);
  });

  it('What stands behind a plus makes no version newer [issue 33.2]', () => {
    expect([isNewer('1.2.3+b', '1.2.3+a'), isNewer('1.2', '1.2.0')]).toEqual([false, false]);
  });

  it('The newest of some versions is found, also where some are not known [issue 33.2]', () => {
    expect([newestOf(['1.0.0', null, '1.10.0', '1.9.0']), newestOf([null]), newestOf([])]).toEqual([
      '1.10.0',
      null,
      null,
    ]);
  });

  it.each([
    ['>=20.0.0', '20.0.0'],
    ['^20.19 || >=22.12', '20.19'],
    ['>=22 || ^18.20.4', '18.20.4'],
    ['>= 22.19.0 < 25', '22.19.0'],
    ['v24', '24'],
    ['<25', null],
    ['*', null],
    ['', null],
  ])('The range %j takes Node from %s [issue 33.2]', (range, lowest) => {
    expect(lowestNode(range)).toBe(lowest);
  });
});
