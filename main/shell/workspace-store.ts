/** The window's text and layout on disk, so that neither a crash of the page nor of the program loses a character. */
import path from 'node:path';
import { emptyWorkspace, workspace, type Workspace } from '#contract/settings.ts';
import { Document } from '#core/settings/document.ts';

export class WorkspaceStore {
  readonly #document: Document<typeof workspace>;

  constructor(config: string) {
    this.#document = new Document({
      file: path.join(config, 'workspace.json'),
      schema: workspace,
      initial: emptyWorkspace,
    });
  }

  get value(): Workspace {
    return this.#document.value;
  }

  keep(kept: Workspace): Promise<void> {
    return this.#document.write(kept);
  }

  settled(): Promise<void> {
    return this.#document.settled();
  }
}
