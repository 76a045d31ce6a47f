/**
 * Requests that are under way, kept on disk before anything is shown or done: after a sudden end the program knows what was
 * asked, what was approved and had not begun, and what had begun without its end being known.
 */
import { z } from 'zod';
import { actor } from '#contract/image/session.ts';
import { safetyLevel } from '#contract/clients/tool.ts';
import { Document, type StoredFile } from '#core/settings/document.ts';
import type { Entry } from '../queue/entry.ts';
import type { ApprovalRequest } from '../request.ts';

const record = z.object({
  id: z.string(),
  actor,
  call: z.string(),
  tool: z.string(),
  level: safetyLevel,
  arguments: z.record(z.string(), z.unknown()),
  rule: z.string(),
  headline: z.string(),
  requestedAt: z.number(),
  /** `started`: the person approved it and it may have been done, wholly or in part. */
  state: z.enum(['waiting', 'approved', 'started']),
});

const stored = z.object({ version: z.literal(1), records: z.array(record) });

export type ApprovalRecord = z.infer<typeof record>;

/** Returns what is kept of a request that waits; null for one that ends with the program. */
export function recordOf({
  id,
  request,
  card,
}: Pick<Entry<never>, 'id' | 'card'> & { request: Recordable }): ApprovalRecord | null {
  if (request.transient) return null;
  const { actor, tool, level, headline, requestedAt } = card;
  const { call, arguments: args, rule } = request;
  return { id, actor, call, tool, level, arguments: args, rule, headline, requestedAt, state: 'waiting' };
}

type Recordable = Pick<ApprovalRequest<never>, 'call' | 'arguments' | 'rule' | 'transient'>;

export class ApprovalRecords {
  readonly #document: Document<typeof stored>;

  /** `file`: where they are kept, readable by its owner alone; null keeps none over the end of the program. */
  constructor(file: string | null) {
    this.#document = new Document({
      file,
      schema: stored,
      initial: { version: 1, records: [] },
      title: 'The requests that wait for you',
      salvage: 'fields',
    });
  }

  /** The state of the file in which the records are kept. */
  get kept(): StoredFile {
    return this.#document;
  }

  /** Returns the records that the program's last run left, and forgets them. */
  async take(): Promise<ApprovalRecord[]> {
    const { records } = this.#document.value;
    if (records.length > 0) await this.#write([]);
    return records;
  }

  /** Resolves when it is on disk. */
  async keep(kept: ApprovalRecord | null): Promise<void> {
    if (kept) await this.#write([...this.#document.value.records.filter(({ id }) => id !== kept.id), kept]);
  }

  /** Resolves when it is on disk; an unknown one is left alone. */
  async advance(id: string, state: ApprovalRecord['state']): Promise<void> {
    const { records } = this.#document.value;
    if (records.some((each) => each.id === id))
      await this.#write(records.map((each) => (each.id === id ? { ...each, state } : each)));
  }

  async remove(id: string): Promise<void> {
    const { records } = this.#document.value;
    if (records.some((each) => each.id === id)) await this.#write(records.filter((each) => each.id !== id));
  }

  settled(): Promise<void> {
    return this.#document.settled();
  }

  #write(records: ApprovalRecord[]): Promise<void> {
    return this.#document.write({ version: 1, records });
  }
}
