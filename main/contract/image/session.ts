/** Actors and the state of an image, as everybody sees it. */
import { z } from 'zod';
import { sourceLine } from './source-line.ts';

/**
 * The actor of what happens: the person at the window, a client known by name, or the workbench for what nobody asked for, such as the
 * end of an image. `id` is `person`, `client:<key>` or `workbench`.
 */
export const actor = z.object({ id: z.string(), kind: z.enum(['person', 'client', 'workbench']), name: z.string() });

export const sessionState = z.enum([
  'starting',
  'idle',
  'evaluating',
  'debugging',
  'waiting-for-input',
  'waiting-for-approval',
  'restarting',
  'gone',
]);

/** The work that a dead image took with it, until the person replays or dismisses it. */
const lostImage = z.object({
  at: z.number(),
  /** Plain words: "The image ended with exit code 7 while evaluating (sb-ext:exit)." */
  reason: z.string(),
  /** Definitions that no living image has, by who made them; the first of them. */
  definitions: z.array(z.object({ actor: z.string(), name: z.string(), operator: z.string() })),
  /** The numbers of lost forms that are not listed: the person's, and agents'. */
  more: z.object({ own: z.int().nonnegative(), others: z.int().nonnegative() }),
  /** Systems that were loaded and are not any more. */
  systems: z.array(z.string()),
});

const runningEvaluation = z.object({
  evaluation: z.string(),
  actor: actor,
  summary: z.string(),
  startedAt: z.number(),
});

/** A state of the whole image to go back to. Files, sockets and other processes are not part of it. */
export const checkpointRecord = z.object({
  id: z.int(),
  at: z.number(),
  /** The name of the checkpoint for people: `before claude-code's evaluation 41`. */
  label: z.string(),
  /** The actor whose evaluation, or wish, the checkpoint was made for. */
  actor: actor,
  /** Bytes of memory that its copy takes for itself; null until measured, 0 where an earlier checkpoint has the same copy. */
  memory: z.number().nullable(),
});

/** A call of an agent's code that waits for a decision. */
const askedEffect = z.object({
  effect: z.string(),
  evaluation: z.string().nullable(),
  operator: z.string(),
  /** Milliseconds since the epoch. */
  since: z.number(),
  /** The place of the effect's code, with the first line of the form that runs; null where that is in no file. */
  place: sourceLine.extend({ text: z.string() }).nullable(),
});

/**
 * The operating system's sandbox around an image: no network, and of what is outside only `folder` can be written; null where
 * no project is open.
 */
const sandbox = z.object({ folder: z.string().nullable() });

/** A feature that does not work because the image's SBCL lacks the internals `names` that it needs. */
export const lackingFeature = z.object({
  /** The feature in users' words: "profiling". */
  feature: z.string(),
  names: z.array(z.string()),
});

export const session = z.object({
  id: z.string(),
  name: z.string(),
  state: sessionState,
  /** The reason why there is no image, with what to do; null unless `gone`. */
  problem: z.string().nullable(),
  /** True where the reason is the SBCL itself: there is none, or it cannot serve. */
  lacksSbcl: z.boolean(),
  lisp: z.string().nullable(),
  /** Features that this image does without; everything else works. */
  lacking: z.array(lackingFeature),
  /** True while the core that images start from is being built, which happens once for each SBCL and takes some seconds. */
  building: z.boolean(),
  pid: z.int().nullable(),
  /** The sandbox that the image runs in; null for none. */
  sandbox: sandbox.nullable(),
  /** Name of the target where the image runs, or is to run; null for this machine. */
  target: z.string().nullable(),
  /** True where the person's own effects wait while an agent's evaluation is not accepted; and whether there is one. */
  asksPerson: z.boolean(),
  unreviewed: z.boolean(),
  heapUsed: z.number(),
  heapSize: z.number(),
  /** Round trip of the last heartbeat in milliseconds. */
  replyMs: z.number().nullable(),
  /**
   * The time, in milliseconds since the epoch, since when the image has not answered, and whether a signal has stopped its process; null
   * while it answers.
   */
  silence: z.object({ since: z.number(), stopped: z.boolean() }).nullable(),
  running: runningEvaluation.nullable(),
  /** The evaluation of an agent that runs at the same time as the person's, which is `running`; null where there is none. */
  overtaken: runningEvaluation.nullable(),
  /** Evaluations that are suspended while they wait for input, a decision or the debugger. */
  suspended: z.array(runningEvaluation),
  /** The effects that wait for a decision, oldest first, the first ones. */
  effects: z.array(askedEffect),
  waiting: z.array(z.object({ evaluation: z.string(), actor: actor, summary: z.string() })),
  lost: lostImage.nullable(),
  /** Oldest first. */
  checkpoints: z.array(checkpointRecord),
  /** The reason why the last checkpoint could not be made, until one can; null otherwise. */
  checkpointProblem: z.string().nullable(),
  /** The current package of the person's REPL. */
  package: z.string(),
});

export type LackingFeature = z.infer<typeof lackingFeature>;
export type Actor = z.infer<typeof actor>;
export type Sandbox = z.infer<typeof sandbox>;
export type Session = z.infer<typeof session>;
export type CheckpointRecord = z.infer<typeof checkpointRecord>;
export type LostImage = z.infer<typeof lostImage>;
