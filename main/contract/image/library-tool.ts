/** The library tools that can provide systems to an image: Quicklisp, qlot and ocicl. */
import { z } from 'zod';

export const libraryKind = z.enum(['quicklisp', 'qlot', 'ocicl']);

/** A library tool: the setup file of Quicklisp or qlot, or the list of ocicl. */
export const libraryTool = z.object({ kind: libraryKind, path: z.string() });

/** A release of a dist that an image lacks, as its Quicklisp client or the core knows it. */
export const wantedRelease = z.object({
  dist: z.string(),
  version: z.string(),
  project: z.string(),
  prefix: z.string(),
  size: z.int().nonnegative(),
  md5: z.string(),
});

/** A release that the core has found for systems or projects, with the names of those of its systems that are needed. */
export const soughtRelease = wantedRelease.extend({ licence: z.string().nullable(), systems: z.array(z.string()) });

export type SoughtRelease = z.infer<typeof soughtRelease>;
export type WantedRelease = z.infer<typeof wantedRelease>;
export type LibraryTool = z.infer<typeof libraryTool>;
