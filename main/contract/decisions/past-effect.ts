/** Effects that code had outside the image, or was kept from. */
import { z } from 'zod';

/**
 * `folder` is the working directory, `attributes` mode, owner and times of a file, `foreign` a shared library, `process` what
 * the image's own process is (user, session, file mode mask), `device` a terminal or what ioctl reaches.
 */
export const effectKind = z.enum([
  'read',
  'write',
  'delete',
  'rename',
  'create-folder',
  'link',
  'attributes',
  'run-program',
  'connect',
  'listen',
  'foreign',
  'environment',
  'folder',
  'signal',
  'save-image',
  'exit',
  'process',
  'device',
]);

/**
 * How it ended: `proceeded` and `other-path` were let go on (whether the call then succeeded is not known), `recorded`
 * needed no decision, `interrupted` was left without one, `changed` was approved but had become another one since it was
 * shown, so that nothing was done and it is asked for again, `lost` went with its image.
 */
export const effectOutcome = z.enum([
  'proceeded',
  'other-path',
  'denied',
  'aborted',
  'recorded',
  'interrupted',
  'changed',
  'lost',
]);

export const pastEffect = z.object({
  kind: effectKind,
  /** Name of the function that was called, such as DELETE-FILE. */
  operator: z.string(),
  target: z.string(),
  outcome: effectOutcome,
});

/** The fields by which a reply tells of effects. */
export const effectsOfRun = {
  /** Oldest first, at most 200. */
  effects: z.array(pastEffect),
  /** The number of effects beyond them. */
  effectsMore: z.int().nonnegative(),
};

export type EffectOutcome = z.infer<typeof effectOutcome>;
export type PastEffect = z.infer<typeof pastEffect>;
