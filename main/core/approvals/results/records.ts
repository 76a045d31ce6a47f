/**
 * Pending requests, stored on disk before they are shown or performed. After a crash, the program knows which requests were waiting, which
 * were approved but not started, and which were started and have an unknown outcome.
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
  /** `started`: the person approved the request, and it may have been performed completely or partly. */
  state: z.enum(['waiting', 'approved', 'started']),
});

const stored = z.object({ version: z.literal(1), records: z.array(record) });

export type ApprovalRecord = z.infer<typeof record>;

/** Returns the record of a waiting request; null for a request that does not outlive the program. */
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

  /** `file` stores the records, and is readable only by its owner. If it is null, records are stored in memory only. */
  constructor(file: string | null) {
    this.#document = new Document({
      file,
      schema: stored,
      initial: { version: 1, records: [] },
      title: 'The list of open requests',
      salvage: 'fields',
    });
  }

  /** The state of the file that stores the records. */
  get kept(): StoredFile {
    return this.#document;
  }

  /** Returns the records left by the program's last run, and removes them. */
  async take(): Promise<ApprovalRecord[]> {
    const { records } = this.#document.value;
    if (records.length > 0) await this.#write([]);
    return records;
  }

  /** Stores a record. Resolves when it is on disk. */
  async keep(kept: ApprovalRecord | null): Promise<void> {
    if (kept) await this.#write([...this.#document.value.records.filter(({ id }) => id !== kept.id), kept]);
  }

  /** Changes the state of a record; ignores an unknown id. Resolves when it is on disk. */
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
