import { describe, expect, it } from 'vitest';
import { addPlace, emptyHistory, type Place, step, withoutPlaces } from './place-history.ts';

const place = (buffer: string, line: number): Place => ({ buffer, file: `/${buffer}.lisp`, line, column: 1 });
const visit = (...places: Place[]) => places.reduce(addPlace, emptyHistory);
const lines = (history: ReturnType<typeof visit>): string[] =>
  history.places.map(({ buffer, line }) => `${buffer}:${line}`);

describe('the history of places', () => {
  it('Moves within a few lines are one place, a jump or another text begins a new one', () => {
    const history = visit(place('a', 1), place('a', 4), place('a', 9), place('a', 60), place('b', 60));
    expect(lines(history)).toEqual(['a:9', 'a:60', 'b:60']);
  });

  it('A place that was jumped from stays, however near the jump leads, and once', () => {
    const left = { ...place('a', 4), left: true };
    const history = visit(place('a', 1), left, left, place('a', 4), place('a', 6), place('a', 7));
    expect(lines(history)).toEqual(['a:4', 'a:7']);
    expect(step(history, -1).place).toEqual(left);
    expect(lines(visit(left, { ...place('a', 4), column: 2 }, place('b', 4)))).toEqual(['a:4', 'a:4', 'b:4']);
  });

  it('Back and forward go through the places, and end at both ends', () => {
    const history = visit(place('a', 1), place('b', 50), place('c', 1));
    const back = step(history, -1);
    expect(back.place).toEqual(place('b', 50));
    expect(step(step(back.history, -1).history, -1).place).toBeNull();
    expect(step(back.history, 1).place).toEqual(place('c', 1));
    expect(step(history, 1).place).toBeNull();
  });

  it('A jump after going back takes the place of what came after', () => {
    const back = step(visit(place('a', 1), place('b', 1), place('c', 1)), -1).history;
    expect(lines(addPlace(back, place('d', 1)))).toEqual(['a:1', 'b:1', 'd:1']);
  });

  it('The place that was gone back to is the present one, however often the caret is set there', () => {
    const back = step(visit(place('a', 1), place('b', 1)), -1).history;
    expect(lines(addPlace(back, place('a', 2)))).toEqual(['a:2', 'b:1']);
  });

  it('A text that is gone is passed over, and what it stood between is one place', () => {
    const scratch: Place = { buffer: 'scratch', file: null, line: 1, column: 1 };
    const isGone = ({ file }: Place): boolean => file === null;
    const history = visit(place('a', 1), { ...place('b', 40), left: true }, scratch, place('b', 41), place('c', 1));
    const left = withoutPlaces(history, isGone);
    expect([lines(left), left.at]).toEqual([['a:1', 'b:41', 'c:1'], 2]);
    expect(left.places[1]!.left).toBe(true);
    const there = withoutPlaces(visit(place('a', 1), scratch), isGone);
    expect([lines(there), there.at]).toEqual([['a:1'], 0]);
    expect(withoutPlaces(visit(scratch), isGone)).toEqual(emptyHistory);
  });

  it('A file that was closed and opened again is the same text', () => {
    const again: Place = { ...place('a', 3), buffer: 'opened again' };
    expect(visit(place('a', 1), again).places).toEqual([again]);
  });
});
