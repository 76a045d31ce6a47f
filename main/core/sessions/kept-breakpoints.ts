/**
 * The person's breakpoints on disk, by folder. The readable parts of a damaged file are used, and an unreadable file does not prevent the
 * start.
 */
import path from 'node:path';
import type { z } from 'zod';
import { keptBreakpoints, type BreakpointLine } from '#contract/image/debugger.ts';
import { Document, type StoredFile } from '#core/settings/document.ts';

/** The names of functions and condition types as the person entered them, and the conditions and lines of functions that have some. */
export interface WantedBreakpoints {
  readonly functions: readonly string[];
  readonly conditions: readonly string[];
  readonly when: Readonly<Record<string, string>>;
  readonly lines: Readonly<Record<string, readonly BreakpointLine[]>>;
}

type Folders = z.infer<typeof keptBreakpoints>['folders'];

export class KeptBreakpoints {
  readonly #document: Document<typeof keptBreakpoints>;

  /** `config` is the folder of `breakpoints.json`. With null, the breakpoints are only in memory. */
  constructor(config: string | null) {
    this.#document = new Document({
      file: config === null ? null : path.join(config, 'breakpoints.json'),
      schema: keptBreakpoints,
      initial: { version: 1, folders: [] },
      title: 'Your breakpoints',
      salvage: 'fields',
    });
  }

  /** The state of the file that stores the breakpoints. */
  get kept(): StoredFile {
    return this.#document;
  }

  of(folder: string | null): WantedBreakpoints {
    const {
      functions = [],
      conditions = [],
      when = {},
      lines = {},
    } = this.#folders.find((each) => each.folder === folder) ?? {};
    return { functions, conditions, when, lines };
  }

  /** Stores the breakpoints of a folder. `kept` reports a failed write; the breakpoints are still valid for this run. */
  keep(folder: string | null, { functions, conditions, when, lines }: WantedBreakpoints): void {
    const others = this.#folders.filter((each) => each.folder !== folder);
    const some = {
      ...(Object.keys(when).length > 0 ? { when: { ...when } } : {}),
      ...(Object.keys(lines).length > 0
        ? { lines: Object.fromEntries(Object.entries(lines).map(([name, each]) => [name, [...each]])) }
        : {}),
    };
    const own = { folder, functions: [...functions], conditions: [...conditions], ...some };
    const folders = functions.length + conditions.length === 0 ? others : [...others, own];
    this.#document.keep({ version: 1, folders }).catch(() => {}); // reported by `failure`
  }

  settled(): Promise<void> {
    return this.#document.settled();
  }

  get #folders(): Folders {
    return this.#document.value.folders;
  }
}
