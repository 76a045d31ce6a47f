/**
 * The whole output of the person's evaluations: the page keeps the end of each, the rest is here until the entry leaves the
 * transcript. Little of it stays in memory; the rest goes to private files, which are bounded together and end with the program.
 * Where the disk is slower than the printer, the image is not read meanwhile.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { messageForPerson } from '#core/base/system-faults.ts';
import { messageOf, WorkbenchError } from '#core/base/error.ts';
import type { Session } from '#core/sessions/session.ts';
import { PrintedFile, type PrintedSearch } from './printed-file.ts';

/** An image whose output is kept. */
type Printer = Pick<Session, 'events' | 'holdOutput'>;

interface Printed {
  readonly printer: Printer;
  /** The text while it is short. */
  text: string;
  file: PrintedFile | null;
  ended: boolean;
  /** Why its output is not kept any more; null while it is. */
  problem: string | null;
}

export interface PrintedPart {
  readonly text: string;
  readonly part: number;
  readonly parts: number;
  /** Line breaks before the part. */
  readonly line: number;
  readonly lines: number;
  readonly characters: number;
}

export interface PrintedOutputOptions {
  readonly session: Printer;
  readonly folder: string;
  /** Octets that all files may take together. */
  readonly limit: () => number;
}

/** Code units of an evaluation that stay in memory. */
const IN_MEMORY = 64 * 1024;
/** Code units that wait for the disk: the image is held from so many on, and goes on below the other. */
const HOLD_FROM = 16 * 1024 * 1024;
const GO_ON_BELOW = 4 * 1024 * 1024;

export class PrintedOutput {
  readonly #options: PrintedOutputOptions;
  /** By evaluation, oldest first. */
  readonly #printed = new Map<string, Printed>();
  #files = 0;
  /** The images that are held back, with what lets each go on. */
  readonly #held = new Map<Printer, () => void>();
  readonly #watched = new Map<Printer, () => void>();

  constructor(options: PrintedOutputOptions) {
    this.#options = options;
    rmSync(options.folder, { recursive: true, force: true }); // a program that was killed leaves its files
    this.#watch(options.session);
  }

  /** Keeps what an evaluation prints from now on, in the image of the options or in another one. */
  begin(evaluation: string, printer: Printer = this.#options.session): void {
    this.#watch(printer);
    this.#printed.set(evaluation, { printer, text: '', file: null, ended: false, problem: null });
  }

  /** Notes that an image is gone for good. */
  leave(printer: Printer): void {
    this.#watched.get(printer)?.();
    this.#watched.delete(printer);
    this.#held.delete(printer);
  }

  /** Notes that an evaluation has ended: its output may leave when there is too much. Threads of it may still print. */
  end(evaluation: string): void {
    const printed = this.#printed.get(evaluation);
    if (printed) printed.ended = true;
    this.#bound();
  }

  /** Reads a part of the output; null when nothing of it is kept. */
  async part(evaluation: string, index: number): Promise<PrintedPart | null> {
    const printed = this.#kept(evaluation);
    if (!printed) return null;
    const { file, text } = printed;
    if (!file) return { text, part: 0, parts: 1, line: 0, lines: text.split('\n').length, characters: text.length };
    const read = await file.part(index);
    return { ...read, parts: file.parts, lines: file.lines, characters: file.characters };
  }

  async search(evaluation: string, wanted: PrintedSearch): ReturnType<PrintedFile['search']> {
    const printed = this.#kept(evaluation);
    return (await printed?.file?.search(wanted)) ?? null;
  }

  /** Writes all that is kept of an output to another file. @throws WorkbenchError `not-found` when nothing is kept. */
  async copyTo(evaluation: string, place: string): Promise<void> {
    const first = await this.part(evaluation, 0);
    if (!first) throw new WorkbenchError('not-found', this.problem(evaluation) ?? 'This output is no longer stored.');
    const file = await open(place, 'w');
    try {
      await file.writeFile(first.text);
      for (let index = 1; index < first.parts; index += 1)
        await file.writeFile((await this.part(evaluation, index))?.text ?? '');
    } finally {
      await file.close();
    }
  }

