/** The debuggers in which code of a session's image waits, as far as they are open. */
import type { DebuggerRecord } from '#contract/debugger.ts';
import { WorkbenchError } from '#core/error.ts';

export class Debuggers {
  readonly #open = new Map<string, DebuggerRecord>();

  /** The latest last. */
  get all(): DebuggerRecord[] {
    return [...this.#open.values()];
  }

  /** @throws WorkbenchError `not-found`. */
  find(id: string): DebuggerRecord {
    const found = this.#open.get(id);
    if (!found) throw new WorkbenchError('not-found', 'This debugger was left.');
    return found;
  }

  /** The innermost one of an evaluation. */
  of(evaluation: string): DebuggerRecord | undefined {
    return this.all.findLast((each) => each.evaluation === evaluation);
  }

  entered(record: DebuggerRecord): void {
    this.#open.set(record.id, record);
  }

  left(id: string): void {
    this.#open.delete(id);
  }

  clear(): void {
    this.#open.clear();
  }
}
