/** Stacks of a profile as lines for a reader. */

/** Recursion, of one function or of several in turn, is one frame with how often it is there at most; then stacks are added up, and those of less than `least` samples are left out. */
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

/** `(a b b b c)` as `a, b (recursive), c`; also where a few functions call each other in turn. */
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
