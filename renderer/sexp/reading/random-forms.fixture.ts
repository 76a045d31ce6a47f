/** Random forms for tests of typing. They are the same in each test run. */

/** Returns a function that returns random numbers below a bound. The same seed gives the same numbers. */
export function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const ATOMS = [
  'a',
  'foo',
  ':key',
  '12',
  '#\\(',
  '#\\)',
  '#\\"',
  '#\\;',
  '"s"',
  '"a ( b"',
  '"a ) b"',
  '"\\""',
  '"\\\\"',
  "'x",
  '`(a ,b ,@c)',
  "#'f",
  '|x )|',
  '#(1)',
  '#p"/tmp/"',
  '""',
  '()',
];

export function randomForm(below: (bound: number) => number, depth: number): string {
  if (depth === 0 || below(3) === 0) return ATOMS[below(ATOMS.length)]!;
  const parts = Array.from({ length: 1 + below(4) }, () => randomForm(below, depth - 1));
  return `(${parts.join(below(3) === 0 ? '\n' : ' ')})`;
}

/** Splits a text into pieces of random length, and decides randomly whether each is typed or pasted. */
export function randomChunks(
  below: (bound: number) => number,
  text: string,
): { readonly text: string; readonly by: 'keys' | 'paste' }[] {
  const chunks: { text: string; by: 'keys' | 'paste' }[] = [];
  for (let at = 0; at < text.length;) {
    const length = 1 + below(12);
    chunks.push({ text: text.slice(at, at + length), by: below(4) === 0 ? 'paste' : 'keys' });
    at += length;
  }
  return chunks;
}
