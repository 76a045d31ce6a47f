/** The person's own files in the editor: any text may be read; only what they chose, or what the project holds, is written. */
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
/** Bytes of a file that the editor opens; what is larger serves nobody as one text. */
const LARGEST = 64 * 1024 * 1024;

interface SaveRequest {
  readonly path: string;
  readonly text: string;
  /** Digest of the file that the text was based on; null for a new one. */
  readonly digest: string | null;
  readonly encoding: TextEncoding;
  /** The file has several kinds of line ends, which it keeps. */
  readonly mixedLineEnds: boolean;
  readonly overwrite: boolean;
}

interface ReadRequest {
  readonly path: string;
  readonly encoding?: TextEncoding | undefined;
  /** Digest of the file when it was read in that encoding. */
  readonly digest?: string | null | undefined;
}

type Saved =
  | { saved: true; digest: string }
  | { saved: false; reason: 'changed-on-disk' | 'deleted' | 'exists' }
  | { saved: false; reason: 'unwritable'; character: string };

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

  /** Has the person choose a file that is named only: it is not opened, and its text is none of the window's. */
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

  /** Has the person choose where a file goes that is none of the window's texts, from `from` on. */
  async chooseTarget(title: string, from: string): Promise<string | null> {
    const { canceled, filePath } = await dialog.showSaveDialog(this.#window, { title, defaultPath: from });
    return canceled || !filePath ? null : filePath;
  }

  /** Has the person choose a folder, from `from` on. */
  async chooseFolder(from: string = this.#folder()): Promise<string | null> {
    const { canceled, filePaths } = await dialog.showOpenDialog(this.#window, {
      title: 'Open folder',
      defaultPath: from,
      properties: ['openDirectory', 'createDirectory'],
    });
    return canceled ? null : (filePaths[0] ?? null);
  }

  /** Reads a file in the encoding that is asked for, else, and where the file is another than it was, in the one that its bytes tell. */
  async read({ path: file, encoding, digest: known }: ReadRequest): Promise<FileText> {
    this.#workbench.refuseFileOfTarget(file);
    const absolute = path.resolve(file);
    const bytes = await readBytes(absolute, LARGEST);
    const digest = digestOf(bytes);
    const isRewritten = encoding !== undefined && known != null && known !== digest;
    const decoded = isRewritten ? decodeRewritten(bytes, encoding) : decodeText(bytes, encoding ?? null);
    return { path: absolute, ...decoded, digest };
  }

  /** Compares a file with the editor's text of it; how their lines end makes no difference, since saving keeps that. */
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
   * Writes a text in an encoding. Where the file that is there has several kinds of line ends, each line keeps its own. `digest`: the file
   * that the text was based on; one that has another text since is not overwritten unasked.
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

  /** Notes that the person chose a file: it can be saved, wherever it lies. */
  async remember(file: string): Promise<void> {
    const others = this.#chosen.value.filter((other) => other !== file);
    await this.#chosen.keep([file, ...others].slice(0, KEPT));
  }

  /** The folder in which new projects are made: the one around the open project, or the person's own. */
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

/** True where a file has the text already, in that encoding: writing it takes nothing away. How lines end makes no difference. */
function holds(bytes: Buffer, text: string, encoding: TextEncoding): boolean {
  const held = decodeRewritten(bytes, encoding);
  return held.encoding === encoding && !held.lossy && withPlainLineEnds(held.text) === withPlainLineEnds(text);
}

function withPlainLineEnds(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}
