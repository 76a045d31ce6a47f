/**
 * Effects: actions of agent code outside the image. An effect either waits for a decision, with its thread stopped inside the call, until
 * it is settled; or it is recorded without asking. Other modules use parts of it: policy's question (`EffectRequest`), its part of a card,
 * and the stored record (`PastEffect`).
 */
import { z } from 'zod';
import { agentsChanges } from '#contract/clients/agents-changes.ts';
import { frameSource } from '#contract/image/debugger.ts';
import { type EffectOutcome, effectKind, pastEffect } from './past-effect.ts';

/** Fields that an effect has in every state. */
const anyEffect = z.object({
  /** The evaluation whose code caused the effect; null for code outside any evaluation, such as a timer's. */
  evaluation: z.string().nullable(),
  actor: z.string().nullable(),
  kind: effectKind,
  operator: z.string(),
  /**
   * The real path with links resolved, the command line as a shell sees it, host:port, NAME=value or similar. For the cache of compiled
   * files, the cache folder itself, recorded once per evaluation.
   */
  target: z.string(),
  /** The real path if the effect concerns a file; the file need not exist. */
  path: z.string().nullable(),
  /** The ASDF system that is being compiled or loaded. */
  system: z.string().nullable(),
});

/** A call that waits for a decision. The image indicates the state of an effect only by the kind of event that it sends. */
export const waitingEffect = anyEffect.extend({
  state: z.literal('waiting').default('waiting'),
  /** The id, unique over all images and all processes of each. */
  effect: z.string(),
  /**
   * The client that defined the code, if an evaluation of the person called it and the person has not reviewed it. Includes the names and
   * events of the definitions that were compiled together. Null if the evaluation itself caused the effect.
   */
  definedBy: z
    .object({
      actor: z.string().nullable(),
      evaluation: z.string().nullable(),
      names: z.array(z.string()),
      events: z.array(z.int()),
    })
    .nullable(),
  /** The unaccepted evaluations of agents that make the person's own code wait; null if the code is an agent's. */
  unreviewed: agentsChanges.nullable(),
  thread: z.string(),
  /** True if the evaluation's own thread waits; false for a thread that its code created. */
  ownThread: z.boolean(),
  /** The second path of a rename or a hard link: the new name. */
  otherPath: z.string().nullable(),
  /** The kind of change to the file: `new file`, `overwrites`, `appends`, `changes in place`, `cuts off`, `mode`, `owner` … */
  change: z.string().nullable(),
  /**
   * The facts that the image compares again just before it lets the call continue; values are cut at 20,000 characters. Names: `size` in
   * bytes, `modified`, `inode`, `new mode`, `program`, `program SHA-256`, `file NAME SHA-256` for files given to a program, `working
   * directory`, `environment`, `input from`, `input` …
   */
  facts: z.array(z.object({ name: z.string(), value: z.string() })),
  /** The code's own frames, innermost first, at most 20. */
  frames: z.array(
    z.object({
      call: z.string(),
      source: frameSource.nullable(),
      /** The number of the running top-level form of the evaluation, from 1, and the total number of forms; null for all other frames. */
      form: z.object({ number: z.int().positive(), total: z.int().positive() }).nullable(),
    }),
  ),
  /** Frames of SBCL and the engine by name, innermost first, at most 40. `before`: how many of `frames` are further inside. */
  innerFrames: z.array(z.object({ call: z.string(), before: z.int().nonnegative() })),
  /** The restarts that can be chosen. */
  restarts: z.array(
    z.object({ name: z.enum(['PROCEED', 'PROCEED-ALWAYS', 'USE-PATH', 'DENY', 'ABORT']), label: z.string() }),
  ),
  /** The file that defines the system; null if there is no file, or code created the system only in the image. */
  systemFile: z.string().nullable(),
  /** The latest earlier effects of this evaluation, oldest first, and their total number. */
  before: z.array(pastEffect),
  beforeTotal: z.int().nonnegative(),
});

/** The decision that is sent to the thread. `path` is for `use-path`; `reason` is for `deny` and `abort`, and the code's author sees it. */
export const effectDecision = z.object({
  decision: z.enum(['proceed', 'use-path', 'deny', 'abort']),
  path: z.string().nullable(),
  reason: z.string().nullable(),
  /**
   * True if no person approved this effect, now or on an earlier card. The written data then counts as the agent's, even if the person
   * loads it.
   */
  unasked: z.boolean().optional(),
});

/** An effect that was not asked about: allowed when it is done, or denied because its thread cannot wait. */
export const recordedEffect = anyEffect.extend({
  state: z.literal('recorded').default('recorded'),
  outcome: z.enum(['recorded', 'denied']),
  /** The number of earlier effects that were not reported, because they belong to no evaluation and there were too many. */
  more: z.int().nonnegative(),
});

export type EffectDecision = z.infer<typeof effectDecision>;

type WaitingEffect = z.infer<typeof waitingEffect>;

/** An effect that no longer waits. `decision` is the answer; null if there was none. */
interface SettledEffect extends Omit<WaitingEffect, 'state'> {
  readonly state: 'settled';
  readonly outcome: EffectOutcome;
  readonly decision: EffectDecision | null;
}

type AnyEffect = WaitingEffect | SettledEffect | z.infer<typeof recordedEffect>;

/** An effect in one of the given states; by default in any state. */
export type Effect<State extends AnyEffect['state'] = AnyEffect['state']> = Extract<AnyEffect, { state: State }>;
