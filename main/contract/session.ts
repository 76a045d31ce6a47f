/** Actors and the state of an image, as everybody sees it. */
import { z } from 'zod';
import { sourceLine } from './debugger.ts';

/** Who does something: the person at the window, or a client known by name. `id` is `person` or `client:<key>`. */
export const actor = z.object({ id: z.string(), kind: z.enum(['person', 'client']), name: z.string() });

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

/** What a dead image took with it, until the person replays or dismisses it. */
export const lostImage = z.object({
  at: z.number(),
  /** Plain words: "The image ended with exit code 7 while evaluating (sb-ext:exit)." */
  reason: z.string(),
  /** Definitions that no living image has, by who made them. */
  definitions: z.array(z.object({ actor: z.string(), name: z.string(), operator: z.string() })),
  /** Systems that were loaded and are not any more. */
  systems: z.array(z.string()),
});

export const runningEvaluation = z.object({
  evaluation: z.string(),
  actor: actor,
  summary: z.string(),
  startedAt: z.number(),
});

/** A state of the whole image to go back to. Files, sockets and other processes are not part of it. */
export const checkpointRecord = z.object({
  id: z.int(),
  at: z.number(),
  /** For people: `before claude-code's evaluation 41`. */
  label: z.string(),
  /** Who caused it. */
  actor: actor,
  /** Its own share of memory in bytes; null until it was measured. */
  memory: z.number().nullable(),
});

/** A call of an agent's code that waits for a decision. */
export const askedEffect = z.object({
  effect: z.string(),
  evaluation: z.string().nullable(),
  operator: z.string(),
  /** Milliseconds since the epoch. */
  since: z.number(),
  /** Where its code stands, with the first line of the form that runs; null where that is in no file. */
  place: sourceLine.extend({ text: z.string() }).nullable(),
});

/**
 * The operating system's sandbox around an image: no network, and of what is outside only `folder` can be written; null where
 * no project is open.
 */
const sandbox = z.object({ folder: z.string().nullable() });

/** What does not work because the image's SBCL lacks the internals `names` that it needs. */
export const lackingFeature = z.object({
  /** In users' words: "profiling". */
  feature: z.string(),
  names: z.array(z.string()),
});

export const session = z.object({
  id: z.string(),
  name: z.string(),
  state: sessionState,
  /** Why there is no image, with what to do; null unless `gone`. */
  problem: z.string().nullable(),
  lisp: z.string().nullable(),
  /** Features that this image does without; everything else works. */
  lacking: z.array(lackingFeature),
  pid: z.int().nullable(),
  /** The sandbox that the image runs in; null for none. */
  sandbox: sandbox.nullable(),
  heapUsed: z.number(),
  heapSize: z.number(),
  /** Round trip of the last heartbeat in milliseconds. */
  replyMs: z.number().nullable(),
  running: runningEvaluation.nullable(),
  /** Evaluations set aside while they wait for input. */
  parked: z.array(runningEvaluation),
  /** What waits for a decision, oldest first, the first ones. */
  asked: z.array(askedEffect),
  waiting: z.array(z.object({ evaluation: z.string(), actor: actor, summary: z.string() })),
  lost: lostImage.nullable(),
  /** Oldest first. */
  checkpoints: z.array(checkpointRecord),
  /** Why the last one could not be made, until one can; null otherwise. */
  checkpointProblem: z.string().nullable(),
  /** The current package of the person's REPL. */
  package: z.string(),
});

export const PERSON = { id: 'person', kind: 'person', name: 'you' } as const;

export type LackingFeature = z.infer<typeof lackingFeature>;
export type AskedEffect = z.infer<typeof askedEffect>;
export type Actor = z.infer<typeof actor>;
export type Sandbox = z.infer<typeof sandbox>;
export type Session = z.infer<typeof session>;
export type SessionState = z.infer<typeof sessionState>;
export type CheckpointRecord = z.infer<typeof checkpointRecord>;
export type LostImage = z.infer<typeof lostImage>;
export type RunningEvaluation = z.infer<typeof runningEvaluation>;
