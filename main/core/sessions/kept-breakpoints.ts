/** The person's breakpoints on disk, folder by folder. Of a damaged file what can be read is used; one that cannot be read hinders nothing. */
import path from 'node:path';
import type { z } from 'zod';
import { keptBreakpoints } from '#contract/image/debugger.ts';
import { Document, type StoredFile } from '#core/settings/document.ts';

/** The names of functions and of condition types, as the person wanted them, and the conditions of those functions that have one. */
export interface WantedBreakpoints {
  readonly functions: readonly string[];
  readonly conditions: readonly string[];
  readonly when: Readonly<Record<string, string>>;
}

type Folders = z.infer<typeof keptBreakpoints>['folders'];

export class KeptBreakpoints {
  readonly #document: Document<typeof keptBreakpoints>;

  /** `config`: where `breakpoints.json` is; null keeps them in memory alone. */
  constructor(config: string | null) {
    this.#document = new Document({
      file: config === null ? null : path.join(config, 'breakpoints.json'),
      schema: keptBreakpoints,
      initial: { version: 1, folders: [] },
      title: 'Your breakpoints',
      salvage: 'fields',
    });
  }

  /** How the file stands in which they are kept. */
  get kept(): StoredFile {
    return this.#document;
  }

  of(folder: string | null): WantedBreakpoints {
    const { functions = [], conditions = [], when = {} } = this.#folders.find((each) => each.folder === folder) ?? {};
    return { functions, conditions, when };
  }

  /** Keeps those of a folder. What cannot be written is told by `kept`, and holds for this run all the same. */
  keep(folder: string | null, { functions, conditions, when }: WantedBreakpoints): void {
    const others = this.#folders.filter((each) => each.folder !== folder);
    const some = Object.keys(when).length > 0 ? { when: { ...when } } : {};
    const own = { folder, functions: [...functions], conditions: [...conditions], ...some };
    const folders = functions.length + conditions.length === 0 ? others : [...others, own];
    this.#document.keep({ version: 1, folders }).catch(() => {}); // told by `failure`
  }

  settled(): Promise<void> {
    return this.#document.settled();
  }

  get #folders(): Folders {
    return this.#document.value.folders;
  }
}
