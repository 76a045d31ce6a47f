/** The settings: choices of the person, kept between starts. A new shape gets a new version and a migration in `core/settings`. */
import { z } from 'zod';
import { PUBLIC_HYPERSPEC } from './hyperspec/public-address.ts';
import { hyperspecPlace } from './hyperspec/calls.ts';
import { MOST_TARGETS } from './limits.ts';
import { FIRST_REPL } from './image/shared-image.ts';
import { keptRepls } from './image/repl.ts';
import { target } from './target.ts';
import { textEncoding } from './text/text-file.ts';

export const settings = z.object({
  version: z.literal(1),
  /** The colours of the window: as the system has them, light or dark. */
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  /** The keys: those of VS Code, of SLIME with its chords, or of Alive on top of VS Code's. */
  keymap: z.enum(['vscode', 'slime', 'alive']).default('vscode'),
  /** Size of the text of editor and REPL, in pixels. */
  editorFontSize: z.int().min(11).max(20).default(13),
  /** The font of code in editor and REPL, as CSS names font families; empty for the workbench's own. */
  codeFont: z.string().max(200).default(''),
  /** Contrast of text and lines: as the system wants it, or more than usual whatever the system wants. */
  contrast: z.enum(['system', 'more']).default('system'),
  /** True when lines that are longer than the editor is wide go on in the next one. */
  wordWrap: z.boolean().default(false),
  /** The fate of an error of the person's own evaluations that nothing handles: it waits in the debugger, or ends the evaluation. */
  onError: z.enum(['debugger', 'report']).default('debugger'),
  /** True when Enter indents the new line by the form that it is in. */
  indentOnEnter: z.boolean().default(true),
  /** True when pasted lines are indented by the form that they are pasted into. */
  indentOnPaste: z.boolean().default(true),
  /**
   * The guard of the parentheses while Lisp is typed: `balanced` steps over what would unbalance a form and moves out of lists by their
   * closers; `strict` refuses closers and deletions that would; `off` leaves all to the person.
   */
  structuralEditing: z.enum(['off', 'balanced', 'strict']).default('balanced'),
  /** The colour of parentheses: a quiet one for all, or one for each depth. */
  parentheses: z.enum(['quiet', 'depth']).default('quiet'),
  /** The HyperSpec: an address, or the folder of a copy. */
  hyperspec: hyperspecPlace.default(PUBLIC_HYPERSPEC),
  /** Minutes after which a request that nobody decided is denied. */
  approvalMinutes: z.number().min(0.05).max(120).default(5),
  /** Folders, relative to the project, in which agents' code may write without asking, but for files that configure other programs. */
  writableFolders: z.array(z.string().min(1).max(1000)).max(50).default([]),
  /** Megabytes that one evaluation of the person may print, and that are kept of all of them together on disk. */
  outputMegabytes: z.int().min(1).max(100_000).default(1000),
  /** Absolute path of the SBCL that images run, from their next start on; empty for the one that is found. */
  sbcl: z.string().max(4096).default(''),
  /** Megabytes of the dynamic space of images, from their next start on; null for a quarter of the machine's memory, 1 to 4 GB. */
  heapMegabytes: z.int().min(512).max(1_048_576).nullable().default(null),
  /** Megabytes of the control stack of each thread, from the next start of an image on. */
  controlStackMegabytes: z.int().min(2).max(1024).default(16),
  /** Absolute path of a Lisp file that each image loads before anything else; empty for none. */
  initFile: z.string().max(4096).default(''),
  /** True when images run in the operating system's sandbox; each from its next start on. */
  sandbox: z.boolean().default(false),
  /** True when effects of the person's own evaluations wait as well while an agent's evaluation is not accepted. */
  asksPerson: z.boolean().default(false),
  /** True when evaluations of the person wait until an agent's that runs in the same image has ended. */
  waitsForAgents: z.boolean().default(false),
  /** Places besides this machine where images can run. */
  targets: z.array(target).max(MOST_TARGETS).default([]),
  /** Name of the target where the shared image runs, from its next start on; empty for this machine. */
  sharedTarget: z.string().max(60).default(''),
  /** Name of the target where images that clients have of their own run; empty for this machine. */
  clientsTarget: z.string().max(60).default(''),
  /** True when HTTPS starts with the program. */
  https: z.boolean().default(false),
  /** Project folders, the newest first. */
  recentProjects: z.array(z.string()).default([]),
});

type Fields = typeof settings.shape;
type Given<Field> = z.ZodOptional<
  Field extends z.ZodDefault<infer Plain extends z.ZodType> ? Plain : Extract<Field, z.ZodType>
>;

/** A change of some settings. The defaults are for fields that were never chosen, not for those that a change leaves alone. */
export const settingsChange = z
  .object(
    Object.fromEntries(
      Object.entries(settings.shape).map(([name, field]) => [
        name,
        z.optional(field instanceof z.ZodDefault ? field.unwrap() : field),
      ]),
    ) as unknown as { [Name in keyof Fields]: Given<Fields[Name]> },
  )
  .omit({ version: true, recentProjects: true });

/** Text and layout of the window, so that a restart brings back what was there. Opaque to the core except for its size. */
export const workspace = z.object({
  buffers: z.array(
    z.object({
      id: z.string(),
      /** Absolute path; null for a buffer that was never saved. */
      path: z.string().nullable(),
      title: z.string(),
      /** The unsaved text; null when it equals the file. */
      text: z.string().nullable(),
      /** Digest of the file that the text was based on, to tell a change on disk. */
      baseDigest: z.string().nullable(),
      encoding: textEncoding.default('utf-8'),
      /** The file has several kinds of line ends, which are kept when it is saved. */
      mixedLineEnds: z.boolean().default(false),
      caret: z.object({ line: z.int(), column: z.int() }).nullable(),
    }),
  ),
  activeBuffer: z.string().nullable(),
  /** Absolute paths of files that were shown lately, the latest first. */
  recentFiles: z.array(z.string()).max(100).default([]),
  replDraft: z.string(),
  /** The REPLs and further images, with the draft of each REPL but the first one. */
  repls: keptRepls.default({ images: [], repls: [], active: FIRST_REPL }),
  replHistory: z.array(z.string()),
  /** The tour: the folder of its project, whether its panel is open, the step it is at and those that are done; null before it was begun. */
  tour: z
    .object({
      open: z.boolean(),
      /** Absolute path. */
      folder: z.string().max(4096),
      step: z.string().max(40),
      done: z.array(z.string().max(40)).max(40),
    })
    .nullable()
    .default(null),
  layout: z.unknown(),
});

export const emptyWorkspace = {
  buffers: [],
  activeBuffer: null,
  recentFiles: [],
  replDraft: '',
  repls: { images: [], repls: [], active: FIRST_REPL },
  replHistory: [],
  tour: null,
  layout: null,
} satisfies z.infer<typeof workspace>;

/** The settings that say how all pages of the window look. */
export const appearance = settings.pick({ theme: true, contrast: true, codeFont: true });

export type Appearance = z.infer<typeof appearance>;
export type Settings = z.infer<typeof settings>;
export type Workspace = z.infer<typeof workspace>;
