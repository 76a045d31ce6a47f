/** What the person chose, kept between starts. A new shape gets a new version and a migration in `core/settings`. */
import { z } from 'zod';

export const settings = z.object({
  version: z.literal(1),
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  editorFontSize: z.int().min(11).max(20).default(13),
  /** Minutes after which a request that nobody decided is denied. */
  approvalMinutes: z.number().min(0.05).max(120).default(5),
  /** Folders, relative to the project, in which agents' code may write without asking. */
  writableFolders: z.array(z.string().min(1).max(1000)).max(50).default([]),
  /** Whether images run in the operating system's sandbox; each from its next start on. */
  sandbox: z.boolean().default(false),
  /** Project folders, the newest first. */
  recentProjects: z.array(z.string()).default([]),
});

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
      caret: z.object({ line: z.int(), column: z.int() }).nullable(),
    }),
  ),
  activeBuffer: z.string().nullable(),
  replDraft: z.string(),
  replHistory: z.array(z.string()),
  layout: z.unknown(),
});

export const emptyWorkspace = {
  buffers: [],
  activeBuffer: null,
  replDraft: '',
  replHistory: [],
  layout: null,
} satisfies z.infer<typeof workspace>;

export type Settings = z.infer<typeof settings>;
export type Workspace = z.infer<typeof workspace>;
