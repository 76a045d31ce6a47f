/** Formats the stacks of a profile as lines of text. */

/**
 * Adds up equal stacks of a profile. First replaces recursion, of one function or of several that call each other, with one frame. Stacks
 * with fewer than `least` samples are left out.
 */
export function joinedStacks(
  stacks: readonly { readonly frames: readonly string[]; readonly count: number }[],
  least = 0,
): string[] {
  const sums = new Map<string, number>();
  for (const { frames, count } of stacks) {
    const key = withoutRepeats(frames).join(' > ');
    sums.set(key, (sums.get(key) ?? 0) + count);
  }
  return [...sums]
    .filter(([, count]) => count >= least)
    .toSorted(([, one], [, other]) => other - one)
    .map(([frames, count]) => `${count} · ${frames}`);
}

const LONGEST_CYCLE = 6;

/** Returns `a, b (recursive), c` for `(a b b b c)`. Also detects recursion of several functions that call each other. */
function withoutRepeats(frames: readonly string[]): string[] {
  const out: string[] = [];
  for (const frame of frames) {
    out.push(frame);
    for (let length = 1; length <= LONGEST_CYCLE && length * 2 <= out.length; length += 1) {
      const last = out.slice(-length);
      const before = out.slice(-2 * length, -length);
      if (!last.every((each, index) => bareFrame(each) === bareFrame(before[index]!))) continue;
      out.splice(-length);
      out[out.length - 1] = `${bareFrame(out.at(-1)!)} (recursive)`;
      break;
    }
  }
  return out;
}

function bareFrame(frame: string): string {
  return frame.replace(/ \(recursive\)$/, '');
}
