/** Session targets: the places besides this machine where images can run. */
import { z } from 'zod';

/**
 * The program that starts an image there: `ssh` on another machine, `docker` or `podman` in a running container, `kubectl` in a pod,
 * or a `command` of one's own that runs what is appended to it.
 */
export const targetKind = z.enum(['ssh', 'docker', 'podman', 'kubectl', 'command']);

export const target = z.object({
  /** Name by which the person chooses it, different from all others. */
  name: z.string().trim().min(1).max(60),
  kind: targetKind,
  /** The host as ssh takes it, the container, or the pod; for `command` the words to start, with quotes as in a shell. */
  place: z.string().trim().min(1).max(1000),
  /** Words that the program gets before the place, such as `-p 2222` or `--namespace lisp`, with quotes as in a shell. */
  options: z.string().max(1000).default(''),
  /** Absolute path there of the project's folder; empty where it has the same path as here. */
  directory: z.string().max(4096).default(''),
  /** The SBCL there: a name on the path, or an absolute path. */
  sbcl: z.string().trim().min(1).max(4096).default('sbcl'),
});

export type Target = z.infer<typeof target>;
export type TargetKind = z.infer<typeof targetKind>;

export const targetCalls = {
  /** Connects to a target as an image would be started there, and tells how far that got; nothing is left there but the engine's core. */
  'target.try': {
    input: target,
    output: z.object({
      /** The steps that were tried, in order; the first that is not `ok` is the last. */
      steps: z.array(z.object({ title: z.string(), ok: z.boolean(), words: z.string() })),
    }),
  },
};
