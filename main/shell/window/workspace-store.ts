/** The window's text and layout on disk, so that neither a crash of the page nor of the program loses a character. */
import path from 'node:path';
import { emptyWorkspace, workspace, type Workspace } from '#contract/settings.ts';
import { Emitter } from '#core/base/emitter.ts';
import type { OpenBuffer } from '#core/project/files/buffers.ts';
import { Document, type StoredFile } from '#core/settings/document.ts';

export class WorkspaceStore {
  /** `kept`: the page gave its state. */
  readonly events = new Emitter<{ kept: void }>();
  readonly #document: Document<typeof workspace>;
  readonly #waiting: (() => void)[] = [];

  constructor(config: string) {
    this.#document = new Document({
      file: path.join(config, 'workspace.json'),
      schema: workspace,
      initial: emptyWorkspace,
      title: 'Your unsaved text',
      salvage: 'fields',
      late: false, // the page has begun with an empty one by then
    });
  }

  /** How the file stands in which it is kept. */
  get kept(): StoredFile {
    return this.#document;
  }

  get value(): Workspace {
    return this.#document.value;
  }

  /** The buffers that are open in the editor, as the page gave them last. */
  get buffers(): OpenBuffer[] {
    const { buffers, activeBuffer } = this.value;
    return buffers.map(({ id, title, path: file, text }) => ({ title, path: file, text, active: id === activeBuffer }));
  }

  keep(kept: Workspace): Promise<void> {
    const writing = this.#document.keep(kept);
    this.events.emit('kept', undefined);
    return writing;
  }

  /** Keeps the state with which the page ends. */
  keepLast(kept: Workspace): Promise<void> {
    const writing = this.keep(kept);
    for (const heard of this.#waiting.splice(0)) heard();
    return writing;
  }

  /**
   * Resolves when the page has given its last state: one that was under way when the page was told of its end may be from before
   * the last key. A page that does not answer within `ms` is not waited for.
   */
  lastKept(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  settled(): Promise<void> {
    return this.#document.settled();
  }
}
