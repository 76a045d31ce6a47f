/** The geometry of a line plot: the path of a series in a box of the page, and round numbers for the axes. Pure. */

export interface Point {
  readonly index: number;
  readonly value: number;
}

/** Returns about `about` round numbers that span a range. */
export function ticks(least: number, greatest: number, about: number): number[] {
  if (!(greatest > least)) return [least];
  const rough = (greatest - least) / Math.max(1, about);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? 10 * power;
  const first = Math.ceil(least / step);
  const last = Math.floor(greatest / step + 1e-9);
  // Multiplies instead of adding, so that rounding errors do not accumulate.
  return Array.from({ length: Math.max(0, last - first) + 1 }, (_, at) =>
    Number(((first + at) * step).toPrecision(12)),
  );
}

export interface Scale {
  readonly from: number;
  readonly to: number;
  readonly size: number;
}

/** Returns the position of a number on a scale, in pixels from the start of the scale. */
export function placeOn({ from, to, size }: Scale, value: number): number {
  return to === from ? size / 2 : ((value - from) / (to - from)) * size;
}

/** Returns the path of an SVG line through the points. The vertical scale grows upwards. */
export function linePath(points: readonly Point[], across: Scale, up: Scale): string {
  return points
    .map(({ index, value }, at) => {
      const x = placeOn(across, index).toFixed(1);
      const y = (up.size - placeOn(up, value)).toFixed(1);
      return `${at === 0 ? 'M' : 'L'}${x} ${y}`;
    })
    .join('');
}

/** Returns a number in short form for the label of an axis. */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e7 || size < 1e-4)) return value.toExponential(1).replace('e+', 'e');
  return String(Number(value.toPrecision(6)));
}
