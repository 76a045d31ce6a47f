/**
 * The complete output of the person's evaluations. The page stores only the end of each output; all of it is available here until the entry
 * leaves the transcript. A small amount stays in memory. The rest is in private files, which share one size limit and are deleted when the
 * program ends. If the disk is too slow for the output, reading from the image pauses.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { messageForPerson } from '#core/base/system-faults.ts';
import { messageOf, WorkbenchError } from '#core/base/error.ts';
import type { Session } from '#core/sessions/session.ts';
import { PrintedFile, type PrintedSearch } from './printed-file.ts';

/** An image whose output is stored. */
type Printer = Pick<Session, 'events' | 'holdOutput'>;

interface Printed {
  readonly printer: Printer;
  /** The output while it is short enough to stay in memory. */
  text: string;
  file: PrintedFile | null;
  ended: boolean;
  /** The reason why the evaluation's output is no longer stored; null while it is stored. */
  problem: string | null;
}

export interface PrintedPart {
  readonly text: string;
  readonly part: number;
  readonly parts: number;
  /** The number of line breaks before the part. */
  readonly line: number;
  readonly lines: number;
  readonly characters: number;
}

export interface PrintedOutputOptions {
  readonly session: Printer;
  readonly folder: string;
  /** Returns the maximum number of octets of all files together. */
  readonly limit: () => number;
}

/** The maximum number of code units of an evaluation's output that stay in memory. */
const IN_MEMORY = 64 * 1024;
/**
 * The image is paused if more code units than this are waiting for the disk. It continues when fewer than the next constant are waiting.
 */
const HOLD_FROM = 16 * 1024 * 1024;
const GO_ON_BELOW = 4 * 1024 * 1024;

export class PrintedOutput {
  readonly #options: PrintedOutputOptions;
  /** Outputs by evaluation, oldest first. */
  readonly #printed = new Map<string, Printed>();
  #files = 0;
  /** The paused images, each with the function that resumes it. */
  readonly #held = new Map<Printer, () => void>();
  readonly #watched = new Map<Printer, () => void>();

  constructor(options: PrintedOutputOptions) {
    this.#options = options;
    rmSync(options.folder, { recursive: true, force: true }); // a killed program leaves its files behind
    this.#watch(options.session);
  }

  /** Starts to store the output of an evaluation, in the default image or another one. */
  begin(evaluation: string, printer: Printer = this.#options.session): void {
    this.#watch(printer);
    this.#printed.set(evaluation, { printer, text: '', file: null, ended: false, problem: null });
  }

  /** Stops watching an image that will never run again. */
  leave(printer: Printer): void {
    this.#watched.get(printer)?.();
    this.#watched.delete(printer);
    this.#held.delete(printer);
  }

  /** Records that an evaluation has ended, so its output may be deleted if there is too much. Its threads may still print. */
  end(evaluation: string): void {
    const printed = this.#printed.get(evaluation);
    if (printed) printed.ended = true;
    this.#bound();
  }

  /** Reads a part of the output; null if none of it is stored. */
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

  /** Copies a stored output to another file. @throws WorkbenchError `not-found` if none of it is stored. */
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

  /** Returns the reason if the output of an evaluation is unexpectedly not stored; otherwise null. */
  problem(evaluation: string): string | null {
    return this.#printed.get(evaluation)?.problem ?? null;
  }

  /** Deletes outputs that are not needed any more. */
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
    printed.problem = `The rest of the output could not be stored. ${messageForPerson(error)}`;
    printed.text = '';
    if (printed.file) this.#remove(printed.file);
    printed.file = null;
    this.#flow();
  }

  #remove(file: PrintedFile): void {
    void file.remove().catch((error: unknown) => process.emitWarning(messageOf(error)));
  }

  /** Deletes the oldest finished outputs if all outputs together are too large. */
  #bound(): void {
    const limit = this.#options.limit();
    let octets = [...this.#printed.values()].reduce((sum, { file }) => sum + (file?.octets ?? 0), 0);
    for (const printed of this.#printed.values()) {
      if (octets <= limit) return;
      if (!printed.file || !printed.ended) continue;
      octets -= printed.file.octets;
      this.#remove(printed.file);
      printed.file = null;
      printed.problem =
        'This output was removed from the disk, because later evaluations reached the limit for all output.';
    }
  }

  /** Pauses an image while the disk is too slow for its output. Other images continue. */
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
