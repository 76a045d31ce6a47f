/** Effects outside the image that code caused or was prevented from causing. */
import { z } from 'zod';

/**
 * The kinds of effects. `folder`: the working directory; `attributes`: the mode, owner and times of a file; `foreign`: a shared library;
 * `process`: a property of the image's own process (user, session, file mode mask); `device`: a terminal, or a device accessed by ioctl.
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
  'install-libraries',
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
 * The outcome of an effect. `proceeded` and `other-path`: the call was allowed, but may have failed; `recorded`: no decision was needed;
 * `interrupted`: the call was interrupted before a decision; `changed`: the effect had changed between its display and its approval, so
 * nothing was done and the person is asked again; `lost`: the image ended.
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
  /** The name of the called function, such as DELETE-FILE. */
  operator: z.string(),
  target: z.string(),
  outcome: effectOutcome,
});

/** The fields of a reply that list its effects. */
export const effectsOfRun = {
  /** The effects, oldest first, at most 200. */
  effects: z.array(pastEffect),
  /** The number of effects that are not listed. */
  effectsMore: z.int().nonnegative(),
};

export type EffectOutcome = z.infer<typeof effectOutcome>;
export type PastEffect = z.infer<typeof pastEffect>;
