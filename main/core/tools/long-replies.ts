/** Replies that are longer than a client reads at once (K1): the first page is the reply, the rest is kept under a handle. */
import { randomUUID } from 'node:crypto';
import type { Actor } from '#contract/session.ts';

/** Bytes of UTF-8 that a reply has at most. Some clients break with more, and no model wants it. */
export const REPLY_LIMIT = 1024 * 1024;
/** How a handle begins: it is the URI of a resource, and `read_file` takes it as a path. */
export const REPLIES = 'lisp-workbench://replies/';

/** What is said of the rest has room beside it. */
const PAGE = REPLY_LIMIT - 1024;
const MOST_PER_CLIENT = 8;
const MOST_BYTES = 128 * 1024 * 1024;
const KEEP_MS = 3600_000;

interface Kept {
  readonly actor: string;
  readonly at: number;
  readonly pages: readonly string[];
  readonly bytes: number;
}

export class LongReplies {
  readonly #kept = new Map<string, Kept>();

  /** The reply that a client gets for `text`: itself, or its first page and where the next one is. */
  reply(text: string, actor: Actor): string {
    const bytes = Buffer.from(text);
    return bytes.length <= REPLY_LIMIT ? text : told(this.#keep(bytes, actor), this.#kept, 1)!;
  }

  /** Keeps a text that no reply could hold; gives where its first page is. */
  keep(text: string, actor: Actor): string {
    return `${REPLIES}${this.#keep(Buffer.from(text), actor)}/1`;
  }

  /** What is at such a handle; null for one that is unknown, another client's, or forgotten by now. */
  page(handle: string, actor: Actor): string | null {
    const [, id, page] = /^lisp-workbench:\/\/replies\/([0-9a-f-]{36})\/([1-9]\d{0,5})$/.exec(handle) ?? [];
    if (id === undefined || this.#kept.get(id)?.actor !== actor.id) return null;
    return told(id, this.#kept, Number(page));
  }

  #keep(bytes: Buffer, { id: actor }: Actor): string {
    const now = Date.now();
    const id = randomUUID();
    this.#kept.set(id, { actor, at: now, pages: pagesOf(bytes), bytes: bytes.length });
    const own = [...this.#kept].filter(([, each]) => each.actor === actor);
    for (const [old] of own.slice(0, -MOST_PER_CLIENT)) this.#kept.delete(old);
    let room = MOST_BYTES;
    for (const [old, each] of [...this.#kept].toReversed()) {
      room -= each.bytes;
      if (old !== id && (room < 0 || now - each.at > KEEP_MS)) this.#kept.delete(old);
    }
    return id;
  }
}

function told(id: string, kept: ReadonlyMap<string, Kept>, page: number): string | null {
  const { pages } = kept.get(id)!;
  const text = pages[page - 1];
  if (text === undefined || page === pages.length) return text ?? null;
  const rest = pages.slice(page).reduce((sum, each) => sum + each.length, 0);
  const next = `${REPLIES}${id}/${page + 1}`;
  return `${text}\n… ${rest} more characters are not shown. They go on at ${next}, which is a resource and a path for read-file. It is kept for an hour.`;
}

/** Cut between characters, not within one. */
function pagesOf(bytes: Buffer): string[] {
  const pages: string[] = [];
  for (let start = 0; start < bytes.length;) {
    let end = Math.min(bytes.length, start + PAGE);
    while (end < bytes.length && isContinuation(bytes[end]!)) end -= 1;
    pages.push(bytes.toString('utf8', start, end));
    start = end;
  }
  return pages;
}

function isContinuation(byte: number): boolean {
  return byte >> 6 === 0b10;
}
