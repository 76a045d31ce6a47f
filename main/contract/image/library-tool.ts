/** The library tools that can provide systems to an image: Quicklisp, qlot and ocicl. */
import { z } from 'zod';

export const libraryKind = z.enum(['quicklisp', 'qlot', 'ocicl']);

/** A library tool: the setup file of Quicklisp or qlot, or the list of ocicl. */
export const libraryTool = z.object({ kind: libraryKind, path: z.string() });

export type LibraryTool = z.infer<typeof libraryTool>;
