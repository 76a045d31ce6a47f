/** Versions of programs, such as `1.2.3` and `1.2.3-beta.4`. Pure. */

/** Returns true if the first version is newer than the second. A prerelease such as `1.2.3-beta.4` is older than its release. */
export function isNewer(one: string, other: string): boolean {
  const [release = '', early] = split(one);
  const [otherRelease = '', otherEarly] = split(other);
  const by = byParts(release, otherRelease);
  if (by !== 0) return by > 0;
  if (early === undefined || otherEarly === undefined) return early === undefined && otherEarly !== undefined;
  return byParts(early, otherEarly) > 0;
}

/** Returns the newest of some versions; null if there are none. */
export function newestOf(versions: readonly (string | null)[]): string | null {
  return versions.reduce(
    (newest, each) => (each !== null && (newest === null || isNewer(each, newest)) ? each : newest),
    null,
  );
}

/** Returns the lowest Node version that a range such as `^20.19 || >=22.12` accepts; null if the range has no lower bound. */
export function lowestNode(range: string): string | null {
  const bounds = [...range.slice(0, 200).matchAll(/(<=?|>=?|\^|~|=)?\s*v?(\d+(?:\.\d+){0,2})/g)]
    .filter(([, comparator]) => !comparator?.startsWith('<'))
    .map(([, , version]) => version!);
  return bounds.reduce<string | null>(
    (lowest, each) => (lowest === null || isNewer(lowest, each) ? each : lowest),
    null,
  );
}

function split(version: string): string[] {
  const plain = version.replace(/\+.*$/, '');
  const dash = plain.indexOf('-');
  return dash < 0 ? [plain] : [plain.slice(0, dash), plain.slice(dash + 1)];
}

/** Compares versions component by component. Numbers are compared by value, and come before words. */
function byParts(one: string, other: string): number {
  const parts = one.split('.');
  const others = other.split('.');
  for (let index = 0; index < Math.max(parts.length, others.length); index += 1) {
    const [part, match] = [parts[index], others[index]];
    if (part === match) continue;
    if (part === undefined) return match === '0' ? 0 : -1;
    if (match === undefined) return part === '0' ? 0 : 1;
    const [number, otherNumber] = [Number(part), Number(match)];
    if (Number.isNaN(number) !== Number.isNaN(otherNumber)) return Number.isNaN(number) ? 1 : -1;
    const by = Number.isNaN(number) ? (part < match ? -1 : 1) : number - otherNumber;
    if (by !== 0) return by;
  }
  return 0;
}
