/**
 * Effects: actions of agent code outside the image. An effect either waits for a decision, while its thread is stopped inside the call, or
 * is recorded without asking. Other modules use parts of an effect: the question to the policy (`EffectRequest`), the effect's section of a
 * card, and the stored record (`PastEffect`).
 */
import { z } from 'zod';
import { agentsChanges } from '#contract/clients/agents-changes.ts';
import { frameSource } from '#contract/image/debugger.ts';
import { type EffectOutcome, effectKind, pastEffect } from './past-effect.ts';

/** Fields that an effect has in every state. */
const anyEffect = z.object({
  /** The evaluation whose code caused the effect; null for code outside any evaluation, such as a timer's code. */
  evaluation: z.string().nullable(),
  actor: z.string().nullable(),
  kind: effectKind,
  operator: z.string(),
  /**
   * The target: the real path with links resolved, the command line in shell syntax, host:port, NAME=value or similar. Effects in the cache
   * of compiled files have the cache folder as their target and are recorded once per evaluation.
   */
  target: z.string(),
  /** The real path if the effect concerns a file; the file need not exist. */
  path: z.string().nullable(),
  /** The ASDF system that is being compiled or loaded. */
  system: z.string().nullable(),
});

/** A call that waits for a decision. The image does not send `state`: it follows from the kind of the image's event. */
export const waitingEffect = anyEffect.extend({
  state: z.literal('waiting').default('waiting'),
  /** The id, which is unique over all images and over all processes of an image. */
  effect: z.string(),
  /**
   * The agent's code that caused the effect, if an evaluation of the person called it and the person has not reviewed it: its client, and
   * the names and events of the definitions that were compiled together. Null if the evaluation's own code caused the effect.
   */
  definedBy: z
    .object({
      actor: z.string().nullable(),
      evaluation: z.string().nullable(),
      names: z.array(z.string()),
      events: z.array(z.int()),
    })
    .nullable(),
  /** The unaccepted evaluations of agents that are the reason why the person's own code waits; null if the code is an agent's. */
  unreviewed: agentsChanges.nullable(),
  thread: z.string(),
  /** True if the evaluation's own thread waits; false for a thread that its code created. */
  ownThread: z.boolean(),
  /** The second path of a rename or a hard link: the new name. */
  otherPath: z.string().nullable(),
  /** The kind of change to the file: `new file`, `overwrites`, `appends`, `changes in place`, `cuts off`, `mode`, `owner` … */
  change: z.string().nullable(),
  /**
   * The facts that the image checks again just before it lets the call continue; values are cut at 20,000 characters. Names: `size` in
   * bytes, `modified`, `inode`, `new mode`, `program`, `program SHA-256`, `file NAME SHA-256` for files that are passed to a program,
   * `working directory`, `environment`, `input from`, `input` …
   */
  facts: z.array(z.object({ name: z.string(), value: z.string() })),
  /** The code's own frames, innermost first, at most 20. */
  frames: z.array(
    z.object({
      call: z.string(),
      source: frameSource.nullable(),
      /**
       * The number, from 1, of the evaluation's top-level form that is running, and the total number of forms; null for a frame of other
       * code.
       */
      form: z.object({ number: z.int().positive(), total: z.int().positive() }).nullable(),
    }),
  ),
  /**
   * Frames of SBCL and the engine, by name, innermost first, at most 40. `before` is the number of entries in `frames` that precede this
   * frame in the complete backtrace.
   */
  innerFrames: z.array(z.object({ call: z.string(), before: z.int().nonnegative() })),
  /** The restarts that can be chosen. */
  restarts: z.array(
    z.object({ name: z.enum(['PROCEED', 'PROCEED-ALWAYS', 'USE-PATH', 'DENY', 'ABORT']), label: z.string() }),
  ),
  /** The file that defines the system; null if there is no system, or if code created it without a file. */
  systemFile: z.string().nullable(),
  /** The latest earlier effects of this evaluation, oldest first. `beforeTotal` is the total number of earlier effects. */
  before: z.array(pastEffect),
  beforeTotal: z.int().nonnegative(),
});

/**
 * The decision that is sent to the thread. `path` is used with `use-path`. `reason` is used with `deny` and `abort`; the code's author can
 * see it.
 */
export const effectDecision = z.object({
  decision: z.enum(['proceed', 'use-path', 'deny', 'abort']),
  path: z.string().nullable(),
  reason: z.string().nullable(),
  /**
   * True if no person approved this effect, on this card or an earlier one. The written data then counts as the agent's, even if the person
   * loads it.
   */
  unasked: z.boolean().optional(),
});

/** An effect that was decided without asking: allowed when it happens, or denied because its thread cannot wait. */
export const recordedEffect = anyEffect.extend({
  state: z.literal('recorded').default('recorded'),
  outcome: z.enum(['recorded', 'denied']),
  /** The number of earlier effects that were not reported because there were too many. Such effects belong to no evaluation. */
  more: z.int().nonnegative(),
});

export type EffectDecision = z.infer<typeof effectDecision>;

type WaitingEffect = z.infer<typeof waitingEffect>;

/** An effect that no longer waits. `decision` is null if no decision was made. */
interface SettledEffect extends Omit<WaitingEffect, 'state'> {
  readonly state: 'settled';
  readonly outcome: EffectOutcome;
  readonly decision: EffectDecision | null;
}

type AnyEffect = WaitingEffect | SettledEffect | z.infer<typeof recordedEffect>;

/** An effect in one of the given states; by default in any state. */
export type Effect<State extends AnyEffect['state'] = AnyEffect['state']> = Extract<AnyEffect, { state: State }>;
