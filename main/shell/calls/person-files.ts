/**
 * The person's own files in the editor. Any text file may be read, but only files that the person chose or that belong to the project may
 * be written.
 */
import path from 'node:path';
import { dialog, type BrowserWindow } from 'electron';
import { z } from 'zod';
import type { FileText, TextDifference, TextEncoding } from '#contract/text/text-file.ts';
import { systemCode, WorkbenchError } from '#core/base/error.ts';
import { withFileLock } from '#core/project/files/file-lock.ts';
import { digestOf, readBytes, writeBytes } from '#core/project/files/files.ts';
import { hunksOf } from '#core/project/edits/hunks.ts';
import {
  decodeRewritten,
  decodeText,
  encodeText,
  lackedCharacter,
  withLineEndsOf,
} from '#core/project/files/person-text.ts';
import { Document, type StoredFile } from '#core/settings/document.ts';
import type { Workbench } from '#core/workbench.ts';

const KEPT = 500;
/** The maximum size, in bytes, of a file that the editor opens. A larger file would not be usable as one text. */
const LARGEST = 64 * 1024 * 1024;

interface SaveRequest {
  readonly path: string;
  readonly text: string;
  /** The digest of the file on which the text was based; null for a new file. */
  readonly digest: string | null;
  readonly encoding: TextEncoding;
  /** True if the file has several kinds of line ends. Saving then preserves the line end of each line. */
  readonly mixedLineEnds: boolean;
  readonly overwrite: boolean;
}

interface ReadRequest {
  readonly path: string;
  readonly encoding?: TextEncoding | undefined;
  /** Digest of the file when it was last read in that encoding. */
  readonly digest?: string | null | undefined;
}

type Saved =
  | { saved: true; digest: string }
  | { saved: false; reason: 'changed-on-disk' | 'deleted' | 'exists' }
  | { saved: false; reason: 'unwritable'; character: string };

export class PersonFiles {
  readonly #window: BrowserWindow;
  readonly #workbench: Workbench;
  /** Files that the person chose in a dialog. They are stored so that a faulty page cannot write other files. */
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

  /** The state of the stored list of chosen files. */
  get kept(): StoredFile {
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
    await this.remember(filePaths[0]);
    return this.read({ path: filePaths[0] });
  }

