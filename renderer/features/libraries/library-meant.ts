/** The library that an error is about. Pure. */

/** A missing library. `client`: the Quicklisp client itself; `package`: `name` is that of a package, in lower case. */
export interface LibraryMeant {
  readonly kind: 'client' | 'package' | 'system';
  readonly name: string;
}

const CLIENT = new Set(['ql', 'quicklisp', 'ql-dist', 'quicklisp-client']);

const PACKAGES = [
  /^Package (\S+) does not exist\b/i,
  /^The name (\S+) does not designate any package\b/i,
  /^There is no package (?:named |with name )?(\S+)/i,
];
const SYSTEMS = [
  /^Component (\S+) not found\b/i,
  /^System (\S+) not found\b/i,
  /^Don't know how to REQUIRE (\S+?)\.?(?:\s|$)/i,
];

/** Returns the library whose absence an error reports, from the condition's type and message; null for other errors. */
export function libraryMeantBy(type: string, message: string): LibraryMeant | null {
  const text = message.trim();
  const named = (patterns: readonly RegExp[]): string | null => {
    const found = patterns.map((pattern) => pattern.exec(text)?.[1]).find((name) => name !== undefined);
    return found === undefined ? null : plainName(found);
  };
  const system = named(SYSTEMS);
  if (system !== null) return system === '' ? null : { kind: 'system', name: system };
  if (!/PACKAGE|READER|SIMPLE-ERROR|PROGRAM-ERROR|INPUT-ERROR/i.test(type)) return null;
  const name = named(PACKAGES);
  if (name === null || name === '') return null;
  return { kind: CLIENT.has(name) ? 'client' : 'package', name };
}

/** Returns a printed name without quotes, bars, `#:` and colon, in lower case. */
function plainName(printed: string): string {
  return printed
    .replace(/[.,;]$/, '')
    .replace(/^#?:/, '')
    .replaceAll(/^["|]|["|]$/g, '')
    .toLowerCase();
}
