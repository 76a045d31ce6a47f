/** The indentation of macros reported by an image. Macros are looked up by their names as seen from a package. */
import type { PackageIndentation } from '#contract/image/indentation.ts';
import type { ImageMethods, Macros } from './methods.ts';
import type { Method } from './patterns.ts';

interface Known {
  readonly uses: readonly string[];
  readonly localNicknames: ReadonlyMap<string, string>;
  readonly macros: ReadonlyMap<string, { readonly method: Method; readonly external: boolean }>;
}

export class MacroMethods implements Macros {
  readonly #packages = new Map<string, Known>();
  /** The real names of packages, by nickname. */
  readonly #nicknames = new Map<string, string>();
  /** For a name whose package is unknown: the method that most packages use for this name. */
  readonly #usual = new Map<string, Method>();

  constructor(packages: Iterable<PackageIndentation>) {
    const users = new Map<string, number>();
    const all = [...packages];
    for (const { uses } of all) for (const name of uses) users.set(name, (users.get(name) ?? 0) + 1);
    const weights = new Map<string, number>();
    for (const { name, nicknames, localNicknames, uses, macros } of all) {
      for (const nickname of nicknames) this.#nicknames.set(nickname, name);
      const known = new Map<string, { method: Method; external: boolean }>();
      for (const macro of macros) {
        known.set(macro.name, { method: macro.pattern, external: macro.external });
        const weight = 1 + (macro.external ? (users.get(name) ?? 0) : 0);
        if (weight <= (weights.get(macro.name) ?? 0)) continue;
        weights.set(macro.name, weight);
        this.#usual.set(macro.name, macro.pattern);
      }
      this.#packages.set(name, {
        uses,
        localNicknames: new Map(localNicknames.map((each) => [each.nickname, each.package])),
        macros: known,
      });
    }
  }

  /** Returns the lookup for text in a package, which is given by its name or a nickname; null if the text's package is unknown. */
  in(packageName: string | null): ImageMethods {
    const here = packageName === null ? null : this.#real(packageName);
    return (word) => {
      const colon = word.lastIndexOf(':');
      const name = word.slice(colon + 1);
      if (colon < 0) return this.#find(here, name);
      const prefix = word.slice(0, colon).replace(/:$/, '').toUpperCase();
      if (prefix === '') return null;
      const local = here === null ? undefined : this.#packages.get(here)?.localNicknames.get(prefix);
      return this.#find(local ?? this.#real(prefix), name);
    };
  }

  #real(name: string): string | null {
    const real = this.#nicknames.get(name) ?? name;
    return this.#packages.has(real) ? real : null;
  }

  /** Looks up a name. If the image does not have the package, which may be created soon, returns the usual method for the name. */
  #find(packageName: string | null, name: string): Method | null {
    const home = packageName === null ? undefined : this.#packages.get(packageName);
    if (!home) return this.#usual.get(name) ?? null;
    const own = home.macros.get(name);
    if (own) return own.method;
    for (const used of home.uses) {
      const found = this.#packages.get(used)?.macros.get(name);
      if (found?.external) return found.method;
    }
    return null;
  }
}
