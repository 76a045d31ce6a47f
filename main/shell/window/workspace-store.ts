/** The window's text and layout on disk, so that no crash of the page or the program loses typed text. */
import path from 'node:path';
import { emptyWorkspace, workspace, type Workspace } from '#contract/settings.ts';
import { Emitter } from '#core/base/emitter.ts';
import type { OpenBuffer } from '#core/project/files/buffers.ts';
import { Document, type StoredFile } from '#core/settings/document.ts';

export class WorkspaceStore {
  /** `kept`: the page has sent its state. */
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
      late: false, // the page has started with an empty workspace by then
    });
  }

  /** The state of the stored file. */
  get kept(): StoredFile {
    return this.#document;
  }

  get value(): Workspace {
    return this.#document.value;
  }

  /** The buffers that are open in the editor, according to the page's latest state. */
  get buffers(): OpenBuffer[] {
    const { buffers, activeBuffer } = this.value;
    return buffers.map(({ id, title, path: file, text }) => ({ title, path: file, text, active: id === activeBuffer }));
  }

  keep(kept: Workspace): Promise<void> {
    const writing = this.#document.keep(kept);
    this.events.emit('kept', undefined);
    return writing;
  }

  /** Stores the last state of the page before it ends. */
  keepLast(kept: Workspace): Promise<void> {
    const writing = this.keep(kept);
    for (const heard of this.#waiting.splice(0)) heard();
    return writing;
  }

  /**
   * Resolves when the page has sent its last state. A state that was already under way when the page learned of its end may lack the last
   * typed key. Waits for at most `ms` milliseconds.
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
