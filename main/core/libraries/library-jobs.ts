/** Running installations, set-ups and updates of libraries, with their progress. */
import type { LibraryWork } from '#contract/libraries.ts';
import { WorkbenchError } from '#core/base/error.ts';
import { Emitter } from '#core/base/emitter.ts';
import type { WorkReport } from './libraries.ts';

interface LibraryJobEvents {
  /** The running work that began last; null if none is running. */
  work: LibraryWork | null;
  /** The installed libraries or the dists have changed. */
  changed: void;
}

/** Returns the error that says that work was cancelled. */
function cancelled(subject: string): WorkbenchError {
  return new WorkbenchError('cancelled', `${subject}: cancelled. What was being installed left nothing.`);
}

interface Job {
  work: LibraryWork;
  readonly cancel: AbortController;
}

export class LibraryJobs {
  readonly events = new Emitter<LibraryJobEvents>();
  readonly #jobs: Job[] = [];

  /** The running work that began last; null if none is running. */
  get shown(): LibraryWork | null {
    return this.#jobs.at(-1)?.work ?? null;
  }

  /** Runs work and reports its progress. Aborting `signal` cancels it too. */
  async run<Value>(
    { kind, subject, signal }: Pick<LibraryWork, 'kind' | 'subject'> & { readonly signal?: AbortSignal },
    work: (report: WorkReport) => Promise<Value>,
  ): Promise<Value> {
    const cancel = new AbortController();
    const job: Job = { work: { kind, subject, part: '', done: 0, total: 0, words: '' }, cancel };
    this.#jobs.push(job);
    this.#tell();
    try {
      return await work({
        signal: signal === undefined ? cancel.signal : AbortSignal.any([signal, cancel.signal]),
        progress: (part, done, total, words) => {
          job.work = { ...job.work, part, done, total, words };
          this.#tell();
        },
      });
    } catch (error) {
      throw job.cancel.signal.aborted ? cancelled(subject) : error;
    } finally {
      this.#jobs.splice(this.#jobs.indexOf(job), 1);
      this.#tell();
      this.events.emit('changed', undefined);
    }
  }

  /** Cancels the work that began last. */
  cancel(): void {
    this.#jobs.at(-1)?.cancel.abort();
  }

  #tell(): void {
    this.events.emit('work', this.shown);
  }
}
