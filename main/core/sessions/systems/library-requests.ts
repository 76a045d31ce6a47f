/**
 * Finds and installs the releases that an image lacks, and answers the image. Only releases of the dists to which the folder is subscribed
 * are installed, from archives that the dist's index describes. An agent's code needs the person's approval of exactly these releases first.
 */
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { isPersonId } from '#contract/clients/known-actors.ts';
import type { DistUpdate } from '#contract/libraries.ts';
import type { LibraryTool, SoughtRelease } from '#contract/image/library-tool.ts';
import { messageForPerson } from '#core/base/system-faults.ts';
import { WorkbenchError } from '#core/base/error.ts';
import type { WantedRelease } from '#core/libraries/closure.ts';
import type { LibraryJobs } from '#core/libraries/library-jobs.ts';
import type { ClientHome } from '#core/libraries/client-home.ts';
import type { ClientLibraries, WorkReport } from '#core/libraries/libraries.ts';
import type { LibrariesThere } from '#core/lisp/image-host.ts';
import type { LispImage } from '#core/lisp/image.ts';
import type { ImageEvent } from '#core/lisp/messages.ts';
import type { Effects } from '../effects.ts';

type Sought = Extract<ImageEvent, { event: 'libraries-sought' }>;
type Wanted = Extract<ImageEvent, { event: 'libraries-wanted' }>;
type ChangeWanted = Extract<ImageEvent, { event: 'dist-change-wanted' }>;
type ChangeSought = Extract<ImageEvent, { event: 'dist-change-sought' }>;
type Answer = {
  readonly releases: SoughtRelease[];
  readonly installed: string[];
  readonly version: string | null;
  readonly notes: string[];
};

/** The libraries that the images of a session use. */
export interface SessionLibraries {
  /** Returns the library tool that the person chose for new images; null for the tool with precedence. */
  readonly tool: () => LibraryTool | null;
  /** The libraries of the person's Quicklisp. */
  readonly client: ClientLibraries;
  readonly jobs: LibraryJobs;
}

interface LibraryRequestsOptions {
  /** Absent if nothing is installed for the image. */
  readonly libraries: SessionLibraries | undefined;
  readonly effects: Effects;
  readonly image: () => LispImage | null;
  /** Returns the library tool of the image. */
  readonly tool: () => LibraryTool | null;
}

const NOTHING: Answer = { releases: [], installed: [], version: null, notes: [] };

export class LibraryRequests {
  readonly #options: LibraryRequestsOptions;
  readonly #running = new Map<string, AbortController>();

  constructor(options: LibraryRequestsOptions) {
    this.#options = options;
  }

  /** Finds the releases and answers the image. Never rejects. */
  async sought(event: Sought): Promise<void> {
    const there = this.#there;
    await this.#answer(event, async () => this.#find(event, await this.#librariesIn(event.home), there !== null));
  }

