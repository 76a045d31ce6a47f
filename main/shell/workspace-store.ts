/** The window's text and layout on disk, so that neither a crash of the page nor of the program loses a character. */
import path from 'node:path';
import { emptyWorkspace, workspace, type Workspace } from '#contract/settings.ts';
import { Emitter } from '#core/emitter.ts';
import type { OpenBuffer } from '#core/project/buffers.ts';
import { Document, type Kept } from '#core/settings/document.ts';

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
      title: 'What you type and have not saved',
      salvage: 'fields',
      late: false, // the page has begun with an empty one by then
    });
  }

  /** How the file stands in which it is kept. */
  get kept(): Kept {
    return this.#document;
  }

  get value(): Workspace {
    return this.#document.value;
  }

  /** What is open in the editor, as the page gave it last. */
  get buffers(): OpenBuffer[] {
    const { buffers, activeBuffer } = this.value;
    return buffers.map(({ id, title, path: file, text }) => ({ title, path: file, text, active: id === activeBuffer }));
  }

  keep(kept: Workspace): Promise<void> {
    const writing = this.#document.keep(kept);
    for (const heard of this.#waiting.splice(0)) heard();
    this.events.emit('kept', undefined);
    return writing;
  }

  /** Resolves when the page has next given its state; a page that does not answer within `ms` is not waited for. */
  nextKept(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      setTimeout(resolve, ms);
    });
  }

  settled(): Promise<void> {
    return this.#document.settled();
  }
}
