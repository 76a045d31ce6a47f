/** An attack on the guard by code: a row that `attacks.test.ts` runs headless. */

/** The place of an attack. */
export interface Place {
  /** Returns the absolute path of a file in the project. */
  readonly at: (name: string) => string;
  /** A form that deletes the person's file `kept.txt`. */
  readonly effect: string;
  /** Runs code in a plain SBCL beside the image, which does not know the workbench. Returns its output. */
  readonly elsewhere: (code: string) => Promise<string>;
}

export type Step =
  | { readonly agent: string }
  | { readonly person: string }
  /** Work that is done outside the image, as by a program of the agent. */
  | { readonly beside: () => Promise<unknown> };

/** The person runs code and must not lose their file without a card; every card is denied. */
export interface EffectAttack {
  /** The number of the review's finding to which it or its variant belongs. */
  readonly finding: number;
  /** The trick, as a noun phrase. */
  readonly trick: string;
  readonly steps: (place: Place) => readonly Step[] | Promise<readonly Step[]>;
}

/** An agent changes a default, and the person's work must continue as before. */
export interface StateAttack {
  readonly finding: number;
  readonly trick: string;
  /** The lines of code that the agent evaluates, one after the other. */
  readonly agent: readonly string[];
  /** Code that the person evaluates before and after; it prints the same both times. */
  readonly probe: string;
}

/** A change that cannot be isolated. It is listed as the agent's definition, and its undo restores the earlier output of the probe. */
export interface ListedAttack extends StateAttack {
  /** Code that the person evaluates first. */
  readonly setting?: string;
  /** The name under which the change is listed. */
  readonly name: string;
}
