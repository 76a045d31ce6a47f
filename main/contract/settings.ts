/** The settings: the person's choices, stored on disk. A change of the format needs a new version and a migration in `core/settings`. */
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
  /** The colour theme of the window: the system's, light or dark. */
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  /** The keymap: VS Code's, SLIME's with its chords, or VS Code's with the keys of Alive. */
  keymap: z.enum(['vscode', 'slime', 'alive']).default('vscode'),
  /** The text size in the editor and the REPL, in pixels. */
  editorFontSize: z.int().min(11).max(20).default(13),
  /** The font for code in the editor and the REPL, as a CSS font family; empty for the default. */
  codeFont: z.string().max(200).default(''),
  /** The contrast of text and lines: as the system requests, or always higher. */
  contrast: z.enum(['system', 'more']).default('system'),
  /** True if lines that are wider than the editor are wrapped. */
  wordWrap: z.boolean().default(false),
  /** The effect of an unhandled error in the person's evaluations: it enters the debugger, or ends the evaluation. */
  onError: z.enum(['debugger', 'report']).default('debugger'),
  /**
   * True if the debugger gets the focus after an error in a form that the person has entered in the REPL, unless they have pressed a key or
   * clicked since.
   */
  debuggerToFront: z.boolean().default(true),
  /** True if Enter indents the new line to match its form. */
  indentOnEnter: z.boolean().default(true),
  /** True if pasted lines are indented to match the surrounding form. */
  indentOnPaste: z.boolean().default(true),
  /**
   * The protection of parentheses while typing Lisp. `balanced`: deletions step over a balanced parenthesis, and a typed closing
   * parenthesis moves the caret out of the list; `strict`: also prevents closing parentheses and deletions that would unbalance a form;
   * `off`: no protection.
   */
  structuralEditing: z.enum(['off', 'balanced', 'strict']).default('balanced'),
  /** The colour of parentheses: the same muted colour for all, or a different colour for each depth. */
  parentheses: z.enum(['quiet', 'depth']).default('quiet'),
  /** The location of the HyperSpec: a URL, or the folder of a copy. */
  hyperspec: hyperspecPlace.default(PUBLIC_HYPERSPEC),
  /** Libraries: `dists` are the addresses of the dists to which a new Quicklisp is subscribed, the preferred one first. */
  libraries: z
    .object({ dists: z.array(z.url().max(2000)).min(1).max(20) })
    .default({ dists: ['https://beta.quicklisp.org/dist/quicklisp.txt'] }),
  /** Minutes after which an undecided request is denied. */
  approvalMinutes: z.number().min(0.05).max(120).default(5),
  /**
   * Folders, relative to the project, in which agents' code may write without approval. Files that configure other programs are excluded.
   */
  writableFolders: z.array(z.string().min(1).max(1000)).max(50).default([]),
  /** A limit in megabytes that applies both to the output of one evaluation of the person and to all stored output on disk. */
  outputMegabytes: z.int().min(1).max(100_000).default(1000),
  /** The absolute path of SBCL, used for images from their next start; empty for the SBCL that is found automatically. */
  sbcl: z.string().max(4096).default(''),
  /**
   * The dynamic space of an image in megabytes, used for images from their next start; null for a quarter of the machine's memory, but
   * between 1 and 4 GB.
   */
  heapMegabytes: z.int().min(512).max(1_048_576).nullable().default(null),
  /** The size of each thread's control stack in megabytes, used for images from their next start. */
  controlStackMegabytes: z.int().min(2).max(1024).default(16),
  /** The absolute path of a Lisp file that each image loads before anything else; empty if there is none. */
  initFile: z.string().max(4096).default(''),
  /** True to run images in the operating system's sandbox; applies to each image from its next start. */
  sandbox: z.boolean().default(false),
  /** True if effects of the person's own evaluations also wait for approval while there are unaccepted evaluations of agents. */
  asksPerson: z.boolean().default(false),
  /** True if the person's evaluations wait until an agent's running evaluation in the same image has ended. */
  waitsForAgents: z.boolean().default(false),
  /** The targets: places other than this machine where images can run. */
  targets: z.array(target).max(MOST_TARGETS).default([]),
  /** The name of the target where the shared image runs, from its next start; empty for this machine. */
  sharedTarget: z.string().max(60).default(''),
  /** The name of the target where the clients' own images run; empty for this machine. */
  clientsTarget: z.string().max(60).default(''),
  /** True if HTTPS starts with the program. */
  https: z.boolean().default(false),
  /** Recently opened project folders, newest first. */
  recentProjects: z.array(z.string()).default([]),
});

type Fields = typeof settings.shape;
type Given<Field> = z.ZodOptional<
  Field extends z.ZodDefault<infer Plain extends z.ZodType> ? Plain : Extract<Field, z.ZodType>
>;

/** A change of some settings. Omitted fields stay unchanged, so the defaults do not apply to them. */
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

const keptBuffers = z.array(
  z.object({
    id: z.string(),
    /** The absolute path; null for a buffer that was never saved. */
    path: z.string().nullable(),
    title: z.string(),
    /** The unsaved text; null if there are no unsaved changes. */
    text: z.string().nullable(),
    /** The digest of the file on which the text is based, used to detect changes on disk. */
    baseDigest: z.string().nullable(),
    encoding: textEncoding.default('utf-8'),
    /** True if the file has several kinds of line ends, which saving preserves. */
    mixedLineEnds: z.boolean().default(false),
    caret: z.object({ line: z.int(), column: z.int() }).nullable(),
  }),
);

/** The session of a folder that is kept while another folder is open: its tabs, the shown panels, and the current package of the first REPL. */
const folderSession = z.object({
  buffers: keptBuffers,
  activeBuffer: z.string().nullable(),
  layout: z.unknown(),
  package: z.string().max(1000),
});

/** The window's buffers and layout, restored after a restart. The core only checks their size. */
export const workspace = z.object({
  buffers: keptBuffers,
  activeBuffer: z.string().nullable(),
  /** The absolute paths of recently shown files, latest first. */
  recentFiles: z.array(z.string()).max(100).default([]),
  replDraft: z.string(),
  /** The REPLs and additional images, and the draft of each REPL except the first. */
  repls: keptRepls.default({ images: [], repls: [], active: FIRST_REPL }),
  replHistory: z.array(z.string()),
  /**
   * The tour: the folder of its project, whether its panel is open, the current step and the completed steps; null before the tour begins.
   */
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
  /** The absolute path of the folder that the texts and the layout belong to; null if no folder was open. */
  folder: z.string().max(4096).nullable().default(null),
  /** The sessions of the other folders, by absolute path, the one that was left last at the end. */
  folders: z.record(z.string(), folderSession).default({}),
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
  folder: null,
  folders: {},
} satisfies z.infer<typeof workspace>;

/** The settings for the appearance of all pages of the window. */
export const appearance = settings.pick({ theme: true, contrast: true, codeFont: true });

export type Appearance = z.infer<typeof appearance>;
export type Settings = z.infer<typeof settings>;
export type Workspace = z.infer<typeof workspace>;
export type FolderSession = z.infer<typeof folderSession>;
