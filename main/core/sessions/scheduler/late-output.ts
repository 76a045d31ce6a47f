/** Output of threads and timers that go on after the evaluation of a client that made them was answered; its connection gets it with a later answer. */
import type { OutputStream } from '#contract/image/evaluation.ts';
import { detached } from '#contract/text/text.ts';
import type { OutputChunk } from './output-chunk.ts';

/** The latest evaluations whose threads are known. */
const MOST_KNOWN = 20_000;
/** Characters of each stream that are kept for a connection: the latest ones. */
const MOST_CHARACTERS = 8_000;
/** Connections for which output is kept: the latest. */
const MOST_CONNECTIONS = 200;

export class LateOutput {
  /** Evaluation → the connection that it is of. */
  readonly #owners = new Map<string, string>();
  readonly #kept = new Map<string, Record<OutputStream | 'failures', Kept>>();

  /** Notes whose evaluation this is. */
  begin(evaluation: string, connection: string): void {
    this.#owners.set(evaluation, connection);
    if (this.#owners.size > MOST_KNOWN) this.#owners.delete(this.#owners.keys().next().value!);
  }

  /** Keeps what a thread of an answered evaluation has printed; what is of no evaluation that is known goes to nobody. */
  add(evaluation: string, chunk: OutputChunk): void {
    this.#keptFor(evaluation)?.[chunk.stream].add(chunk.text);
  }

  /** Keeps what is said of the error that ended a thread of an answered evaluation. */
  fail(evaluation: string, text: string): void {
    this.#keptFor(evaluation)?.failures.add(text);
  }

  /** Returns what was printed for a connection since it was last taken, and the errors that ended threads; forgets it. */
  take(connection: string): OutputChunk[] {
    const kept = this.#kept.get(connection);
    this.#kept.delete(connection);
    if (!kept) return [];
    return [...kept.stdout.chunks('stdout'), ...kept.stderr.chunks('stderr'), ...kept.failures.chunks('stderr')];
  }

  /** Returns only the errors that ended threads, and forgets them. */
  takeFailures(connection: string): OutputChunk[] {
    const kept = this.#kept.get(connection);
    if (!kept) return [];
    const { failures } = kept;
    kept.failures = new Kept();
    return failures.chunks('stderr');
  }

  #keptFor(evaluation: string): Record<OutputStream | 'failures', Kept> | null {
    const owner = this.#owners.get(evaluation);
    if (owner === undefined) return null;
    this.#owners.delete(evaluation); // one that prints stays known
    this.#owners.set(evaluation, owner);
    const kept = this.#kept.get(owner) ?? { stdout: new Kept(), stderr: new Kept(), failures: new Kept() };
    this.#kept.delete(owner);
    this.#kept.set(owner, kept);
    if (this.#kept.size > MOST_CONNECTIONS) this.#kept.delete(this.#kept.keys().next().value!);
    return kept;
  }
}

/** The last characters of a stream. */
class Kept {
  #text = '';
  #skipped = 0;

  add(text: string): void {
    this.#text += text;
    if (this.#text.length > 2 * MOST_CHARACTERS) this.#cut();
  }

  chunks(stream: OutputStream): OutputChunk[] {
    if (this.#text === '') return [];
    this.#cut();
    return [{ stream, text: this.#text, ...(this.#skipped > 0 ? { skipped: this.#skipped } : {}) }];
  }

  #cut(): void {
    const over = this.#text.length - MOST_CHARACTERS;
    if (over <= 0) return;
    this.#text = detached(this.#text.slice(over));
    this.#skipped += over;
  }
}
