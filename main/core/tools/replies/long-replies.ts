/**
 * Replies that are too long for their reader (K1). A model gets the head, the tail and a handle for the whole reply, because most clients
 * cut longer texts or show only their start. A program gets the first page and a handle for the next one.
 */
import { randomUUID } from 'node:crypto';
import type { Actor } from '#contract/image/session.ts';
import { boundary, wholeLines } from './cuts.ts';
import { USUAL_SIZE } from './reply-sizes.ts';

/** The maximum number of UTF-8 bytes in a reply to a program. */
const PROGRAM_LIMIT = 1024 * 1024;
/** The prefix of a handle. A handle is the URI of a resource; `read_file` also accepts it as a path. */
export const REPLIES = 'lisp-workbench://replies/';

/** The number of bytes that are reserved for a note about the omitted text. */
const ROOM = 1024;
/** The head's share of the shown part of a text. The tail gets the rest. */
const HEAD = 5 / 8;
/** The maximum number of characters that are shown before the note with the handle. The next constant is the maximum number of lines. */
const LEAD = 1024;
const LEAD_LINES = 10;
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

  /**
   * Returns the reply for a model: `text` itself, or its head, its tail and a handle for the whole reply. The handle comes right after the
   * value or the error, and again in the last line, because some clients cut out the middle of a text and others cut off its last part.
   */
  reply(text: string, actor: Actor, size = USUAL_SIZE): string {
    if (Buffer.byteLength(text) <= size) return text;
    const bytes = Buffer.from(text);
    const page = size - ROOM;
    const cut = Math.floor(page * HEAD);
    const head = wholeLines(bytes.toString('utf8', 0, boundary(bytes, cut)), 'start');
    const tail = wholeLines(bytes.toString('utf8', boundary(bytes, bytes.length - page + cut)), 'end');
    const handle = `${REPLIES}${this.#keep(bytes, actor, page)}/1`;
    const hidden = text.length - head.length - tail.length;
    const lead = leadOf(head);
    const rest = head.slice(lead.length).replace(/^\n+/, '');
    return [
      ...(lead === '' ? [] : [`${lead}\n`]),
      `[${hidden} of ${text.length} characters are not shown. The whole text is stored for an hour, in pages: read ${handle} as a resource, or with read-file.]\n`,
      rest,
      `… ${hidden} characters are not shown here …`,
      tail,
      `\n[The whole text: read-file with path ${handle}]`,
    ].join('\n');
  }

  /** Stores a whole reply for its reader in pages. A page fits into one answer. Returns the handle of the first page. */
  keep(text: string, actor: Actor, size: number): string {
    return `${REPLIES}${this.#keep(Buffer.from(text), actor, size - ROOM)}/1`;
  }

  /** Returns the reply for a program: `text`, or its first page and a handle for the next one. */
  replyToProgram(text: string, actor: Actor): string {
    const bytes = Buffer.from(text);
    if (bytes.length <= PROGRAM_LIMIT) return text;
    return told(this.#keep(bytes, actor, USUAL_SIZE - ROOM, PROGRAM_LIMIT - ROOM), this.#kept, 1)!;
  }

  /** Returns the page of a handle; null if the handle is unknown, belongs to another client, or has expired. */
  page(handle: string, actor: Actor): string | null {
    const found = this.#find(handle, actor);
    return found && told(found.id, this.#kept, found.page);
  }

  /** Returns the whole reply that the page of a handle belongs to; null under the same conditions as for `page`. */
  whole(handle: string, actor: Actor): string | null {
    const found = this.#find(handle, actor);
    return found && this.#kept.get(found.id)!.pages.join('');
  }

  #find(handle: string, actor: Actor): { readonly id: string; readonly page: number } | null {
    const [, id, page] = /^lisp-workbench:\/\/replies\/([0-9a-f-]{36})\/([1-9]\d{0,5})$/.exec(handle) ?? [];
    return id === undefined || this.#kept.get(id)?.actor !== actor.id ? null : { id, page: Number(page) };
  }

  #keep(bytes: Buffer, { id: actor }: Actor, page: number, first = page): string {
    const now = performance.now();
    const id = randomUUID();
    this.#kept.set(id, { actor, at: now, pages: pagesOf(bytes, page, first), bytes: bytes.length });
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
  return `${text}\n… ${rest} more characters are not shown. They are stored for an hour: read ${next} as a resource, or with read-file.`;
}

/** Returns the text in pages, cut between characters. `first` is the number of bytes of the first page. */
function pagesOf(bytes: Buffer, page: number, first: number): string[] {
  const pages: string[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = boundary(bytes, start + (pages.length === 0 ? first : page));
    pages.push(bytes.toString('utf8', start, end));
    start = end;
  }
  return pages;
}

/**
 * Returns the first paragraph, which says how the run ended. If it is long, returns its first lines. Returns an empty text if even the
 * first line is too long.
 */
function leadOf(head: string): string {
  const first = head.slice(0, LEAD).split('\n', LEAD_LINES);
  const blank = first.indexOf('');
  if (blank > 0) return first.slice(0, blank).join('\n');
  const whole = head.length > LEAD && first.length < LEAD_LINES ? first.slice(0, -1) : first;
  return whole.join('\n');
}
