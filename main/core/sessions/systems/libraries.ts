/** The library tool that the person chose for the images: Quicklisp, qlot or ocicl. Without a choice, each new image finds its tool. */
import { PERSON } from '#contract/clients/known-actors.ts';
import type { LibraryTool } from '#contract/image/library-tool.ts';
import { WorkbenchError } from '#core/base/error.ts';
import { clientOfNextImage } from '#core/libraries/find-client.ts';
import type { Session } from '../session.ts';
import { resultOf } from './runs.ts';

interface LibrariesOptions {
  readonly session: Session;
  readonly trusted: () => boolean;
  /** Returns the project's folder; null without a project. */
  readonly root: () => string | null;
  /** Returns the folder in which new images start. */
  readonly directory: () => string;
  readonly environment: NodeJS.ProcessEnv;
  /** Returns true if new images start in a sandbox, which does not contain the home folder. */
  readonly sandboxed: () => boolean;
}

export class Libraries {
  readonly #options: LibrariesOptions;
  #chosen: { readonly tool: LibraryTool; readonly root: string | null } | null = null;

  constructor(options: LibrariesOptions) {
    this.#options = options;
  }

  /** The chosen tool; null if there is none. A tool of another project does not count. */
  get chosen(): LibraryTool | null {
    if (this.#chosen === null) return null;
    const { tool, root } = this.#chosen;
    return tool.kind === 'quicklisp' || root === this.#options.root() ? tool : null;
  }

  /** The setup file of the Quicklisp client that the next image of this machine will use; null if it will use none, or if that is unknown. */
  get client(): string | null {
    const { trusted, directory, environment, sandboxed } = this.#options;
    if (sandboxed()) return null;
    return clientOfNextImage({ environment, directory: directory(), trusted: trusted(), chosen: this.chosen });
  }

  /**
   * Makes the image, and each new one, use a tool. The image itself must have found the tool, so a page cannot name any other file.
   * @throws WorkbenchError `not-found` for any other file, `refused` if the project is not trusted or the setup failed.
   */
  async use({ kind, path }: LibraryTool, evaluation: string): Promise<void> {
    const { session, trusted, root } = this.#options;
    const { libraries } = await session.lookUp('systems', {});
    if (!libraries.some((each) => each.kind === kind && each.path === path))
      throw new WorkbenchError('not-found', `${path} no longer exists.`);
    if (kind !== 'quicklisp' && !trusted())
      throw new WorkbenchError('refused', `${path} is in a folder that is not trusted. Trust the folder to use it.`);
    // If the image already uses another Quicklisp client, the choice takes effect at its next start.
    this.#chosen = { tool: { kind, path }, root: root() };
    const who = { evaluation, actor: PERSON, context: PERSON.id };
    resultOf((await session.run('activate-libraries', who, { kind, path }, `use ${kind}`)).reply);
    session.noteLibraryTool({ kind, path });
  }
}
