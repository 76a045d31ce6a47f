/** The page's calls about the files of the project's folder. All paths are relative to it, with slashes. */
import { z } from 'zod';
import { UNSAVED_FILES, UNSAVED_LIMIT } from './limits.ts';
import { createdProject, newProject } from './new-project.ts';

const PATTERN_LIMIT = 1000;

/** The files of the folder; those of tools, such as `.git`, are left out. */
const projectFiles = z.object({
  files: z.array(z.string()),
  /** Folders with more files than are listed, the number of those; null for a folder that was not looked into. The top one is ''. */
  left: z.array(z.object({ folder: z.string(), count: z.int().positive().nullable() })),
});

export type ProjectFiles = z.infer<typeof projectFiles>;

const foundLine = z.object({
  file: z.string(),
  line: z.int().positive(),
  /** Where the first match begins in the line, from 1. */
  column: z.int().positive(),
  /** The line, or of a very long one the part about the first match. */
  text: z.string(),
  /** Starts and ends of the matches in the text. */
  marks: z.array(z.tuple([z.int().nonnegative(), z.int().nonnegative()]).readonly()).readonly(),
});

export type FoundLine = z.infer<typeof foundLine>;

export const projectCalls = {
  /** The folder in which a new project is made where the person chooses no other. */
  'project.newPlace': { input: z.object({}), output: z.object({ place: z.string() }) },
  /** Has the person choose a folder for new projects, from that one on; null where they chose none. */
  'project.choosePlace': {
    input: z.object({ place: z.string().max(4096) }),
    output: z.object({ place: z.string().nullable() }),
  },
  /** Makes a project, and opens its folder, which is trusted: the person made it. */
  'project.create': { input: newProject, output: createdProject },
  /** Makes the sample project of the tour in a folder, or goes on with the one that is there, and opens it. A fresh one is trusted. */
  'project.createTour': { input: z.object({ place: z.string().max(4096) }), output: createdProject },
  /** Tells which folders that were open lately are not there any more. Absolute paths. */
  'project.missingRecent': { input: z.object({}), output: z.object({ missing: z.array(z.string()) }) },
  'project.files': { input: z.object({}), output: projectFiles },
  /** Finds the lines of the project's text files that contain a text or match a regular expression. A later search ends an earlier one. */
  'project.search': {
    input: z.object({
      pattern: z.string().min(1).max(PATTERN_LIMIT),
      regex: z.boolean(),
      matchCase: z.boolean(),
      wholeWord: z.boolean(),
      /** A pattern of the files to search; null for all. */
      glob: z.string().max(200).nullable(),
      most: z.int().min(1).max(10_000),
      /** Texts that the person has not saved, which stand for the contents of their files. */
      unsaved: z
        .array(z.object({ /** Absolute. */ file: z.string().min(1).max(4096), text: z.string().max(UNSAVED_LIMIT) }))
        .max(UNSAVED_FILES),
    }),
    output: z.object({
      lines: z.array(foundLine),
      total: z.int().nonnegative(),
      files: z.int().nonnegative(),
      searched: z.int().nonnegative(),
      /** True when the search took too long to look into all files. */
      unfinished: z.boolean(),
    }),
  },
  /** Finds the project's files with a name in them, by their text alone. A later call ends an earlier one. */
  'project.naming': {
    input: z.object({ /** Without a package. */ name: z.string().min(1).max(PATTERN_LIMIT) }),
    output: z.object({ files: z.array(z.string()) }),
  },
  /** Finds where the project's files define a name, by their text alone. A later call ends an earlier one. */
  'project.definitions': {
    input: z.object({ /** Without a package. */ name: z.string().min(1).max(PATTERN_LIMIT) }),
    /** Absolute paths. */
    output: z.object({ places: z.array(z.object({ file: z.string(), line: z.int().positive() })) }),
  },
  /** Has changes of these files told, absolute paths, in place of those before: the ones that are open in the editor. */
  'files.follow': {
    input: z.object({ files: z.array(z.string().min(1).max(4096)).max(500) }),
    output: z.object({}),
  },
} as const;

/** Files of the folder, or open ones, were written, made or removed by whoever. */
export const filesChanged = z.object({
  /** Absolute paths, as far as they are told. */
  paths: z.array(z.string()),
  /** More files were changed than are told: any may have been. */
  more: z.boolean(),
  /** Files or folders were made or removed: the list is another one. */
  listing: z.boolean(),
});
