/** An attack on the guard by code: rows that `attacks.test.ts` runs headless. */

/** Where an attack happens. */
export interface Place {
  /** The absolute path of a file of the project. */
  readonly at: (name: string) => string;
  /** A form that deletes the person's file `kept.txt`. */
  readonly effect: string;
  /** Runs code in a plain SBCL beside the image, which knows nothing of the workbench. Gives what it prints. */
  readonly elsewhere: (code: string) => Promise<string>;
}

export type Step =
  | { readonly agent: string }
  | { readonly person: string }
  /** Work that is done beside the image, as by a program of the agent's. */
  | { readonly beside: () => Promise<unknown> };

/** The person runs code and must not lose their file without a card; every card is denied. */
export interface EffectAttack {
  /** Number of the finding in the review to which it belongs, also as its sibling. */
  readonly finding: number;
  /** The trick, as a noun phrase. */
  readonly trick: string;
  readonly steps: (place: Place) => readonly Step[] | Promise<readonly Step[]>;
}

/** An agent changes what has a default, and the person's work must go on as before. */
export interface StateAttack {
  readonly finding: number;
  readonly trick: string;
  /** Code that the agent evaluates, one after the other. */
  readonly agent: readonly string[];
  /** Code that the person evaluates before and after; it prints the same both times. */
  readonly probe: string;
}

/** A change that cannot be kept apart: it is a definition of the agent's, and its undo brings back what the probe printed before. */
export interface ListedAttack extends StateAttack {
  /** Code that the person evaluates first. */
  readonly setting?: string;
  /** The name under which it is listed. */
  readonly name: string;
}
