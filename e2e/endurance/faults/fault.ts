/** A fault and its surroundings. */
import type { Agent, OwnImage } from '../clients.ts';
import type { PlaceWithDisk } from '../place.ts';
import type { Random } from '../random.ts';
import type { Served } from '../served.ts';

/** The surroundings of one fault. */
export interface Trial {
  readonly place: PlaceWithDisk;
  /** The program. After a fault that ends it, `restart` starts it again. */
  readonly served: () => Served;
  /** The client on which the fault acts. Its connection was made for this fault. */
  readonly agent: Agent;
  /** Another client with its own image. */
  readonly neighbour: () => OwnImage;
  readonly random: Random;
  /** Returns the current process of the image. */
  readonly imagePid: () => Promise<number>;
  /** Returns the processes of its checkpoints. */
  readonly copies: () => Promise<number[]>;
  /** Evaluates code for the client, and resolves once the code is running. The answer is in `answer`. */
  readonly begin: (code: string) => Promise<{ readonly answer: Promise<string> }>;
  /** Waits until the program has ended, and starts it again in the same place. */
  readonly restart: () => Promise<void>;
  /** Waits until the other client's process has ended, and starts another one. */
  readonly replaceNeighbour: () => Promise<void>;
}

export interface Fault {
  readonly family: string;
  readonly name: string;
  /** Causes the fault. Returns its messages, in addition to those that the client receives. */
  readonly inject: (trial: Trial) => Promise<string>;
  /** Pattern that the received messages must match; null if no message is needed, because the fault affects no client. */
  readonly told: RegExp | null;
  /** Uses the offered way back, if the client that damaged the image must repair it. */
  readonly wayBack?: (trial: Trial) => Promise<void>;
  /** True if the disk was full in between. Then rows of the audit may be missing, and the audit reports this itself. */
  readonly gap?: boolean;
}

/** Makes faults from code that a client evaluates. */
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

/** Resolves once `holds` returns true; it is called repeatedly. @throws Error with `what` after the time limit. */
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
