/** Actors and the public state of an image. */
import { z } from 'zod';
import { libraryTool } from './library-tool.ts';
import { sourceLine } from './source-line.ts';

/**
 * An actor: the person at the window, a client known by name, or the workbench, for events without another actor, such as the end of an
 * image. `id` is `person`, `client:<key>` or `workbench`.
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

/** The work that was lost when an image ended. It is listed until the person replays or dismisses it. */
const lostImage = z.object({
  at: z.number(),
  /** The reason in plain words: "The image ended with exit code 7 while evaluating (sb-ext:exit)." */
  reason: z.string(),
  /** The first of the definitions that no longer exist in any running image, with their authors. */
  definitions: z.array(z.object({ actor: z.string(), name: z.string(), operator: z.string() })),
  /** The number of the person's lost forms that are not listed, and the number of the agents'. */
  more: z.object({ own: z.int().nonnegative(), others: z.int().nonnegative() }),
  /** The systems that were loaded in the ended image and are not loaded now. */
  systems: z.array(z.string()),
});

const runningEvaluation = z.object({
  evaluation: z.string(),
  actor: actor,
  summary: z.string(),
  startedAt: z.number(),
});

/** A stored state of the whole image that can be restored. Files, sockets and other processes are not part of it. */
export const checkpointRecord = z.object({
  id: z.int(),
  at: z.number(),
  /** The checkpoint's display name: `before claude-code's evaluation 41`. */
  label: z.string(),
  /** The actor whose evaluation or request created the checkpoint. */
  actor: actor,
  /**
   * The private memory of the checkpoint's process in bytes. Null until it is measured; 0 if the checkpoint uses the process of an earlier
   * checkpoint.
   */
  memory: z.number().nullable(),
});

/** A call by an agent's code that waits for a decision. */
const askedEffect = z.object({
  effect: z.string(),
  evaluation: z.string().nullable(),
  operator: z.string(),
  /** Milliseconds since the epoch. */
  since: z.number(),
  /** The location of the code that causes the effect, with the first line of the running form; null if the code is in no file. */
  place: sourceLine.extend({ text: z.string() }).nullable(),
});

/**
 * The operating system's sandbox around an image. In the sandbox there is no network, and of this machine's files, only those in `folder`
 * are writable; `folder` is null if no project is open.
 */
const sandbox = z.object({ folder: z.string().nullable() });

/** A feature that is unavailable because the image's SBCL lacks the internals in `names`. */
export const lackingFeature = z.object({
  /** The feature's name for the user: "profiling". */
  feature: z.string(),
  names: z.array(z.string()),
});

export const session = z.object({
  id: z.string(),
  name: z.string(),
  state: sessionState,
  /** The reason why there is no image, and what to do; null unless the state is `gone`. */
  problem: z.string().nullable(),
  /** True if there is no image because SBCL is missing or unsuitable. */
  lacksSbcl: z.boolean(),
  lisp: z.string().nullable(),
  /** The features that are unavailable in this image. */
  lacking: z.array(lackingFeature),
  /** True while the core from which images start is being built. This happens once per SBCL and takes some seconds. */
  building: z.boolean(),
  pid: z.int().nullable(),
  /** The image's sandbox; null if there is none. */
  sandbox: sandbox.nullable(),
  /** The name of the target where the image runs or will run; null for this machine. */
  target: z.string().nullable(),
  /** The library tool that the image uses; null if it uses none. */
  libraryTool: libraryTool.nullable(),
  /**
   * `asksPerson`: true if the person's own effects wait for approval while there are unaccepted evaluations of agents; `unreviewed`: true
   * if there are such evaluations now.
   */
  asksPerson: z.boolean(),
  unreviewed: z.boolean(),
  heapUsed: z.number(),
  heapSize: z.number(),
  /** The round-trip time of the last heartbeat in milliseconds. */
  replyMs: z.number().nullable(),
  /**
   * The time since which the image has not responded (milliseconds since the epoch), and whether a signal has stopped its process; null
   * while it responds.
   */
  silence: z.object({ since: z.number(), stopped: z.boolean() }).nullable(),
  running: runningEvaluation.nullable(),
  /** The agent's evaluation that is running at the same time as `running`, the person's evaluation; null if there is none. */
  overtaken: runningEvaluation.nullable(),
  /** Evaluations that are suspended until they get input, a decision or a choice in the debugger. */
  suspended: z.array(runningEvaluation),
  /** The first of the effects that are waiting for a decision, oldest first. */
  effects: z.array(askedEffect),
  waiting: z.array(z.object({ evaluation: z.string(), actor: actor, summary: z.string() })),
  lost: lostImage.nullable(),
  /** Oldest first. */
  checkpoints: z.array(checkpointRecord),
  /** The reason why the last checkpoint failed; null if it did not fail. */
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
