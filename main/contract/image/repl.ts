/** The REPLs of the person, and the images beside the shared one: the page's calls and events. */
import { z } from 'zod';
import { agentsChanges } from '#contract/clients/agents-changes.ts';
import { evaluationReport, sourcePlace } from './evaluation.ts';
import { CODE_LIMIT, MOST_IMAGES, MOST_REPLS, NAME_LIMIT } from '#contract/limits.ts';
import { session } from './session.ts';
import { FIRST_REPL } from './shared-image.ts';

const nothing = z.object({});

export const replId = z.string().min(1).max(64);
const imageId = z.string().min(1).max(64);
const evaluationId = z.string().min(8).max(64);
const givenName = z.string().trim().min(1).max(NAME_LIMIT);

/** One REPL: a current package and a history of its own in an image. */
const replRecord = z.object({
  id: replId,
  name: z.string(),
  /** Id of its image, which may be gone. */
  image: z.string(),
  package: z.string(),
  /** The package that it had when the program ended last and that the image does not have yet; null when it is there. */
  wanted: z.string().nullable(),
});

/** An image beside the shared one, with who opened it: the person, or a client that has its own. */
const imageRecord = session.extend({ owner: z.enum(['person', 'client']) });

/** The REPLs and images that a restart of the program brings back; `image` is a name, null for the shared one. */
export const keptRepls = z.object({
  images: z.array(givenName).max(MOST_IMAGES),
  /** The targets of those images that are on one, by the images' names. */
  targets: z.record(z.string(), z.string()).optional(),
  repls: z
    .array(
      z.object({
        id: replId,
        name: givenName,
        image: z.string().max(NAME_LIMIT).nullable(),
        package: z.string().max(1000),
        draft: z.string(),
      }),
    )
    .max(MOST_REPLS),
  active: replId,
});

export const replCalls = {
  /** Resolves when the evaluation has ended; its output arrives as `output` events. `evaluation` is the page's own unique id for it. */
  'repl.evaluate': {
    input: z.object({
      evaluation: evaluationId,
      code: z.string().max(CODE_LIMIT),
      package: z.string().nullable(),
      origin: z.enum(['repl', 'editor']),
      source: sourcePlace.nullable(),
      /** The REPL in whose image and context it is evaluated. */
      repl: replId.default(FIRST_REPL),
    }),
    output: evaluationReport,
  },
  /** Answers an `input-requested` event; null is end of file. */
  'repl.input': { input: z.object({ evaluation: z.string(), text: z.string().nullable() }), output: nothing },
  /** Opens a REPL in an image, the shared one for null. */
  'repl.open': { input: z.object({ image: imageId.nullable() }), output: replRecord },
  'repl.rename': { input: z.object({ repl: replId, name: givenName }), output: nothing },
  /** Closes a REPL; what runs in it is interrupted. */
  'repl.close': { input: z.object({ repl: replId }), output: nothing },
  /** Standard reader and printer variables again for a REPL. */
  'repl.resetReader': { input: z.object({ repl: replId }), output: nothing },

  /** Starts a further image with a REPL in it, by this name or the next free one, at a target by its name, on this machine for null. */
  'image.open': {
    input: z.object({ name: givenName.nullable(), target: z.string().nullable().default(null) }),
    output: replRecord,
  },
  'image.rename': { input: z.object({ image: imageId, name: givenName }), output: nothing },
  /** Starts a fresh image in the place of one, or one that is not running. */
  'image.restart': { input: z.object({ image: imageId }), output: nothing },
  /** Ends a further image of the person, and closes the REPLs in it. */
  'image.end': { input: z.object({ image: imageId }), output: nothing },
  /** Evaluates the person's lost definitions again in an image, and loads its lost systems. */
  'image.replay': {
    input: z.object({ image: imageId }),
    output: z.object({ replayed: z.int(), failed: z.array(z.object({ what: z.string(), message: z.string() })) }),
  },
  /** Says whether effects of the person's own code in an image wait while an agent's evaluation is not accepted. */
  'image.askPerson': { input: z.object({ image: imageId, asks: z.boolean() }), output: nothing },
  /** Resolves with what agents evaluated in an image and the person has not accepted. */
  'image.changes': { input: z.object({ image: imageId }), output: agentsChanges },
  /** Accepts it up to the number that `image.changes` told. */
  'image.acceptChanges': { input: z.object({ image: imageId, upTo: z.int().nonnegative() }), output: agentsChanges },
  'image.dismissLost': { input: z.object({ image: imageId }), output: nothing },
} as const;

export const replEvents = {
  'repls-changed': z.array(replRecord),
  /** The images beside the shared one. */
  'images-changed': z.array(imageRecord),
} as const;

export type ReplRecord = z.infer<typeof replRecord>;
export type ImageRecord = z.infer<typeof imageRecord>;
export type KeptRepls = z.infer<typeof keptRepls>;
