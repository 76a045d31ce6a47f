/**
 * Output of threads and timers that are still running after the evaluation that created them was answered. The client's connection gets it
 * with a later answer.
 */
import type { OutputStream } from '#contract/image/evaluation.ts';
import { detached } from '#contract/text/text.ts';
import type { OutputChunk } from './output-chunk.ts';

/** The maximum number of evaluations whose connections are remembered. The latest ones are remembered. */
const MOST_KNOWN = 20_000;
/** The maximum number of characters of each stream that are stored for a connection. The latest ones are stored. */
const MOST_CHARACTERS = 8_000;
/** The maximum number of connections for which output is stored. The latest ones are retained. */
const MOST_CONNECTIONS = 200;

export class LateOutput {
  /** Maps an evaluation to its connection. */
  readonly #owners = new Map<string, string>();
  readonly #kept = new Map<string, Record<OutputStream | 'failures', Kept>>();

  /** Records the connection of an evaluation. */
  begin(evaluation: string, connection: string): void {
    this.#owners.set(evaluation, connection);
    if (this.#owners.size > MOST_KNOWN) this.#owners.delete(this.#owners.keys().next().value!);
  }

  /** Stores the output that a thread of an answered evaluation has printed. Output of an unknown evaluation is dropped. */
  add(evaluation: string, chunk: OutputChunk): void {
    this.#keptFor(evaluation)?.[chunk.stream].add(chunk.text);
  }

  /** Stores the description of the error that ended a thread of an answered evaluation. */
  fail(evaluation: string, text: string): void {
    this.#keptFor(evaluation)?.failures.add(text);
  }

  /** Returns and forgets the stored output of a connection, and the errors that ended its threads. */
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
    this.#owners.delete(evaluation); // moves it to the end, so that an evaluation that still prints stays known
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
