/**
 * Keeps the list of definitions of the living image that are not as their files have them (P2). Only files of the project and open
 * texts are compared, one at a time and only when they or what they define changed; the image reads them as text. What nobody is
 * shown is not looked for: it starts when it is made and ends with `dispose`.
 */
import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type {
  DefinitionDeviations,
  DefinitionRecord,
  DefinitionStateRecord,
  PackageDefinitions,
} from '#contract/image/definition.ts';
import { Emitter } from '#core/base/emitter.ts';
import type { OpenBuffer } from '#core/project/files/buffers.ts';
import type { DefinitionList } from './definition-list.ts';
import { deviationsOf } from './deviation-rules.ts';
import type { Session } from '../session.ts';

export interface DeviationSources {
  readonly session: Session;
  readonly definitions: DefinitionList;
  /** The project's folder. */
  readonly root: () => string | null;
  /** Returns the texts that the person has open in an editor. */
  readonly buffers: () => readonly OpenBuffer[];
}

/** The state of a file when it was compared last. */
interface Compared {
  /** The text of the editor, and which bytes were on disk. */
  readonly text: string | null;
  readonly disk: string;
  readonly states: readonly DefinitionStateRecord[];
  readonly packages: ReadonlySet<string>;
}

const QUIET_MS = 150;
const LARGEST = 1024 * 1024;
const FILES = 200;
const FOLDERS = 100;
const LISP_FILE = /\.(?:lisp|lsp|cl|l|asd)$/i;

export class Deviations {
  readonly events = new Emitter<{ changed: DefinitionDeviations }>();
  readonly #sources: DeviationSources;
  readonly #stops: (() => void)[];
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #compared = new Map<string, Compared>();
  /** Files from which the living image had definitions. */
  readonly #known = new Set<string>();
  #value: DefinitionDeviations = { deviations: [], more: 0, unread: 0 };
  /** Counts what makes an answer that is under way one about the past. */
  #epoch = 0;
  /** True when something was compared or listed since the last event. */
  #stale = false;
  #timer: NodeJS.Timeout | null = null;
  #looking = false;
  #superseded = false;
  #disposed = false;

