/** The person's REPLs and the additional images: calls and events of the page. */
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

/** A REPL: a context in an image with its own current package and history. */
const replRecord = z.object({
  id: replId,
  name: z.string(),
  /** The id of the REPL's image, which may no longer exist. */
  image: z.string(),
  package: z.string(),
  /** The REPL's current package in the previous run of the program, if the image does not have that package yet; otherwise null. */
  wanted: z.string().nullable(),
});

/** An image other than the shared one, with its owner: the person, or a client that has its own image. */
const imageRecord = session.extend({ owner: z.enum(['person', 'client']) });

/** The REPLs and images that are restored after a restart of the program; `image` is a name, or null for the shared image. */
export const keptRepls = z.object({
  images: z.array(givenName).max(MOST_IMAGES),
  /** The targets of images that do not run on this machine, by image name. */
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
  /**
   * Evaluates code in a REPL. Resolves when the evaluation has ended; output arrives as `output` events. `evaluation` is a unique id, which
   * the page chooses.
   */
  'repl.evaluate': {
    input: z.object({
      evaluation: evaluationId,
      code: z.string().max(CODE_LIMIT),
      package: z.string().nullable(),
      origin: z.enum(['repl', 'editor']),
      source: sourcePlace.nullable(),
      /** The REPL whose image and context evaluate the code. */
      repl: replId.default(FIRST_REPL),
    }),
    output: evaluationReport,
  },
  /** Answers an `input-requested` event; a null `text` means end of file. */
  'repl.input': { input: z.object({ evaluation: z.string(), text: z.string().nullable() }), output: nothing },
  /** Opens a REPL in an image; null means the shared image. */
  'repl.open': { input: z.object({ image: imageId.nullable() }), output: replRecord },
  'repl.rename': { input: z.object({ repl: replId, name: givenName }), output: nothing },
  /** Closes a REPL and interrupts its running code. */
  'repl.close': { input: z.object({ repl: replId }), output: nothing },
  /** Makes a package the current one of a REPL: at once if its image has the package, otherwise when the package appears. */
  'repl.enterPackage': { input: z.object({ repl: replId, package: z.string().min(1).max(1000) }), output: nothing },
  /** Resets the reader and printer variables of a REPL to their standard values. */
  'repl.resetReader': { input: z.object({ repl: replId }), output: nothing },

  /**
   * Starts another image with a REPL. The image gets the given name or, for null, the next free one. `target` is the name of a target; null
   * means this machine.
   */
  'image.open': {
    input: z.object({ name: givenName.nullable(), target: z.string().nullable().default(null) }),
    output: replRecord,
  },
  'image.rename': { input: z.object({ image: imageId, name: givenName }), output: nothing },
  /** Replaces an image with a fresh one, or starts one that is not running. */
  'image.restart': { input: z.object({ image: imageId }), output: nothing },
  /** Ends one of the person's additional images and closes its REPLs. */
  'image.end': { input: z.object({ image: imageId }), output: nothing },
  /** Reevaluates the person's lost definitions in an image, and reloads its lost systems. */
  'image.replay': {
    input: z.object({ image: imageId }),
    output: z.object({ replayed: z.int(), failed: z.array(z.object({ what: z.string(), message: z.string() })) }),
  },
  /** Sets whether effects of the person's own code in an image wait for approval while there are unaccepted evaluations of agents. */
  'image.askPerson': { input: z.object({ image: imageId, asks: z.boolean() }), output: nothing },
  /** Returns the evaluations of agents in an image that the person has not accepted. */
  'image.changes': { input: z.object({ image: imageId }), output: agentsChanges },
  /** Accepts the evaluations of agents up to the number `upTo`, which `image.changes` returned. */
  'image.acceptChanges': { input: z.object({ image: imageId, upTo: z.int().nonnegative() }), output: agentsChanges },
  'image.dismissLost': { input: z.object({ image: imageId }), output: nothing },
} as const;

export const replEvents = {
  'repls-changed': z.array(replRecord),
  /** The additional images. */
  'images-changed': z.array(imageRecord),
} as const;

export type ReplRecord = z.infer<typeof replRecord>;
export type ImageRecord = z.infer<typeof imageRecord>;
export type KeptRepls = z.infer<typeof keptRepls>;