  /** Lets the person choose a file, and returns its name. The file is not opened in the editor. */
  async chooseNamed(title: string): Promise<string | null> {
    const { canceled, filePaths } = await dialog.showOpenDialog(this.#window, { title, properties: ['openFile'] });
    return canceled ? null : (filePaths[0] ?? null);
  }

  async choosePlace(name: string): Promise<string | null> {
    const { canceled, filePath } = await dialog.showSaveDialog(this.#window, {
      title: 'Save file',
      defaultPath: path.join(this.#folder(), path.basename(name)),
    });
    if (canceled || !filePath) return null;
    await this.remember(filePath);
    return filePath;
  }

  /** Lets the person choose where to save a file that the editor does not contain. The dialog starts at `from`. */
  async chooseTarget(title: string, from: string): Promise<string | null> {
    const { canceled, filePath } = await dialog.showSaveDialog(this.#window, { title, defaultPath: from });
    return canceled || !filePath ? null : filePath;
  }

  /** Lets the person choose a folder. The dialog starts at `from`. */
  async chooseFolder(from: string = this.#folder()): Promise<string | null> {
    const { canceled, filePaths } = await dialog.showOpenDialog(this.#window, {
      title: 'Open folder',
      defaultPath: from,
      properties: ['openDirectory', 'createDirectory'],
    });
    return canceled ? null : (filePaths[0] ?? null);
  }

  /**
   * Reads a file in the requested encoding. If no encoding is requested, or if the file has changed, uses the encoding that the file's
   * bytes indicate.
   */
  async read({ path: file, encoding, digest: known }: ReadRequest): Promise<FileText> {
    this.#workbench.refuseFileOfTarget(file);
    const absolute = path.resolve(file);
    const bytes = await readBytes(absolute, LARGEST);
    const digest = digestOf(bytes);
    const isRewritten = encoding !== undefined && known != null && known !== digest;
    const decoded = isRewritten ? decodeRewritten(bytes, encoding) : decodeText(bytes, encoding ?? null);
    return { path: absolute, ...decoded, digest };
  }

  /** Compares a file with its text in the editor. Differences in line ends are ignored, because saving preserves line ends. */
  async difference({
    path: file,
    text,
    encoding,
  }: Pick<SaveRequest, 'path' | 'text' | 'encoding'>): Promise<TextDifference> {
    const onDisk = decodeText(await readBytes(path.resolve(file), LARGEST), encoding).text;
    const hunks = hunksOf(withPlainLineEnds(onDisk), withPlainLineEnds(text), false);
    return hunks === null
      ? { hunks: [], why: 'The two texts are too long or too different to compare line by line.' }
      : { hunks: hunks.shown, why: null };
  }

  /**
   * Writes a text in an encoding. If the existing file has several kinds of line ends, each line keeps its own. `digest` identifies the
   * file on which the text was based. If the file has changed since and does not already contain the text, it is overwritten only with
   * `overwrite`.
   */
  async save({ path: file, text, digest, encoding, mixedLineEnds, overwrite }: SaveRequest): Promise<Saved> {
    const absolute = path.resolve(file);
    await this.#checkWritable(absolute);
    const character = lackedCharacter(text, encoding);
    if (character !== null) return { saved: false, reason: 'unwritable', character };
    return withFileLock([absolute], async () => {
      const present = await bytesIfAny(absolute);
      if (!overwrite && present && digest === null && !this.#chosen.value.includes(absolute))
        return { saved: false, reason: 'exists' };
      if (!overwrite && digest !== null && present === null) return { saved: false, reason: 'deleted' };
      const isChanged = !overwrite && digest !== null && present !== null && digestOf(present) !== digest;
      if (isChanged && !holds(present, text, encoding)) return { saved: false, reason: 'changed-on-disk' };
      const before = present === null || !mixedLineEnds ? null : decodeText(present, encoding).text;
      const written = await writeBytes(
        absolute,
        encodeText(before === null ? text : withLineEndsOf(before, text), encoding),
      );
      return { saved: true, digest: written.digest };
    });
  }

  async #checkWritable(file: string): Promise<void> {
    if (this.#chosen.value.includes(file)) return;
    const { project } = this.#workbench;
    if (project.root !== null && (await project.locate(file).catch(() => null)) !== null) return;
    throw new WorkbenchError(
      'refused',
      `${file} is outside the project and was opened only for reading. Use Save As to choose where to save it.`,
    );
  }

  /** Records that the person chose a file, so that the file can be saved in any folder. */
  async remember(file: string): Promise<void> {
    const others = this.#chosen.value.filter((other) => other !== file);
    await this.#chosen.keep([file, ...others].slice(0, KEPT));
  }

  /** Returns the folder in which new projects are created: the parent of the open project, or the person's home folder. */
  placeOfProjects(): string {
    const { root } = this.#workbench.project;
    return root === null ? this.#folder() : path.dirname(root);
  }

  #folder(): string {
    return this.#workbench.project.root ?? process.env['HOME'] ?? process.cwd();
  }
}

async function bytesIfAny(file: string): Promise<Buffer | null> {
  try {
    return await readBytes(file, LARGEST);
  } catch (error) {
    if (error instanceof WorkbenchError && systemCode(error.cause) === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Returns true if a file already contains the text in that encoding, which means that writing would lose nothing. Differences in line ends
 * are ignored.
 */
function holds(bytes: Buffer, text: string, encoding: TextEncoding): boolean {
  const held = decodeRewritten(bytes, encoding);
  return held.encoding === encoding && !held.lossy && withPlainLineEnds(held.text) === withPlainLineEnds(text);
}

function withPlainLineEnds(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}
