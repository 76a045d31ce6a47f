/** The difference between two printed values, without the common text at both ends. Pure. */

/** A value split into pieces. The pieces `before` and `after` are equal in both values. */
export interface DifferingPieces {
  readonly before: string;
  readonly expected: string;
  readonly actual: string;
  readonly after: string;
}

/** The number of equal characters that stay visible beside the difference. */
const AROUND = 40;

/** Splits two values into pieces; returns null if the values are equal, or have too little in common for a useful comparison. */
export function differingPieces(expected: string, actual: string): DifferingPieces | null {
  if (expected === actual) return null;
  const most = Math.min(expected.length, actual.length);
  let start = 0;
  while (start < most && expected[start] === actual[start]) start += 1;
  let end = 0;
  while (end < most - start && expected.at(-1 - end) === actual.at(-1 - end)) end += 1;
  if (start + end < most / 4 || most < 8) return null;
  return {
    before: shortened(expected.slice(0, start), 'end'),
    expected: expected.slice(start, expected.length - end),
    actual: actual.slice(start, actual.length - end),
    after: shortened(expected.slice(expected.length - end), 'start'),
  };
}

function shortened(text: string, keep: 'start' | 'end'): string {
  if (text.length <= AROUND) return text;
  return keep === 'end' ? `…${text.slice(-AROUND)}` : `${text.slice(0, AROUND)}…`;
}
