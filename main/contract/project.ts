/** Calls of the page about the files in the project's folder. All paths are relative to that folder and contain slashes. */
import { z } from 'zod';
import { UNSAVED_FILES, UNSAVED_LIMIT } from './limits.ts';
import { createdProject, newProject } from './new-project.ts';

const PATTERN_LIMIT = 1000;

/** A symbolic link in the folder. */
const projectLink = z.object({
  path: z.string(),
  /** The target as written in the link. */
  target: z.string(),
  /** The kind of the target. A `circle` is a folder that contains the link, so the list does not follow it. */
  leads: z.enum(['file', 'folder', 'circle', 'file outside', 'folder outside', 'nothing']),
});

export type ProjectLink = z.infer<typeof projectLink>;

/** The files in the folder, without the files that belong to tools, such as `.git`. */
const projectFiles = z.object({
  files: z.array(z.string()),
  /** Files behind links to other folders of the project, by their paths through these links. `files` has their own paths. */
  linked: z.array(z.string()),
  links: z.array(projectLink),
  /** Folders without listed files, folders and links. */
  empty: z.array(z.string()),
  /** Folders that contain unlisted files, with the number of these files; null for a folder that was not read. The top folder is ''. */
  left: z.array(z.object({ folder: z.string(), count: z.int().positive().nullable() })),
});

export type ProjectFiles = z.infer<typeof projectFiles>;

const foundLine = z.object({
  file: z.string(),
  line: z.int().positive(),
  /** The column, from 1, at which the first match in the line begins. */
  column: z.int().positive(),
  /** The text of the line; for a very long line, only the section around the first match. */
  text: z.string(),
  /** The start and end of each match in `text`. */
  marks: z.array(z.tuple([z.int().nonnegative(), z.int().nonnegative()]).readonly()).readonly(),
});

export type FoundLine = z.infer<typeof foundLine>;

/** The path of a file or folder, relative to the project. */
const namedPath = z.string().min(1).max(4096);
const NEW_TEXT_LIMIT = 100_000;
/** The path of a file or folder after an operation, relative to the project and without links in it. */
const ownPath = z.object({ path: z.string() });

const deletedFile = z.discriminatedUnion('deleted', [
  z.object({
    deleted: z.literal(true),
    /** The absolute path, without links in its folders. */
    file: z.string(),
    /** Identifies the backup for `files.restore`; null if the deletion cannot be undone. */
    undo: z.string().nullable(),
    /** True if the file is in the system's trash. */
    trashed: z.boolean(),
  }),
  /** The system has no trash, so nothing was deleted. `undoable` says whether a permanent deletion could be undone. */
  z.object({ deleted: z.literal(false), undoable: z.boolean() }),
]);

export const projectCalls = {
  /** Returns the default folder for new projects. */
  'project.newPlace': { input: z.object({}), output: z.object({ place: z.string() }) },
  /** Lets the person choose a folder for new projects, starting at the given one. Returns null if they cancel. */
  'project.choosePlace': {
    input: z.object({ place: z.string().max(4096) }),
    output: z.object({ place: z.string().nullable() }),
  },
  /** Creates a project and opens its folder. The folder is trusted, because the person created it. */
  'project.create': { input: newProject, output: createdProject },
  /**
   * Creates the tour's sample project in a folder, or continues with the existing one, and opens it. A newly created project is trusted.
   */
  'project.createTour': { input: z.object({ place: z.string().max(4096) }), output: createdProject },
  /** Returns the recently opened folders that no longer exist, as absolute paths. */
  'project.missingRecent': { input: z.object({}), output: z.object({ missing: z.array(z.string()) }) },
  'project.files': { input: z.object({}), output: projectFiles },
  /**
   * Finds the lines of the project's text files that contain a text or match a regular expression. A new search cancels the previous one.
   */
  'project.search': {
    input: z.object({
      pattern: z.string().min(1).max(PATTERN_LIMIT),
      regex: z.boolean(),
      matchCase: z.boolean(),
      wholeWord: z.boolean(),
      /** A glob pattern for the files to search; null for all files. */
      glob: z.string().max(200).nullable(),
      most: z.int().min(1).max(10_000),
      /** Unsaved buffers, which are searched instead of the files' contents on disk. */
      unsaved: z
        .array(z.object({ /** Absolute. */ file: z.string().min(1).max(4096), text: z.string().max(UNSAVED_LIMIT) }))
        .max(UNSAVED_FILES),
    }),
    output: z.object({
      lines: z.array(foundLine),
      total: z.int().nonnegative(),
      files: z.int().nonnegative(),
      searched: z.int().nonnegative(),
      /** True if the search ran out of time before all files were read. */
      unfinished: z.boolean(),
    }),
  },
  /** Finds the project files that contain a name, by a plain text search. A new call cancels the previous one. */
  'project.naming': {
    input: z.object({ /** The name without its package. */ name: z.string().min(1).max(PATTERN_LIMIT) }),
    output: z.object({ files: z.array(z.string()) }),
  },
  /** Finds the definitions of a name in the project's files, by a plain text search. A new call cancels the previous one. */
  'project.definitions': {
    input: z.object({ /** The name without its package. */ name: z.string().min(1).max(PATTERN_LIMIT) }),
    /** Absolute paths. */
    output: z.object({ places: z.array(z.object({ file: z.string(), line: z.int().positive() })) }),
  },
  /** Creates a file with a text, and missing folders. Rejects if the name is taken. */
  'files.create': { input: z.object({ path: namedPath, text: z.string().max(NEW_TEXT_LIMIT) }), output: ownPath },
  /** Creates a folder, and missing folders above it. Rejects if the name is taken. */
  'files.createFolder': { input: z.object({ path: namedPath }), output: ownPath },
  /** Moves or renames a file, a folder or a link itself, with absolute paths in the output. Rejects if the new name is taken. */
  'files.move': {
    input: z.object({ path: namedPath, to: namedPath }),
    output: z.object({ from: z.string(), to: z.string() }),
  },
  /** Copies a file, a folder or a link itself to a free name beside it. */
  'files.duplicate': { input: z.object({ path: namedPath }), output: ownPath },
  /** Moves a file or folder to the system's trash, or deletes it permanently. Deletes a link itself. */
  'files.delete': { input: z.object({ path: namedPath, permanently: z.boolean() }), output: deletedFile },
  /** Restores what a deletion removed, unless other files have taken the names. */
  'files.restore': {
    input: z.object({ undo: z.string().min(1).max(100) }),
    output: z.object({ restored: z.boolean(), message: z.string() }),
  },
  /** Shows a file or folder in the system's file manager. */
  'files.reveal': { input: z.object({ path: namedPath }), output: z.object({}) },
  /** Watches these files, which are open in the editor, for changes. The paths are absolute, and the list replaces the previous one. */
  'files.follow': {
    input: z.object({ files: z.array(z.string().min(1).max(4096)).max(500) }),
    output: z.object({}),
  },
} as const;

/** Files in the folder, or open files, that were written, created or removed by any program. */
export const filesChanged = z.object({
  /** The absolute paths; incomplete if `more` is true. */
  paths: z.array(z.string()),
  /** True if more files changed than are listed. Any file may then have changed. */
  more: z.boolean(),
  /** True if files or folders were created or removed, which means that the file list has changed. */
  listing: z.boolean(),
});
