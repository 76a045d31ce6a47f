/** Formatting of sizes for the window. */

/** Returns a short text for a number of octets: `412 B`, `3.1 kB`, `2.5 MB`, `1.07 GB`. */
export function sizeOf(octets: number): string {
  if (octets < 1000) return `${Math.round(octets)} B`;
  if (octets < 1_000_000) return `${(octets / 1000).toFixed(1)} kB`;
  return octets < 1_000_000_000 ? `${(octets / 1_000_000).toFixed(1)} MB` : `${(octets / 1_000_000_000).toFixed(2)} GB`;
}
