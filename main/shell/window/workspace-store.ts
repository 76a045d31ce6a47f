/** Stores the window's text and layout on disk, so that no typed text is lost if the page or the program crashes. */
import path from 'node:path';
import { emptyWorkspace, workspace, type Workspace } from '#contract/settings.ts';
import { Emitter } from '#core/base/emitter.ts';
import type { OpenBuffer } from '#core/project/files/buffers.ts';
import { Document, type StoredFile } from '#core/settings/document.ts';

export class WorkspaceStore {
  /** `kept` is emitted when the page has sent its state. */
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
      late: false, // false, because by then the page has already started with an empty workspace
    });
  }

  /** The state of the stored file. */
  get kept(): StoredFile {
    return this.#document;
  }

  get value(): Workspace {
    return this.#document.value;
  }

  /** The texts that are open in the editor, according to the page's latest state. */
  get buffers(): OpenBuffer[] {
    const { buffers, activeBuffer } = this.value;
    return buffers.map(({ id, title, path: file, text }) => ({ title, path: file, text, active: id === activeBuffer }));
  }

  keep(kept: Workspace): Promise<void> {
    const writing = this.#document.keep(kept);
    this.events.emit('kept', undefined);
    return writing;
  }

  /** Stores the last state that the page sends before it ends. */
  keepLast(kept: Workspace): Promise<void> {
    const writing = this.keep(kept);
    for (const heard of this.#waiting.splice(0)) heard();
    return writing;
  }

  /**
   * Resolves when the page has sent its last state. A state that is already being sent when the page is notified of its end does not count,
   * because it may lack the last typed key. Waits for at most `ms` milliseconds.
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
