import { describe, expect, test } from 'vitest';
import { edgesOf, gridShape, groupsIn, placesOf, resized, withoutGroup } from './grid.ts';
import {
  focusedGroup,
  focusedOn,
  groupOf,
  type Groups,
  groupsWith,
  joined,
  moved,
  MOST_GROUPS,
  neighbourOf,
  numberOf,
  oneGroup,
  shownIn,
  split,
  withEdge,
  withoutTab,
  withoutText,
} from './groups.ts';
import { groupsToKeep, keptIn, restoredGroups } from './kept.ts';

const two = split(oneGroup(['a', 'b'], 'b'), 'right', 'second');

describe('Dividing the editor', () => {
  test('A divided group gives half its room to a new one with the same text, which has the focus', () => {
    expect(groupOf(two, 'second')).toEqual({ id: 'second', tabs: ['b'], shown: 'b' });
    expect(two.focused).toBe('second');
    expect(Object.fromEntries(placesOf(two.grid))).toEqual({
      first: { left: 0, top: 0, width: 0.5, height: 1 },
      second: { left: 0.5, top: 0, width: 0.5, height: 1 },
    });
  });

  test('Groups are divided again in either direction, and each edge moves its own division alone', () => {
    const three = withEdge(split(two, 'down', 'third'), '2', 0.25);
    expect(placesOf(three.grid).get('third')).toEqual({ left: 0.5, top: 0.25, width: 0.5, height: 0.75 });
    expect(placesOf(three.grid).get('first')).toEqual({ left: 0, top: 0, width: 0.5, height: 1 });
    expect(edgesOf(three.grid).map(({ path, direction }) => [path, direction])).toEqual([
      ['', 'right'],
      ['2', 'down'],
    ]);
  });

  test('Of four groups each has its place, each edge its share and its room, and one that goes leaves the others theirs', () => {
    // A layout of four groups: `first` above `third` on the left, and `second` above `fourth` on the right.
    const four = split(focusedOn(split(focusedOn(two, 'first'), 'down', 'third'), 'second'), 'down', 'fourth');
    const sized = withEdge(withEdge(four, '1', 0.25), '2', 0.75);
    expect(Object.fromEntries(placesOf(sized.grid))).toEqual({
      first: { left: 0, top: 0, width: 0.5, height: 0.25 },
      third: { left: 0, top: 0.25, width: 0.5, height: 0.75 },
      second: { left: 0.5, top: 0, width: 0.5, height: 0.75 },
      fourth: { left: 0.5, top: 0.75, width: 0.5, height: 0.25 },
    });
    expect(edgesOf(sized.grid)).toEqual([
      { path: '', direction: 'right', share: 0.5, around: { left: 0, top: 0, width: 1, height: 1 } },
      { path: '1', direction: 'down', share: 0.25, around: { left: 0, top: 0, width: 0.5, height: 1 } },
      { path: '2', direction: 'down', share: 0.75, around: { left: 0.5, top: 0, width: 0.5, height: 1 } },
    ]);
    expect(placesOf(withoutGroup(sized.grid, 'third')!)).toEqual(
      new Map([
        ['first', { left: 0, top: 0, width: 0.5, height: 1 }],
        ['second', { left: 0.5, top: 0, width: 0.5, height: 0.75 }],
        ['fourth', { left: 0.5, top: 0.75, width: 0.5, height: 0.25 }],
      ]),
    );
    expect(groupsIn(withoutGroup(sized.grid, 'second')!)).toEqual(['first', 'third', 'fourth']);
    expect(withoutGroup('first', 'first')).toBeNull();
    expect(resized('first', '1', 0.3)).toBe('first');
    expect(['first', 'third', 'second', 'fourth'].map((id) => numberOf(sized, id))).toEqual([1, 2, 3, 4]);
  });

  test('A deeper edge is moved by the steps to it', () => {
    const deep = split(split(two, 'down', 'third'), 'right', 'fourth');
    expect(edgesOf(deep.grid).map(({ path }) => path)).toEqual(['', '2', '22']);
    const moved22 = withEdge(deep, '22', 0.2);
    expect(placesOf(moved22.grid).get('third')).toEqual({ left: 0.5, top: 0.5, width: 0.1, height: 0.5 });
    expect(placesOf(moved22.grid).get('second')).toEqual({ left: 0.5, top: 0, width: 0.5, height: 0.5 });
  });

  test('An edge leaves room for both sides, however far it is moved', () => {
    expect(placesOf(withEdge(two, '', 5).grid).get('second')?.width).toBeCloseTo(0.1);
    expect(placesOf(withEdge(two, '', -5).grid).get('first')?.width).toBeCloseTo(0.1);
  });

  test('No group without a text is divided, and none past the most groups', () => {
    const empty = oneGroup([], null);
    expect(split(empty, 'right', 'second')).toBe(empty);
    let all = oneGroup(['a'], 'a');
    for (let count = 0; count < 20; count += 1) all = split(all, 'down', `group-${count}`);
    expect(all.groups.length).toBe(MOST_GROUPS);
    expect(groupsIn(all.grid).length).toBe(MOST_GROUPS);
  });
});

