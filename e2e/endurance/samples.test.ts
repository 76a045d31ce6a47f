import { describe, expect, it } from 'vitest';
import { slopeOf, verdictOn, type Sample } from './samples.ts';

const MEGABYTE = 1024 * 1024;

/** Returns the samples of a one-hour soak, one per minute. `change` returns the fields to change in the sample of a minute. */
function soak(change: (minute: number) => Partial<Sample> = () => ({})): Sample[] {
  return Array.from({ length: 61 }, (_, minute) => ({
    at: minute * 60,
    tasks: minute * 100,
    wrong: 0,
    latencyMs: 5 + (minute % 3),
    serve: { resident: (200 + (minute % 5)) * MEGABYTE, heap: 40 * MEGABYTE, descriptors: 40 + (minute % 4) },
    image: { resident: 150 * MEGABYTE, dynamic: 60 * MEGABYTE, descriptors: 12, threads: 3 },
    processes: 24,
    ...change(minute),
  }));
}

/** Returns the subjects of the failed findings. */
function failed(samples: readonly Sample[]): string[] {
  return verdictOn(samples, 24)
    .filter(({ passed }) => !passed)
    .map(({ said }) => said.split(':')[0]!);
}

describe('verdict on a soak', () => {
  it('A soak passes whose figures only waver', () => {
    expect(failed(soak())).toEqual([]);
  });

  it('Growth to a bound within the warm-up is no fault, and growth that goes on is one', () => {
    const [flat] = soak();
    const heap = (megabytes: number): Partial<Sample> => ({ serve: { ...flat!.serve, heap: megabytes * MEGABYTE } });
    expect(failed(soak((minute) => heap(40 + Math.min(minute, 18) * 5)))).toEqual([]);
    expect(failed(soak((minute) => heap(40 + minute / 2)))).toEqual(['JavaScript heap of serve']);
    expect(failed(soak((minute) => heap(40 + minute / 2)).slice(0, 10))).toEqual([]); // too short for a verdict
  });

  it.each<[string, (minute: number, flat: Sample) => Partial<Sample>]>([
    ['open files of serve', (minute, { serve }) => ({ serve: { ...serve, descriptors: 40 + minute } })],
    ['threads of the image', (minute, { image }) => ({ image: { ...image, threads: 3 + Math.floor(minute / 2) } })],
    ['dynamic space of the image', (minute, { image }) => ({ image: { ...image, dynamic: (60 + minute) * MEGABYTE } })],
    ['processes', (minute) => ({ processes: minute === 50 ? 25 : 24 })],
    ['a small evaluation', (minute) => ({ latencyMs: 5 + minute ** 2 / 10 })],
    ['1 of 6000 tasks had a wrong answer', (minute) => ({ wrong: minute < 30 ? 0 : 1 })],
  ])('A soak fails for %s', (subject, change) => {
    const [flat] = soak();
    expect(failed(soak((minute) => change(minute, flat!)))).toEqual([subject]);
  });

  it('The slope is that of the line of least squares', () => {
    expect(slopeOf([0, 1, 2, 3].map((x) => [x, 7 + 2.5 * x]))).toBeCloseTo(2.5);
    expect(
      slopeOf([
        [0, 0],
        [1, 3],
        [2, 0],
      ]),
    ).toBeCloseTo(0);
    expect(slopeOf([[1, 5]])).toBe(0);
  });
});
