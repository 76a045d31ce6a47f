/** Reproducible random choices: the same seed gives the same choices on every machine. */

export interface Random {
  /** Returns a whole number from 0 up to, but not including, `below`. */
  readonly integer: (below: number) => number;
  readonly pick: <Value>(values: readonly Value[]) => Value;
  /** Returns the values in random order. */
  readonly shuffled: <Value>(values: readonly Value[]) => Value[];
  readonly chance: (probability: number) => boolean;
}

/** Returns an independent generator: a 32-bit counter whose steps are mixed by multiplications and shifts. */
export function randomFrom(seed: number): Random {
  let state = seed | 0;
  const fraction = (): number => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
  const integer = (below: number): number => Math.floor(fraction() * below);
  return {
    integer,
    pick: (values) => values[integer(values.length)]!,
    shuffled: (values) =>
      values
        .map((value) => ({ value, at: fraction() }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ value }) => value),
    chance: (probability) => fraction() < probability,
  };
}
