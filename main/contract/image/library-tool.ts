/** The library tools that can provide systems to an image: Quicklisp, qlot and ocicl. */
import { z } from 'zod';

export const libraryKind = z.enum(['quicklisp', 'qlot', 'ocicl']);

/** A library tool: the setup file of Quicklisp or qlot, or the list of ocicl. */
export const libraryTool = z.object({ kind: libraryKind, path: z.string() });

/** A release of a dist that a Quicklisp client lacks, as the client knows it. */
export const wantedRelease = z.object({
  dist: z.string(),
  version: z.string(),
  project: z.string(),
  prefix: z.string(),
  size: z.int().nonnegative(),
  md5: z.string(),
});

export type WantedRelease = z.infer<typeof wantedRelease>;
export type LibraryTool = z.infer<typeof libraryTool>;