  constructor(sources: DeviationSources) {
    this.#sources = sources;
    const { session, definitions } = sources;
    this.#stops = [
      definitions.watch(({ packages, removedPackages }) => {
        this.#noteFiles(packages);
        this.#changed(new Set([...packages.map((each) => each.package), ...removedPackages]));
      }),
      // What was loaded and is redefined at once never shows its file in the list.
      session.events.on('definition-events', ({ events }) => {
        for (const file of events.flatMap(fileOf)) this.#known.add(file);
      }),
      session.events.on('lifecycle', ({ change }) => {
        if (change === 'started') this.#known.clear();
        if (change === 'started' || change === 'rewound') {
          this.#compared.clear();
          this.#epoch += 1;
          this.#stale = true;
        }
        this.lookAgain();
      }),
    ];
    this.#noteFiles(definitions.all());
    this.lookAgain();
  }

  get value(): DefinitionDeviations {
    return this.#value;
  }

  /** A text or a file that is compared may be another. Soon all are looked at; what is under way gives way. */
  lookAgain(): void {
    if (this.#disposed) return;
    this.#superseded = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.#look();
    }, QUIET_MS);
  }

  dispose(): void {
    this.#disposed = true;
    this.#superseded = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (const stop of this.#stops) stop();
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #noteFiles(packages: readonly PackageDefinitions[]): void {
    for (const { definitions } of packages) for (const file of definitions.flatMap(fileOf)) this.#known.add(file);
  }

  #changed(packages: ReadonlySet<string>): void {
    this.#epoch += 1;
    this.#stale = true;
    for (const [file, { packages: mine }] of this.#compared)
      if ([...mine].some((name) => packages.has(name))) this.#compared.delete(file);
    for (const { package: name, definitions } of this.#sources.definitions.all())
      if (packages.has(name)) for (const { source } of definitions) if (source) this.#compared.delete(source.file);
    this.lookAgain();
  }

  /** Compares the files, one run at a time: an image that is slow to answer is not asked the same again. */
  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    this.#superseded = false;
    try {
      if (this.#sources.session.view().pid !== null) await this.#compareAll();
    } finally {
      this.#looking = false;
      if (this.#superseded && this.#timer === null) this.lookAgain();
    }
  }

  async #compareAll(): Promise<void> {
    const texts = this.#texts();
    const wanted = [...texts].slice(0, FILES);
    let unread = texts.size - wanted.length;
    for (const [file, text] of wanted) {
      const disk = await diskState(file);
      const known = this.#compared.get(file);
      if (known && known.text === text && known.disk === disk.name) continue;
      if (this.#compared.delete(file)) this.#stale = true;
      if (!disk.readable || (text?.length ?? 0) > LARGEST) unread += 1;
      else if (!(await this.#compare(file, text, disk.name))) return;
      if (this.#superseded) return;
    }
    const files = new Set(texts.keys());
    for (const file of this.#compared.keys()) if (!files.has(file) && this.#compared.delete(file)) this.#stale = true;
    this.#watch(files);
    if (!this.#stale && unread === this.#value.unread) return;
    this.#stale = false;
    const states = [...this.#compared.values()].flatMap((each) => each.states);
    this.#tell({ ...deviationsOf(this.#sources.definitions.all(), states), unread });
  }

  /** Open texts first, then the files of the project from which definitions came; with the text that is not saved. */
  #texts(): Map<string, string | null> {
    const { root, buffers } = this.#sources;
    const texts = new Map<string, string | null>();
    for (const { path: file, text } of buffers()) if (file !== null && LISP_FILE.test(file)) texts.set(file, text);
    const folder = root();
    for (const file of this.#known) if (isInside(file, folder) && !texts.has(file)) texts.set(file, null);
    return texts;
  }

  /** False when the image is gone. */
  async #compare(file: string, text: string | null, disk: string): Promise<boolean> {
    const { session } = this.#sources;
    const epoch = this.#epoch;
    const reply = await session
      .lookUp('definition-states', { files: [{ file, text }], package: null })
      .catch(() => null);
    const states = reply?.definitions ?? [];
    const packages = new Set(states.flatMap((each) => each.package ?? []));
    if (epoch === this.#epoch) this.#compared.set(file, { text, disk, states, packages });
    this.#stale = true;
    return session.view().pid !== null;
  }

  /** Folders, not files: a file that is replaced by another of its name is still seen. */
  #watch(files: ReadonlySet<string>): void {
    const folders = new Set([...files].map((file) => path.dirname(file)).slice(0, FOLDERS));
    for (const [folder, watcher] of this.#watchers) {
      if (folders.has(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    for (const folder of folders) {
      if (this.#disposed || this.#watchers.has(folder)) continue;
      try {
        const watcher = watch(folder, { persistent: false }, (_type, name) => {
          const file = name === null ? null : path.join(folder, name);
          if (file === null || this.#compared.has(file) || this.#known.has(file)) this.lookAgain();
        });
        watcher.on('error', () => this.#watchers.delete(folder));
        this.#watchers.set(folder, watcher);
      } catch {
        // A folder that is gone, or a system without watches to spare: the next change of the image looks at the files.
      }
    }
  }

  #tell(value: DefinitionDeviations): void {
    if (this.#disposed || JSON.stringify(value) === JSON.stringify(this.#value)) return;
    this.#value = value;
    this.events.emit('changed', value);
  }
}

function fileOf({ source }: Pick<DefinitionRecord, 'source'>): string[] {
  return source && path.isAbsolute(source.file) && !source.file.endsWith('.fasl') ? [source.file] : [];
}

/** True for the path of a file below a folder. */
export function isInside(file: string, folder: string | null): boolean {
  return folder !== null && file.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}

/**
 * Tells which bytes a file has, as far as its directory entry says. A file that is gone can be asked about; a pipe would never end.
 */
async function diskState(file: string): Promise<{ name: string; readable: boolean }> {
  const found = await stat(file, { bigint: true }).catch(() => null);
  if (!found) return { name: '', readable: true };
  return { name: `${found.ino}:${found.size}:${found.mtimeNs}`, readable: found.isFile() && found.size <= LARGEST };
}
