/**
 * Maintains the list of the running image's definitions that differ from their files (P2). Compares only project files and open texts, one
 * at a time, after a change of the text or its definitions; the image reads them as text. The comparison runs from creation until
 * `dispose`, so it is created only when the list is shown.
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
  /** Returns the project's folder. */
  readonly root: () => string | null;
  /** Returns the texts that the person has open in an editor. */
  readonly buffers: () => readonly OpenBuffer[];
}

/** The state of a file at its latest comparison. */
interface Compared {
  /** The editor's text, and the identity of the bytes on disk. */
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
  /** Files from which the running image has or had definitions. */
  readonly #known = new Set<string>();
  #value: DefinitionDeviations = { deviations: [], more: 0, unread: 0 };
  /** Increases when the answers to running requests become outdated. */
  #epoch = 0;
  /** True if a file was compared, or definitions were listed, since the last event. */
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
      // If a loaded definition is redefined immediately, the list never shows its file, so the files are also taken from the events.
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

  /** Schedules a comparison of all files because texts or files may have changed. A running comparison stops. */
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

  /** Compares the files, one run at a time, so that a slow image does not get the same request twice. */
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

  /** Returns the files to compare, each with its unsaved text or null: first open texts, then project files with definitions. */
  #texts(): Map<string, string | null> {
    const { root, buffers } = this.#sources;
    const texts = new Map<string, string | null>();
    for (const { path: file, text } of buffers()) if (file !== null && LISP_FILE.test(file)) texts.set(file, text);
    const folder = root();
    for (const file of this.#known) if (isInside(file, folder) && !texts.has(file)) texts.set(file, null);
    return texts;
  }

  /** Compares one file. Returns false if the image no longer exists. */
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

  /** Watches folders instead of files, so that the replacement of a file by another of the same name is noticed. */
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
        // The folder no longer exists, or the system has no free watches. The next change of the image will check the files.
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

/** Returns true if the file is below the folder. */
export function isInside(file: string, folder: string | null): boolean {
  return folder !== null && file.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}

/**
 * Returns the identity of a file's bytes, based on its metadata. A missing file counts as readable; a pipe does not, because reading it
 * would never end.
 */
async function diskState(file: string): Promise<{ name: string; readable: boolean }> {
  const found = await stat(file, { bigint: true }).catch(() => null);
  if (!found) return { name: '', readable: true };
  return { name: `${found.ino}:${found.size}:${found.mtimeNs}`, readable: found.isFile() && found.size <= LARGEST };
}
