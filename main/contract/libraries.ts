/** Libraries of Quicklisp dists: what is installed, searching, installing and updating. The folder is that of the person's Quicklisp. */
import { z } from 'zod';
import { libraryKind } from './image/library-tool.ts';

/** A dist to which the folder is subscribed. */
const libraryDist = z.object({
  name: z.string(),
  version: z.string(),
  /** The address of its newest version; null if the dist is never updated. */
  address: z.string().nullable(),
  systems: z.int().nonnegative(),
  releases: z.int().nonnegative(),
  /** The number of installed releases. */
  installed: z.int().nonnegative(),
  /** True if the dist has a list of its versions. */
  hasVersions: z.boolean(),
});

/** The program that provides the libraries of the open project, with the file that says so. */
const projectLibraries = z.object({
  kind: libraryKind,
  path: z.string(),
  /** The number of libraries that the file or its lock file names; null if it names none. */
  count: z.int().nonnegative().nullable(),
  /** The path of the tool's own program; null if it is not installed. Quicklisp has none. */
  program: z.string().nullable(),
});

/** An installation, set-up or update that is running. */
const libraryWork = z.object({
  kind: z.enum(['install', 'set-up', 'update', 'tool']),
  /** The name of what is installed, such as `cl-csv`. */
  subject: z.string(),
  /** The part that is being installed, such as a release; empty before the first one. */
  part: z.string(),
  /** The number of finished parts. */
  done: z.int().nonnegative(),
  /** The number of all parts; 0 as long as it is unknown. */
  total: z.int().nonnegative(),
  /** A sentence about the progress of the part. */
  words: z.string(),
});

const librariesOverview = z.object({
  /** The folder of the Quicklisp client, or the folder in which it would be set up. */
  folder: z.string(),
  /** True if the folder contains a client. */
  hasClient: z.boolean(),
  dists: z.array(libraryDist),
  /** Addresses in the setting `libraries.dists` to which the folder is not subscribed. */
  unsubscribed: z.array(z.string()),
  /** The tool of the open project; null without a project, or if its libraries come from Quicklisp or ASDF. */
  project: projectLibraries.nullable(),
  /** The reason why the dists could not be read; null if there is none. */
  problem: z.string().nullable(),
  /** The running work; null if none is running. */
  work: libraryWork.nullable(),
});

/** A system that a dist provides. */
export const foundLibrary = z.object({
  system: z.string(),
  project: z.string(),
  dist: z.string(),
  /** The name of the release, such as `alexandria-20241012-git`. */
  release: z.string(),
  installed: z.boolean(),
  description: z.string().nullable(),
  licence: z.string().nullable(),
});

const planRelease = z.object({
  dist: z.string(),
  version: z.string(),
  project: z.string(),
  release: z.string(),
  /** The size of the archive in octets. */
  size: z.int().nonnegative(),
  md5: z.string(),
  licence: z.string().nullable(),
  installed: z.boolean(),
});

/** The releases that an installation needs. */
const installPlan = z.object({
  systems: z.array(z.string()),
  /** All releases, each after those that it needs. */
  releases: z.array(planRelease),
  /** The size of the archives of all releases that are not installed, in octets. */
  size: z.int().nonnegative(),
  /** The names of dependencies that no dist provides; the image may have them. */
  missing: z.array(z.string()),
  /** The installed systems that depend on one of the systems, sorted, at most 50. */
  neededBy: z.array(z.string()),
});

/** The version of a release before and after an update of the dist. */
const changedRelease = z.object({ project: z.string(), before: z.string(), after: z.string() });

/** The differences between the current version of a dist and another one. `used` lists the projects that are installed. */
const distUpdate = z.object({
  dist: z.string(),
  before: z.string(),
  after: z.string(),
  added: z.array(z.string()),
  changed: z.array(changedRelease),
  /** The projects that are removed, with the installed projects that depend on them and remain. */
  removed: z.array(z.object({ project: z.string(), neededBy: z.array(z.string()) })),
  used: z.array(z.string()),
  /** The size of the archives that the update downloads, in octets. */
  size: z.int().nonnegative(),
});

export type LibraryDist = z.infer<typeof libraryDist>;
export type LibrariesOverview = z.infer<typeof librariesOverview>;
export type ProjectLibraries = z.infer<typeof projectLibraries>;
export type FoundLibrary = z.infer<typeof foundLibrary>;
export type PlanRelease = z.infer<typeof planRelease>;
export type InstallPlan = z.infer<typeof installPlan>;
export type DistUpdate = z.infer<typeof distUpdate>;
export type LibraryWork = z.infer<typeof libraryWork>;

const systemNames = z.array(z.string().min(1).max(200)).min(1).max(100);
const distName = z.string().min(1).max(200);

export const libraryCalls = {
  'libraries.overview': { input: z.object({}), output: librariesOverview },
  /**
   * Searches the names and descriptions of all systems for all words, in any case. Systems whose names match are first. Without words, lists
   * all systems by name.
   */
  'libraries.search': {
    input: z.object({ words: z.string().max(200), installedOnly: z.boolean(), most: z.int().min(1).max(10_000) }),
    /** `more`: the number of results that are left out. `similar`: if there are no results, names that may have been meant. */
    output: z.object({
      found: z.array(foundLibrary),
      more: z.int().nonnegative(),
      similar: z.array(z.string()),
    }),
  },
  'libraries.plan': { input: z.object({ systems: systemNames }), output: installPlan },
  /**
   * Installs systems with everything that they need. Sets up the dists first if the folder has none. Resolves when everything is installed;
   * `library-work-changed` reports the progress.
   */
  'libraries.install': { input: z.object({ systems: systemNames }), output: z.object({}) },
  /** Downloads the Quicklisp client and subscribes to the dists of the setting `libraries.dists`. None of the client's code runs. */
  'libraries.setUp': { input: z.object({}), output: z.object({ setup: z.string() }) },
  /** Subscribes to the dist at an address. */
  'libraries.addDist': { input: z.object({ address: z.url().max(2000) }), output: z.object({}) },
  /** Lists the versions of a dist, newest first. */
  'libraries.versions': {
    input: z.object({ dist: distName }),
    output: z.object({ versions: z.array(z.string()) }),
  },
  /** Compares a dist with its newest version, or with `version`. Returns null if the dist has that version already. */
  'libraries.compare': {
    input: z.object({ dist: distName, version: z.string().max(200).nullable() }),
    output: z.object({ update: distUpdate.nullable() }),
  },
  /** Changes a dist to a version that `libraries.compare` returned, with all installed releases. */
  'libraries.update': {
    input: z.object({ dist: distName, version: z.string().min(1).max(200) }),
    output: z.object({}),
  },
  /** Runs the program of the project's library tool: adds a library, installs what is locked, or updates it. */
  'libraries.runTool': {
    input: z.object({
      action: z.enum(['add', 'install', 'update']),
      /** The library to add; null for the other actions. */
      library: z.string().min(1).max(200).nullable(),
    }),
    /** `output`: the end of what the program wrote. */
    output: z.object({ output: z.string() }),
  },
  /** Cancels the running work. Nothing remains of the release that is being installed. */
  'libraries.cancel': { input: z.object({}), output: z.object({}) },
} as const;

export const libraryEvents = {
  /** The running work; null if none is running. */
  'library-work-changed': z.object({ work: libraryWork.nullable() }),
  /** Libraries were installed, by the person or by code in an image, or the dists have changed. */
  'libraries-changed': z.object({}),
} as const;