describe('Texts in groups', () => {
  test('A text is shown in the group that has the focus, with a tab there alone', () => {
    const shown = shownIn(two, 'c');
    expect(groupsWith(shown, 'c').map(({ id }) => id)).toEqual(['second']);
    expect(shownIn(focusedOn(shown, 'first'), 'c').groups.map(({ shown: each }) => each)).toEqual(['c', 'c']);
  });

  test('A group whose last tab is closed goes, and its room goes to its neighbour', () => {
    const left = withoutTab(two, 'second', 'b');
    expect(left.grid).toBe('first');
    expect(focusedGroup(left)).toEqual({ id: 'first', tabs: ['a', 'b'], shown: 'b' });
    expect(groupsWith(left, 'b').length).toBe(1);
  });

  test('A tab that is closed is followed by the next one, the last by the one before; another that is shown stays', () => {
    const all = oneGroup(['a', 'b', 'c'], 'b');
    const shown = (text: string, closed: string) =>
      withoutTab({ ...all, groups: [{ ...all.groups[0]!, shown: text }] }, 'first', closed).groups[0];
    expect(shown('a', 'a')).toEqual({ id: 'first', tabs: ['b', 'c'], shown: 'b' });
    expect(shown('b', 'b')).toEqual({ id: 'first', tabs: ['a', 'c'], shown: 'c' });
    expect(shown('c', 'c')).toEqual({ id: 'first', tabs: ['a', 'b'], shown: 'b' });
    expect(shown('a', 'c')).toEqual({ id: 'first', tabs: ['a', 'b'], shown: 'a' });
    // The previously visible text is shown again, if it is still open in this group.
    expect(withoutTab(all, 'first', 'b', ['b', 'gone', 'a', 'c']).groups[0]).toMatchObject({ shown: 'a' });
    expect(withoutTab(all, 'first', 'a', ['c']).groups[0]).toMatchObject({ shown: 'b' });
    expect(withoutTab(oneGroup(['a'], 'a'), 'first', 'a').groups).toEqual([{ id: 'first', tabs: [], shown: null }]);
    expect(withoutTab(all, 'first', 'nothing')).toBe(all);
    expect(withoutTab(all, 'nowhere', 'a')).toBe(all);
  });

  test('Nothing is shown where that is wanted, and no tab comes of it', () => {
    expect(shownIn(two, null).groups.map(({ tabs, shown }) => [tabs, shown])).toEqual([
      [['a', 'b'], 'b'],
      [['b'], null],
    ]);
  });

  test('A group that goes hands the focus to the one before it, where it had it', () => {
    const three = split(two, 'right', 'third');
    expect(withoutTab(three, 'third', 'b').focused).toBe('second');
    expect(withoutTab(three, 'first', 'b').focused).toBe('third');
    expect(withoutTab(focusedOn(three, 'first'), 'third', 'b').focused).toBe('first');
  });

  test('A text that is closed leaves all groups, and the last group stays without tabs', () => {
    const left = withoutText(withoutText(two, 'b'), 'a');
    expect(left).toEqual({ grid: 'first', groups: [{ id: 'first', tabs: [], shown: null }], focused: 'first' });
  });

  test('The tabs of a group that is closed go to another group, once each', () => {
    const left = joined(shownIn(two, 'c'), 'second', 'first');
    expect(left.groups).toEqual([{ id: 'first', tabs: ['a', 'b', 'c'], shown: 'b' }]);
    expect(left.focused).toBe('first');
    expect(joined(two, 'first', 'first')).toBe(two);
    expect(joined(two, 'first', 'nowhere')).toBe(two);
    expect(joined(two, 'nowhere', 'first')).toBe(two);
  });

  test('The focus goes to a group that is there', () => {
    expect(focusedOn(two, 'first').focused).toBe('first');
    expect(focusedOn(two, 'second')).toBe(two);
    expect(focusedOn(two, 'nowhere')).toBe(two);
  });

  test('A tab is moved to another group, before a tab or to the end, and is shown there', () => {
    const there = moved(two, 'a', { from: 'first', to: 'second', before: 'b' });
    expect(groupOf(there, 'second')).toEqual({ id: 'second', tabs: ['a', 'b'], shown: 'a' });
    expect(groupOf(there, 'first')?.tabs).toEqual(['b']);
    expect(groupOf(moved(two, 'a', { from: 'first', to: 'first' }), 'first')?.tabs).toEqual(['b', 'a']);
    expect(moved(two, 'b', { from: 'second', to: 'first' }).grid).toBe('first');
    expect(moved(two, 'nothing', { from: 'first', to: 'second' })).toBe(two);
    expect(moved(two, 'a', { from: 'nowhere', to: 'second' })).toBe(two);
    expect(moved(two, 'a', { from: 'first', to: 'nowhere' })).toBe(two);
    expect(moved(two, 'a', { from: 'first', to: 'second', before: 'a' })).toBe(two);
    const three = oneGroup(['a', 'b', 'c'], 'a');
    const within = (text: string, before: string | null) =>
      moved(three, text, { from: 'first', to: 'first', before }).groups[0];
    expect(within('c', 'a')).toEqual({ id: 'first', tabs: ['c', 'a', 'b'], shown: 'c' });
    expect(within('a', 'c')).toEqual({ id: 'first', tabs: ['b', 'a', 'c'], shown: 'a' });
    expect(within('a', 'not there')?.tabs).toEqual(['b', 'c', 'a']);
    expect(moved(two, 'a', { from: 'first', to: 'second' }).focused).toBe('second');
  });

  test('Going from group to group follows their order on the screen, and goes round', () => {
    const three = split(focusedOn(two, 'first'), 'down', 'third');
    expect(groupsIn(three.grid)).toEqual(['first', 'third', 'second']);
    expect(neighbourOf(three, 'second', 1)).toBe('first');
    expect(neighbourOf(three, 'first', -1)).toBe('second');
  });
});

