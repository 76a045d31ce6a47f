/** Session targets: places other than this machine where images can run. */
import { z } from 'zod';

/**
 * The program that starts an image on the target: `ssh` for another machine, `docker` or `podman` for a running container, `kubectl` for a
 * pod, or a custom `command` that runs the arguments appended to it.
 */
export const targetKind = z.enum(['ssh', 'docker', 'podman', 'kubectl', 'command']);

export const target = z.object({
  /** The unique name by which the person chooses the target. */
  name: z.string().trim().min(1).max(60),
  kind: targetKind,
  /** The ssh host, the container or the pod. For `command`, this is the command line, whose words are quoted as in a shell. */
  place: z.string().trim().min(1).max(1000),
  /** Arguments that are passed to the program before the place, such as `-p 2222` or `--namespace lisp`, quoted as in a shell. */
  options: z.string().max(1000).default(''),
  /** The absolute path of the project's folder on the target; empty if it is the same as on this machine. */
  directory: z.string().max(4096).default(''),
  /** The SBCL on the target: a name that is looked up in PATH, or an absolute path. */
  sbcl: z.string().trim().min(1).max(4096).default('sbcl'),
});

export type Target = z.infer<typeof target>;
export type TargetKind = z.infer<typeof targetKind>;

export const targetCalls = {
  /**
   * Connects to a target in the same way as when an image starts, and reports each step. Leaves nothing on the target except the engine's
   * core.
   */
  'target.try': {
    input: target,
    output: z.object({
      /** The attempted steps, in order. The test ends after the first step that is not `ok`. */
      steps: z.array(z.object({ title: z.string(), ok: z.boolean(), words: z.string() })),
    }),
  },
};
