/**
 * The folders that the person trusts. The person must confirm each folder once. Until then, no code in it is loaded and no client may
 * connect (K7).
 */
import path from 'node:path';
import { z } from 'zod';
import { Document, type StoredFile } from '#core/settings/document.ts';
import type { Project } from './project.ts';

const stored = z.object({ version: z.literal(1), folders: z.array(z.string()) });

export class Trust {
  readonly #document: Document<typeof stored> | null;

  /** `folder` contains `trust.json`. With null, every folder is trusted; this is for runs that were started with a folder. */
  constructor(folder: string | null) {
    this.#document =
      folder === null
        ? null
        : new Document({
            file: path.join(folder, 'trust.json'),
            schema: stored,
            initial: { version: 1, folders: [] },
            title: 'The list of trusted folders',
          });
  }

  /** The state of the file that stores the trusted folders. If it is unusable, no folder is trusted. */
  get kept(): StoredFile | null {
    return this.#document;
  }

  /** Returns true if the project is trusted; always true without a folder. */
  has({ root }: Project): boolean {
    return root === null || this.#document === null || this.#document.value.folders.includes(root);
  }

  async add({ root }: Project): Promise<void> {
    if (root === null || !this.#document || this.#document.value.folders.includes(root)) return;
    await this.#document.keep({ version: 1, folders: [...this.#document.value.folders, root] });
  }

  settled(): Promise<void> {
    return this.#document?.settled() ?? Promise.resolve();
  }
}
