/**
 * Replies that are longer than their reader takes at once (K1). A model gets the head and the tail and a handle for all of it,
 * since most clients cut what is longer, or show its beginning alone; a program gets the first page and a handle for the rest.
 */
import { randomUUID } from 'node:crypto';
import type { Actor } from '#contract/session.ts';

/** Bytes of UTF-8 that a reply to a model has at most. */
export const REPLY_LIMIT = 24 * 1024;
/** Bytes of UTF-8 that a reply to a program has at most. */
const PROGRAM_LIMIT = 1024 * 1024;
/** How a handle begins: it is the URI of a resource, and `read_file` takes it as a path. */
export const REPLIES = 'lisp-workbench://replies/';

/** What is said of the rest has room beside it. */
const ROOM = 1024;
const PAGE = REPLY_LIMIT - ROOM;
const HEAD = 15 * 1024;
const TAIL = PAGE - HEAD;
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

  /** The reply that a model gets for `text`: itself, or its head, its tail, and where all of it is. */
  reply(text: string, actor: Actor): string {
    const bytes = Buffer.from(text);
    if (bytes.length <= REPLY_LIMIT) return text;
    const head = wholeLines(bytes.toString('utf8', 0, boundary(bytes, HEAD)), 'start');
    const tail = wholeLines(bytes.toString('utf8', boundary(bytes, bytes.length - TAIL)), 'end');
    const handle = `${REPLIES}${this.#keep(bytes, actor)}/1`;
    const hidden = text.length - head.length - tail.length;
    return `${head}\n… ${hidden} of ${text.length} characters are not shown. All of it is at ${handle}, page by page, which is a resource and a path for read-file. It is kept for an hour. The end:\n${tail}`;
  }

  /** The reply that a program gets: `text`, or its first page and where the next one is. */
  replyToProgram(text: string, actor: Actor): string {
    const bytes = Buffer.from(text);
    if (bytes.length <= PROGRAM_LIMIT) return text;
    return told(this.#keep(bytes, actor, PROGRAM_LIMIT - ROOM), this.#kept, 1)!;
  }

  /** What is at such a handle; null for one that is unknown, another client's, or forgotten by now. */
  page(handle: string, actor: Actor): string | null {
    const [, id, page] = /^lisp-workbench:\/\/replies\/([0-9a-f-]{36})\/([1-9]\d{0,5})$/.exec(handle) ?? [];
    if (id === undefined || this.#kept.get(id)?.actor !== actor.id) return null;
    return told(id, this.#kept, Number(page));
  }

  #keep(bytes: Buffer, { id: actor }: Actor, first = PAGE): string {
    const now = performance.now();
    const id = randomUUID();
    this.#kept.set(id, { actor, at: now, pages: pagesOf(bytes, first), bytes: bytes.length });
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
function pagesOf(bytes: Buffer, first: number): string[] {
  const pages: string[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = boundary(bytes, start + (pages.length === 0 ? first : PAGE));
    pages.push(bytes.toString('utf8', start, end));
    start = end;
  }
  return pages;
}

/** The last place up to `at` that is between two characters. */
function boundary(bytes: Buffer, at: number): number {
  let end = Math.min(bytes.length, at);
  while (end < bytes.length && isContinuation(bytes[end]!)) end -= 1;
  return end;
}

/** Without the line that was cut, where the text has lines. */
function wholeLines(text: string, side: 'start' | 'end'): string {
  const at = side === 'start' ? text.lastIndexOf('\n') : text.indexOf('\n');
  if (at < 0) return text;
  const rest = side === 'start' ? text.slice(0, at) : text.slice(at + 1);
  return rest.length > text.length / 2 ? rest : text;
}

function isContinuation(byte: number): boolean {
  return byte >> 6 === 0b10;
}
