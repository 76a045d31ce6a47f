/** A fault, and the clients and processes that it affects. */
import type { Agent, OwnImage } from '../clients.ts';
import type { PlaceWithDisk } from '../place.ts';
import type { Random } from '../random.ts';
import type { Served } from '../served.ts';

/** The clients and processes that one fault can use. */
export interface Trial {
  readonly place: PlaceWithDisk;
  /** Returns the current program. After a fault that ends the program, `restart` starts it again. */
  readonly served: () => Served;
  /** The client that the fault affects. It was connected for this fault. */
  readonly agent: Agent;
  /** Returns another client, which has its own image. */
  readonly neighbour: () => OwnImage;
  readonly random: Random;
  /** Returns the image's current process. */
  readonly imagePid: () => Promise<number>;
  /** Returns the processes of the image's checkpoints. */
  readonly copies: () => Promise<number[]>;
  /** Evaluates code for the client, and resolves once the code is running. `answer` resolves with the evaluation's answer. */
  readonly begin: (code: string) => Promise<{ readonly answer: Promise<string> }>;
  /** Waits until the program has ended, and starts it again with the same folders. */
  readonly restart: () => Promise<void>;
  /** Waits until the other client's process has ended, and starts another client. */
  readonly replaceNeighbour: () => Promise<void>;
}

export interface Fault {
  readonly family: string;
  readonly name: string;
  /** Causes the fault. Returns its messages, except for those that the client receives. */
  readonly inject: (trial: Trial) => Promise<string>;
  /** A pattern that the received messages must match; null if the fault affects no client and needs no message. */
  readonly told: RegExp | null;
  /** Repairs the image with the means that the workbench offers, if the client that damaged the image must repair it. */
  readonly wayBack?: (trial: Trial) => Promise<void>;
  /** True if the disk was full for a time. Rows of the audit may then be missing, which the audit itself reports. */
  readonly gap?: boolean;
}

/** Returns faults that are caused by code that a client evaluates. */
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

/** Calls `holds` repeatedly, and resolves once it returns true. @throws Error with `what` after the time limit. */
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
