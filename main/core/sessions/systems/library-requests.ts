/**
 * Installs the releases that an image's Quicklisp client lacks, and answers the image. Only releases of the dists to which the client is
 * subscribed are installed, from archives that the dist's index describes. An agent's code needs the person's approval of exactly these
 * releases first.
 */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { isPersonId } from '#contract/clients/known-actors.ts';
import type { LibraryTool } from '#contract/image/library-tool.ts';
import { messageForPerson } from '#core/base/system-faults.ts';
import { WorkbenchError } from '#core/base/error.ts';
import { ClientHome } from '#core/libraries/client-home.ts';
import { installReleases } from '#core/libraries/install.ts';
import { fetchIndex } from '#core/libraries/dist-source.ts';
import type { LispImage } from '#core/lisp/image.ts';
import type { ImageEvent } from '#core/lisp/messages.ts';
import type { Effects } from '../effects.ts';

type Wanted = Extract<ImageEvent, { event: 'libraries-wanted' }>;

interface LibraryRequestsOptions {
  readonly effects: Effects;
  readonly image: () => LispImage | null;
  /** Returns the library tool of the image. */
  readonly tool: () => LibraryTool | null;
  readonly environment: NodeJS.ProcessEnv;
}

export class LibraryRequests {
  readonly #options: LibraryRequestsOptions;
  readonly #running = new Map<string, AbortController>();

  constructor(options: LibraryRequestsOptions) {
    this.#options = options;
  }

  /** Installs the releases and answers the image. Never rejects. */
  async wanted(event: Wanted): Promise<void> {
    const image = this.#options.image();
    const cancel = new AbortController();
    this.#running.set(event.request, cancel);
    const problem = await this.#install(event, cancel.signal).then(() => null, messageForPerson);
    this.#running.delete(event.request);
    await image?.request('settle-libraries', { request: event.request, problem }).catch(() => {});
  }

  /** Cancels the installation for a request whose code no longer waits. */
  abandoned(request: string): void {
    this.#running.get(request)?.abort();
  }

  /** Cancels all installations, because the image has ended. */
  end(): void {
    for (const cancel of this.#running.values()) cancel.abort();
  }

  async #install({ evaluation, actor, home, releases }: Wanted, signal: AbortSignal): Promise<void> {
    const { effects, environment } = this.#options;
    const isPersons = actor !== null && isPersonId(actor);
    if (!effects.believes(evaluation, actor) || !(isPersons || effects.mayInstall(evaluation, releases)))
      throw new WorkbenchError('refused', 'The person has not approved these libraries.');
    const client = new ClientHome(await this.#verifiedHome(home));
    const dists = await client.dists((address) => fetchIndex(address, environment));
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
    await installReleases(client, wanted, { signal, environment, progress: () => {} });
  }

  /** Returns the folder of the image's client. @throws WorkbenchError `refused` for any other folder that code names. */
  async #verifiedHome(home: string): Promise<string> {
    const tool = this.#options.tool();
    const known = tool === null || tool.kind === 'ocicl' ? null : await realpath(path.dirname(tool.path));
    if (known !== null && known === (await realpath(home))) return known;
    throw new WorkbenchError('refused', `${home} is not the folder of the library tool that this image uses.`);
  }
}
