/** An attack on the guard by code. `attacks.test.ts` runs each attack without a window. */

/** The workbench and project in which an attack runs. */
export interface Place {
  /** Returns the absolute path of a file in the project. */
  readonly at: (name: string) => string;
  /** A form that deletes the person's file `kept.txt`. */
  readonly effect: string;
  /** Runs code in a separate plain SBCL process that has no connection to the workbench. Returns its output. */
  readonly elsewhere: (code: string) => Promise<string>;
}

export type Step =
  | { readonly agent: string }
  | { readonly person: string }
  /** Work that is done outside the image, for example by a program of the agent. */
  | { readonly beside: () => Promise<unknown> };

/** An attack in which the person runs code. Their file must not be deleted without a card. Every card is denied. */
export interface EffectAttack {
  /** The number of the review's finding that reported the attack or a variant of it. */
  readonly finding: number;
  /** A noun phrase that describes the trick. */
  readonly trick: string;
  readonly steps: (place: Place) => readonly Step[] | Promise<readonly Step[]>;
}

/** An attack in which an agent changes a default. The change must not affect the person's work. */
export interface StateAttack {
  readonly finding: number;
  readonly trick: string;
  /** The lines of code that the agent evaluates, one after the other. */
  readonly agent: readonly string[];
  /** Code that the person evaluates before and after the attack. It must print the same text both times. */
  readonly probe: string;
}

/**
 * An attack whose change cannot be isolated from the person. The change must be listed as the agent's definition, and undoing it must
 * restore the earlier output of the probe.
 */
export interface ListedAttack extends StateAttack {
  /** Code that the person evaluates first. */
  readonly setting?: string;
  /** The name under which the change is listed. */
  readonly name: string;
}