describe('Groups after a restart', () => {
  const kept = (all: Groups) => ({
    version: 1,
    editor: JSON.parse(
      JSON.stringify(
        groupsToKeep(
          all,
          (text) => text !== 'passing',
          () => ({ line: 3, column: 2 }),
        ),
      ),
    ) as unknown,
  });

  test('Groups come back with their sizes, tabs and carets', () => {
    const layout = keptIn(kept(withEdge(two, '', 0.3)));
    expect(layout?.groups[1]?.tabs).toEqual([{ text: 'b', caret: { line: 3, column: 2 } }]);
    expect(restoredGroups(layout, ['a', 'b'], 'b')).toEqual(withEdge(two, '', 0.3));
  });

  test('Texts that are not kept, and groups of nothing but such, are left out', () => {
    const back = restoredGroups(keptIn(kept(shownIn(withoutTab(two, 'second', 'b'), 'passing'))), ['a', 'b'], 'a');
    expect(back.groups).toEqual([{ id: 'first', tabs: ['a', 'b'], shown: 'a' }]);
    const gone = restoredGroups(keptIn(kept(two)), ['a'], 'a');
    expect(gone.grid).toBe('first');
  });

  test('A workspace of before there were groups, or with groups that do not fit, has one group with all texts', () => {
    for (const layout of [null, { version: 1 }, { editor: { grid: 'x', focused: 'x', groups: [] } }])
      expect(restoredGroups(keptIn(layout), ['a', 'b'], 'b')).toEqual(oneGroup(['a', 'b'], 'b'));
    const doubled = { ...two, grid: { direction: 'right', share: 0.5, first: 'first', second: 'first' } as const };
    expect(restoredGroups(keptIn(kept(doubled)), ['a', 'b'], 'a')).toEqual(oneGroup(['a', 'b'], 'a'));
    expect(gridShape.safeParse({ direction: 'up', share: 0.5, first: 'a', second: 'b' }).success).toBe(false);
  });

  test('A text that no group names gets a tab in the group that has the focus', () => {
    const back = restoredGroups(keptIn(kept(two)), ['a', 'b', 'new'], 'b');
    expect(groupOf(back, 'second')?.tabs).toEqual(['b', 'new']);
  });
});
