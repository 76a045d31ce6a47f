/** A fault, and what it happens to. */
import type { Agent, OwnImage } from '../clients.ts';
import type { PlaceWithDisk } from '../place.ts';
import type { Random } from '../random.ts';
import type { Served } from '../served.ts';

/** The surroundings of one fault. */
export interface Trial {
  readonly place: PlaceWithDisk;
  /** The program. A fault that ends it has it started again by `restart`. */
  readonly served: () => Served;
  /** The client that meets the fault; it has a connection that was made for this fault. */
  readonly agent: Agent;
  /** Another client, with an image of its own. */
  readonly neighbour: () => OwnImage;
  readonly random: Random;
  /** The process that is the image now. */
  readonly imagePid: () => Promise<number>;
  /** The processes of its checkpoints. */
  readonly copies: () => Promise<number[]>;
  /** Evaluates for the client and resolves once that runs; the answer is in `answer`. */
  readonly begin: (code: string) => Promise<{ readonly answer: Promise<string> }>;
  /** Waits for the end of the program and starts it again in the same place. */
  readonly restart: () => Promise<void>;
  /** Waits for the end of the other client's process and starts another one. */
  readonly replaceNeighbour: () => Promise<void>;
}

export interface Fault {
  readonly family: string;
  readonly name: string;
  /** Does it; returns what was said of it, beside what the client hears then. */
  readonly inject: (trial: Trial) => Promise<string>;
  /** Must match the words that are heard; null where nothing need be said, since nothing happens to anybody. */
  readonly told: RegExp | null;
  /** Takes the way back that is offered, where the image has to be mended by whoever spoiled it. */
  readonly wayBack?: (trial: Trial) => Promise<void>;
  /** The disk was full meanwhile, so rows of the audit may be missing, which it says itself. */
  readonly gap?: boolean;
}

/** Makes faults of code that a client evaluates. */
export function evaluated(
  family: string,
  table: readonly (readonly [name: string, code: string, told: RegExp | null])[],
  more: Partial<Fault> = {},
): Fault[] {
  return table.map(([name, code, told]) => ({
    family,
    name,
    told,
    inject: ({ agent }) => agent.evaluate(code),
    ...more,
  }));
}

/** Resolves once `holds` does, which is asked again and again. @throws Error with `what` when it never does. */
export async function until(
  what: () => string,
  holds: () => Promise<boolean> | boolean,
  guardMs = 60_000,
): Promise<void> {
  const begun = performance.now();
  while (!(await holds())) {
    if (performance.now() - begun > guardMs) throw new Error(what());
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