  /** Installs the releases and answers the image. Never rejects. */
  async wanted(event: Wanted): Promise<void> {
    await this.#answer(event, async (signal) => {
      await this.#install(event, signal);
      return NOTHING;
    });
  }

  /** Compares a dist with another version and answers the image. Never rejects. */
  async changeSought(event: ChangeSought): Promise<void> {
    await this.#answer(event, async () => {
      const update = await (await this.#librariesIn(event.home)).compare(event.dist, event.version);
      return update === null ? NOTHING : { ...NOTHING, version: update.after, notes: notesOf(update) };
    });
  }

  /** Changes the dists and answers the image. Never rejects. */
  async changeWanted(event: ChangeWanted): Promise<void> {
    await this.#answer(event, async (signal) => {
      await this.#change(event, signal);
      return NOTHING;
    });
  }

  async #answer(
    { request }: Sought | Wanted | ChangeSought | ChangeWanted,
    work: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<void> {
    const image = this.#options.image();
    const cancel = new AbortController();
    this.#running.set(request, cancel);
    const answer = await work(cancel.signal).then(
      (found) => ({ request, problem: null, ...found }),
      (error: unknown) => ({ request, problem: messageForPerson(error), ...NOTHING }),
    );
    this.#running.delete(request);
    await image?.request('settle-libraries', answer).catch(() => {});
  }

  /** Cancels the work for a request whose code no longer waits. */
  abandoned(request: string): void {
    this.#running.get(request)?.abort();
  }

  /** Cancels all work, because the image has ended. */
  end(): void {
    for (const cancel of this.#running.values()) cancel.abort();
  }

  /** Where the image's libraries are if it runs on a target; null on this machine. */
  get #there(): LibrariesThere | null {
    return this.#options.image()?.librariesThere ?? null;
  }

  /** Returns the releases that provide the systems and projects. Names that no dist has are left out. */
  async #find({ systems, projects }: Sought, libraries: ClientLibraries, isOnTarget: boolean): Promise<Answer> {
    const { releases, licences } = await libraries.releasesFor(systems, projects);
    // An image on a target knows itself what is there.
    const isInstalled = ({ dist, release }: WantedRelease): boolean =>
      !isOnTarget && libraries.home.hasRelease(dist, release.project);
    return {
      ...NOTHING,
      installed: releases.filter((each) => isInstalled(each)).map(({ release }) => release.project),
      releases: releases
        .filter((each) => !isInstalled(each))
        .map(({ dist, release, systems: needed = [] }) => ({
          dist: dist.name,
          version: dist.version,
          project: release.project,
          prefix: release.prefix,
          size: release.size,
          md5: release.md5,
          licence: licences(release.project),
          systems: [...needed],
        })),
    };
  }

  async #install(event: Wanted, signal: AbortSignal): Promise<void> {
    const { effects } = this.#options;
    const { evaluation, actor, home, releases, subject } = event;
    const isPersons = actor !== null && isPersonId(actor);
    if (!effects.believes(evaluation, actor) || !(isPersons || effects.mayInstall(evaluation, releases)))
      throw new WorkbenchError('refused', 'The person has not approved these libraries.');
    const there = this.#there;
    const libraries = await this.#librariesIn(home);
    const dists = await libraries.dists();
    const wanted = releases.map((each) => {
      const dist = dists.find(({ info }) => info.name === each.dist);
      const release = dist?.releases.get(each.project);
      if (release?.md5 !== each.md5.toLowerCase() || release.prefix !== each.prefix)
        throw new WorkbenchError(
          'refused',
          `The index of the dist ${each.dist} has changed since ${each.project} was looked up. Try again.`,
        );
      return { dist: dist!.info, release };
    });
    await this.#options.libraries!.jobs.run({ kind: 'install', subject, signal }, async (report) => {
      await libraries.installReleases(wanted, report);
      if (there !== null) await carryReleases(libraries.home, wanted, there, report);
    });
  }

  async #change({ evaluation, actor, home, change, to }: ChangeWanted, signal: AbortSignal): Promise<void> {
    const { effects, libraries } = this.#options;
    const isPersons = actor !== null && isPersonId(actor);
    if (!effects.believes(evaluation, actor) || !(isPersons || effects.mayChangeDist(evaluation, change, to)))
      throw new WorkbenchError('refused', 'The person has not approved this change of the dists.');
    const here = await this.#librariesIn(home);
    await libraries!.jobs.run({ kind: 'update', subject: to, signal }, async (report) => {
      if (change === 'subscribe') return here.addDist(to);
      const [dist = '', version = ''] = to.split(' ');
      return here.update(dist, version, report);
    });
  }

  /** Returns the libraries in the folder of the image's client. @throws WorkbenchError `refused` for any other folder that code names. */
  async #librariesIn(home: string): Promise<ClientLibraries> {
    const { tool, libraries } = this.#options;
    if (!libraries) throw new WorkbenchError('refused', 'Libraries are not installed for this image.');
    const { client } = libraries;
    if (this.#there !== null) return client;
    const named = await realOrSame(home);
    if (named === (await realOrSame(client.home.folder))) return client;
    const own = tool();
    const ofTool = own === null || own.kind === 'ocicl' ? null : path.dirname(own.path);
    if (ofTool !== null && named === (await realOrSame(ofTool))) return client.inFolder(ofTool);
    throw new WorkbenchError('refused', `${home} is not the folder of the library tool that this image uses.`);
  }
}

/** Returns texts about an update, for the card: only what concerns installed releases is listed. */
function notesOf({ before, after, added, changed, removed, used, size }: DistUpdate): string[] {
  const own = changed.filter(({ project }) => used.includes(project));
  const gone = removed.filter(({ project }) => used.includes(project));
  return [
    `version: ${before} -> ${after}`,
    `projects: ${added.length} new, ${changed.length} changed, ${removed.length} removed`,
    `download: ${size.toLocaleString('en')} bytes`,
    ...own.map((pair) => `${pair.project}: ${pair.before} -> ${pair.after}`),
    ...gone.map(
      ({ project, neededBy }) =>
        `${project}: removed, because the new version does not have it${neededBy.length > 0 ? `; needed by ${neededBy.join(', ')}` : ''}`,
    ),
  ];
}

/** Carries installed releases to a target, with the client's records of them. */
async function carryReleases(
  home: ClientHome,
  releases: readonly WantedRelease[],
  there: LibrariesThere,
  { signal, progress }: WorkReport,
): Promise<void> {
  progress('Carrying them to the target', releases.length, releases.length, '');
  const names = releases.flatMap(({ dist, release }) => {
    const folder = `dists/${dist.name}`;
    const systems = release.systemFiles.map((file) => path.posix.basename(file, '.asd'));
    return [
      ...['enabled.txt', 'preference.txt', 'distinfo.txt'].map((name) => `${folder}/${name}`),
      `${folder}/software/${release.prefix}`,
      ...systems.map((system) => `${folder}/installed/systems/${system}.txt`),
      `${folder}/installed/releases/${release.project}.txt`,
    ];
  });
  const present = [...new Set(names)].filter((name) => existsSync(path.join(home.folder, name)));
  await there.carry(home.folder, present, signal);
}

function realOrSame(folder: string): Promise<string> {
  return realpath(folder).catch(() => path.resolve(folder));
}