  /** Why the output of an evaluation is not kept although it was to be; null otherwise. */
  problem(evaluation: string): string | null {
    return this.#printed.get(evaluation)?.problem ?? null;
  }

  /** Lets go of what nobody will look at any more. */
  forget(evaluations: readonly string[]): void {
    for (const evaluation of evaluations) {
      const printed = this.#printed.get(evaluation);
      this.#printed.delete(evaluation);
      if (printed?.file) this.#remove(printed.file);
    }
    this.#flow();
  }

  async dispose(): Promise<void> {
    for (const stop of this.#watched.values()) stop();
    const files = [...this.#printed.values()].flatMap(({ file }) => (file ? [file] : []));
    this.#printed.clear();
    this.#flow();
    await Promise.all(files.map((file) => file.remove()));
    rmSync(this.#options.folder, { recursive: true, force: true });
  }

  #watch(printer: Printer): void {
    if (this.#watched.has(printer)) return;
    const stop = printer.events.on('output', ({ evaluation, text }) => {
      const printed = evaluation === null ? undefined : this.#printed.get(evaluation);
      if (printed?.printer === printer) this.#add(printed, text);
    });
    this.#watched.set(printer, stop);
  }

  #kept(evaluation: string): Printed | null {
    const printed = this.#printed.get(evaluation);
    return printed && printed.problem === null ? printed : null;
  }

  #add(printed: Printed, text: string): void {
    if (printed.problem !== null) return;
    if (!printed.file) {
      printed.text += text;
      if (printed.text.length <= IN_MEMORY) return;
      printed.file = this.#open(printed);
      printed.file?.append(printed.text);
      printed.text = '';
    } else printed.file.append(text);
    this.#bound();
    this.#flow();
  }

  #open(printed: Printed): PrintedFile | null {
    try {
      mkdirSync(this.#options.folder, { recursive: true, mode: 0o700 });
    } catch (error) {
      this.#fail(printed, error);
      return null;
    }
    this.#files += 1;
    const file = path.join(this.#options.folder, `${this.#files}.txt`);
    return new PrintedFile(
      file,
      () => this.#flow(),
      (error) => this.#fail(printed, error),
    );
  }

  #fail(printed: Printed, error: unknown): void {
    printed.problem = `The rest could not be stored. ${messageForPerson(error)}`;
    printed.text = '';
    if (printed.file) this.#remove(printed.file);
    printed.file = null;
    this.#flow();
  }

  #remove(file: PrintedFile): void {
    void file.remove().catch((error: unknown) => process.emitWarning(messageOf(error)));
  }

  /** The oldest finished outputs leave when all of them are too large together. */
  #bound(): void {
    const limit = this.#options.limit();
    let octets = [...this.#printed.values()].reduce((sum, { file }) => sum + (file?.octets ?? 0), 0);
    for (const printed of this.#printed.values()) {
      if (octets <= limit) return;
      if (!printed.file || !printed.ended) continue;
      octets -= printed.file.octets;
      this.#remove(printed.file);
      printed.file = null;
      printed.problem = 'It was removed from the disk when later evaluations reached the limit for all output.';
    }
  }

  /** Holds an image back while the disk does not follow it; the others go on. */
  #flow(): void {
    const pending = new Map<Printer, number>();
    for (const { printer, file } of this.#printed.values())
      pending.set(printer, (pending.get(printer) ?? 0) + (file?.pending ?? 0));
    for (const printer of this.#watched.keys()) {
      const waits = pending.get(printer) ?? 0;
      const goOn = this.#held.get(printer);
      if (!goOn && waits > HOLD_FROM) this.#held.set(printer, printer.holdOutput());
      else if (goOn && waits < GO_ON_BELOW) {
        goOn();
        this.#held.delete(printer);
      }
    }
  }
}
