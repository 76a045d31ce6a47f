/**
 * Effects: what agent code does outside the image. An effect waits for a decision while its thread is parked inside the call, until it
 * is settled; or it is recorded, when nobody is asked. What others need of it are projections: policy's question
 * (`EffectRequest`), its part of a card, and what is kept and told of it afterwards (`PastEffect`).
 */
import { z } from 'zod';
import { agentsChanges } from '#contract/clients/agents-changes.ts';
import { frameSource } from '#contract/image/debugger.ts';
import { type EffectOutcome, effectKind, pastEffect } from './past-effect.ts';

/** Fields of an effect in every state. */
const anyEffect = z.object({
  /** The evaluation whose code asks; null for code of no evaluation, such as a timer's. */
  evaluation: z.string().nullable(),
  actor: z.string().nullable(),
  kind: effectKind,
  operator: z.string(),
  /**
   * Real path with links followed, command line as a shell has it, host:port, NAME=value or the like. For the cache of compiled
   * files the cache itself, recorded once for each evaluation.
   */
  target: z.string(),
  /** The real path where a file is concerned; it need not exist. */
  path: z.string().nullable(),
  /** The ASDF system that is being compiled or loaded. */
  system: z.string().nullable(),
});

/** A call that waits for a decision. The image says by its event alone in which state an effect is. */
export const waitingEffect = anyEffect.extend({
  state: z.literal('waiting').default('waiting'),
  /** Unique over all images and all processes of each. */
  effect: z.string(),
  /**
   * The client that defined the code where an evaluation of the person called it and the person has not reviewed it, with the names
   * and events of the definitions that were compiled together; null where the effect is the evaluation's own.
   */
  definedBy: z
    .object({
      actor: z.string().nullable(),
      evaluation: z.string().nullable(),
      names: z.array(z.string()),
      events: z.array(z.int()),
    })
    .nullable(),
  /**
   * The evaluations of agents that the person has not accepted, where their own code waits because of them; null where the code is an
   * agent's.
   */
  unreviewed: agentsChanges.nullable(),
  thread: z.string(),
  /** True when the evaluation's own thread waits; false for a thread that its code made. */
  ownThread: z.boolean(),
  /** The second one of a rename or a hard link: the new name. */
  otherPath: z.string().nullable(),
  /** Kind of change of the file: `new file`, `overwrites`, `appends`, `changes in place`, `cuts off`, `mode`, `owner` … */
  change: z.string().nullable(),
  /**
   * All that the image compares again right before it lets the call go on, values cut at 20,000 characters: `size` in bytes,
   * `modified`, `inode`, `new mode`, `program`, `program SHA-256`, `file NAME SHA-256` for files that a program is given,
   * `working directory`, `environment`, `input from`, `input` …
   */
  facts: z.array(z.object({ name: z.string(), value: z.string() })),
  /** The code's own frames, innermost first, at most 20. */
  frames: z.array(
    z.object({
      call: z.string(),
      source: frameSource.nullable(),
      /** The top-level form of the evaluation that runs, from 1, and of how many; null for all other frames. */
      form: z.object({ number: z.int().positive(), total: z.int().positive() }).nullable(),
    }),
  ),
  /** Frames of SBCL and the engine by name, innermost first, at most 40. `before`: how many of `frames` are further in. */
  innerFrames: z.array(z.object({ call: z.string(), before: z.int().nonnegative() })),
  /** Restarts that can be chosen. */
  restarts: z.array(
    z.object({ name: z.enum(['PROCEED', 'PROCEED-ALWAYS', 'USE-PATH', 'DENY', 'ABORT']), label: z.string() }),
  ),
  /** The file that defines the system; null where it is none, or where code made that system in the image alone. */
  systemFile: z.string().nullable(),
  /** The latest effects that this evaluation had before, oldest first, and how many there were in all. */
  before: z.array(pastEffect),
  beforeTotal: z.int().nonnegative(),
});

/** Tells the thread what to do. `path` is for `use-path`, `reason` for `deny` and `abort`: the code's author reads it. */
export const effectDecision = z.object({
  decision: z.enum(['proceed', 'use-path', 'deny', 'abort']),
  path: z.string().nullable(),
  reason: z.string().nullable(),
  /** True when nobody was asked, now or on a card before: what the effect writes is the agent's, whoever loads it. */
  unasked: z.boolean().optional(),
});

/** An effect that nobody was asked for: allowed where it is done, or denied where nobody can wait. */
export const recordedEffect = anyEffect.extend({
  state: z.literal('recorded').default('recorded'),
  outcome: z.enum(['recorded', 'denied']),
  /** Number of those that were not told before this one, being of no evaluation and too many. */
  more: z.int().nonnegative(),
});

export type EffectDecision = z.infer<typeof effectDecision>;

type WaitingEffect = z.infer<typeof waitingEffect>;

/** An effect whose wait is over. `decision` is what was answered; null when it was left without an answer. */
interface SettledEffect extends Omit<WaitingEffect, 'state'> {
  readonly state: 'settled';
  readonly outcome: EffectOutcome;
  readonly decision: EffectDecision | null;
}

type AnyEffect = WaitingEffect | SettledEffect | z.infer<typeof recordedEffect>;

/** An effect in one of these states; in any where none is named. */
export type Effect<State extends AnyEffect['state'] = AnyEffect['state']> = Extract<AnyEffect, { state: State }>;
