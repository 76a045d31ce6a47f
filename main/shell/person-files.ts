/** The person's own files in the editor: any text may be read; only what they chose, or what the project holds, is written. */
import path from 'node:path';
import { dialog, type BrowserWindow } from 'electron';
import { z } from 'zod';
import type { FileText } from '#contract/rpc.ts';
import { WorkbenchError } from '#core/error.ts';
import { readText, readTextIfAny, writeText } from '#core/project/files.ts';
import { Document, type Kept } from '#core/settings/document.ts';
import type { Workbench } from '#core/workbench.ts';

const KEPT = 500;

export class PersonFiles {
  readonly #window: BrowserWindow;
  readonly #workbench: Workbench;
  /** Files that the person chose in a dialog, so that a page that went astray cannot write elsewhere. */
  readonly #chosen: Document<z.ZodArray<z.ZodString>>;

  constructor(window: BrowserWindow, workbench: Workbench, config: string) {
    this.#window = window;
    this.#workbench = workbench;
    this.#chosen = new Document({
      file: path.join(config, 'chosen-files.json'),
      schema: z.array(z.string()),
      initial: [],
      title: 'The list of files that you chose',
    });
  }

  /** How the file stands in which they are kept. */
  get kept(): Kept {
    return this.#chosen;
  }

  async choose(): Promise<FileText | null> {
    const { canceled, filePaths } = await dialog.showOpenDialog(this.#window, {
      title: 'Open file',
      defaultPath: this.#folder(),
      properties: ['openFile'],
      filters: [
        { name: 'Lisp', extensions: ['lisp', 'lsp', 'cl', 'asd'] },
        { name: 'All files', extensions: ['*'] },
      ],
    });
    if (canceled || !filePaths[0]) return null;
    await this.#remember(filePaths[0]);
    return this.read(filePaths[0]);
  }

  async choosePlace(name: string): Promise<string | null> {
    const { canceled, filePath } = await dialog.showSaveDialog(this.#window, {
      title: 'Save file',
      defaultPath: path.join(this.#folder(), path.basename(name)),
    });
    if (canceled || !filePath) return null;
    await this.#remember(filePath);
    return filePath;
  }

  async chooseFolder(): Promise<string | null> {
    const { canceled, filePaths } = await dialog.showOpenDialog(this.#window, {
      title: 'Open folder',
      defaultPath: this.#folder(),
      properties: ['openDirectory', 'createDirectory'],
    });
    return canceled ? null : (filePaths[0] ?? null);
  }

  async read(file: string): Promise<FileText> {
    const { text, digest, lossy } = await readText(path.resolve(file));
    return { path: path.resolve(file), text, digest, lossy };
  }

  /** `digest`: the file that the text was based on; a file that has changed since is not overwritten unasked. */
  async save(
    file: string,
    text: string,
    digest: string | null,
    overwrite: boolean,
  ): Promise<{ saved: true; digest: string } | { saved: false; reason: 'changed-on-disk' | 'deleted' | 'exists' }> {
    const absolute = path.resolve(file);
    await this.#checkWritable(absolute);
    const present = await readTextIfAny(absolute);
    if (!overwrite && present && digest === null && !this.#chosen.value.includes(absolute))
      return { saved: false, reason: 'exists' };
    if (!overwrite && digest !== null && present?.digest !== digest)
      return { saved: false, reason: present ? 'changed-on-disk' : 'deleted' };
    const written = await writeText(absolute, text);
    return { saved: true, digest: written.digest };
  }

  async #checkWritable(file: string): Promise<void> {
    if (this.#chosen.value.includes(file)) return;
    const { project } = this.#workbench;
    if (project.root !== null && (await project.locate(file).catch(() => null)) !== null) return;
    throw new WorkbenchError(
      'refused',
      `${file} was opened to look at, outside the project. Use Save As to choose a place for it.`,
    );
  }

  async #remember(file: string): Promise<void> {
    const others = this.#chosen.value.filter((other) => other !== file);
    await this.#chosen.keep([file, ...others].slice(0, KEPT));
  }

  #folder(): string {
    return this.#workbench.project.root ?? process.env['HOME'] ?? process.cwd();
  }
}
