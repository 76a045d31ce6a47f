/**
 * Replies of tools that run code. They are composed of parts in a fixed order. If a reply is too long, its long parts are cut separately,
 * which preserves the order and keeps short parts complete.
 */
import { boundary, wholeLines } from './cuts.ts';
import { RUN_SIZE } from './reply-sizes.ts';
import type { ToolContext } from '../tool.ts';

/** A part of a reply. */
export interface ReplyPart {
  readonly text: string;
  /** The number of characters of the part that were discarded and are not stored anywhere. */
  readonly lost: number;
  /** Text that always follows the part, such as advice on how to see the rest of a value. */
  readonly note: string;
  /** `ends` means that the head and the tail of a part that is too long are kept. `start` means that only the head is kept. */
  readonly keeps: 'ends' | 'start';
  /** True for the outcome of a run. It is cut only if the outcome itself is long. */
  readonly matters: boolean;
  /** The number of line ends between this part and the previous one. */
  readonly gap: 1 | 2;
}

/** Returns a part that contains output of a run. */
export function printedPart(text: string, lost = 0): ReplyPart {
  return { text, lost, note: '', keeps: 'ends', matters: false, gap: 2 };
}

/**
 * Returns an output as parts. Located warnings at the start of the output are a separate part, because they are as important as the
 * outcome.
 */
export function outputParts(text: string): ReplyPart[] {
  const [warnings = ''] = /^\[Warnings\][^]*?(?=\n\n|$)/.exec(text) ?? [];
  const rest = text.slice(warnings.length).replace(/^\n+/, '');
  return [...(warnings === '' ? [] : [endPart(warnings)]), ...(rest === '' ? [] : [printedPart(rest)])];
}

/** Returns a part that contains the outcome of a run. */
export function endPart(text: string, rest: Partial<Omit<ReplyPart, 'text' | 'matters'>> = {}): ReplyPart {
  return { text, lost: 0, note: '', keeps: 'ends', gap: 2, ...rest, matters: true };
}

/** The number of bytes that are reserved for text that other layers add to a reply, such as a note about the image. */
const ROOM = 256;
/** The number of bytes that are reserved for the note about the omitted rest of a part. */
const NOTE = 256;
/** The head's share of the shown text of a part. The tail gets the rest. */
const HEAD = 5 / 8;
/** The minimum share of a shortened reply that is reserved for the outcome of the run, if the outcome needs that much. */
const OF_END = 3 / 4;
/** The maximum number of parts that are cut separately. If a reply has more, parts on consecutive lines are merged and cut as one. */
const MOST_PARTS = 12;

/**
 * Returns the reply for a caller, composed of `parts`. If it has to be cut, the whole text is stored for the caller, and the reply contains
 * its handle.
 */
export function replyOf(
  parts: readonly ReplyPart[],
  { replies, actor, replySize, howToCall }: Pick<ToolContext, 'replies' | 'actor' | 'replySize' | 'howToCall'>,
  size = Math.min(RUN_SIZE, replySize),
): string {
  const whole = joined(parts);
  if (Buffer.byteLength(whole) <= size) return whole;
  const handle = replies.keep(whole, actor, replySize);
  const where = `${howToCall('read_file')} with path ${handle}`;
  const few = parts.length <= MOST_PARTS ? parts : merged(parts);
  const total = size - ROOM - few.reduce((sum, { note }) => sum + 2 + Buffer.byteLength(note), 0);
  const [ends, printed] = [few.filter(({ matters }) => matters), few.filter(({ matters }) => !matters)];
  const forEnds = Math.max(Math.floor(total * OF_END), total - bytesOf(printed));
  const shares = new Map(sharesOf(ends, forEnds));
  const used = [...shares.values()].reduce((sum, each) => sum + each, 0);
  for (const [part, share] of sharesOf(printed, total - used)) shares.set(part, share);
  return joined(few.map((part) => ({ ...part, text: cut(part, shares.get(part)!, where) })));
}

function bytesOf(parts: readonly ReplyPart[]): number {
  return parts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
}

function joined(parts: readonly ReplyPart[]): string {
  return parts.map(({ text, note, gap }, index) => `${index === 0 ? '' : '\n'.repeat(gap)}${text}${note}`).join('');
}

/** Merges parts on consecutive lines, such as hundreds of values, into one part. */
function merged(parts: readonly ReplyPart[]): readonly ReplyPart[] {
  const groups: ReplyPart[] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    if (last && part.gap === 1)
      groups.splice(-1, 1, { ...last, text: `${last.text}${last.note}\n${part.text}`, note: part.note, keeps: 'ends' });
    else groups.push(part);
  }
  return groups;
}

/**
 * Yields the number of bytes for each part. Short parts get all the bytes that they need; long parts get equal shares of the remaining
 * bytes.
 */
function* sharesOf(parts: readonly ReplyPart[], total: number): Iterable<[ReplyPart, number]> {
  let [left, count] = [total, parts.length];
  const sized = parts.map((part) => ({ part, bytes: Buffer.byteLength(part.text) }));
  for (const { part, bytes } of sized.toSorted((one, other) => one.bytes - other.bytes)) {
    const share = Math.min(bytes, Math.floor(left / count));
    yield [part, share];
    left -= share;
    count -= 1;
  }
}

function cut({ text, keeps, lost }: ReplyPart, size: number, where: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= size) return text;
  const room = Math.max(0, size - NOTE);
  if (keeps === 'start') {
    const head = bytes.toString('utf8', 0, boundary(bytes, room));
    return `${head}\n; The first ${head.length} of ${text.length} characters are shown. The whole text: ${where}`;
  }
  const first = Math.floor(room * HEAD);
  const head = wholeLines(bytes.toString('utf8', 0, boundary(bytes, first)), 'start');
  const tail = wholeLines(bytes.toString('utf8', boundary(bytes, bytes.length - room + first)), 'end');
  const hidden = text.length - head.length - tail.length;
  const gone = lost > 0 ? `, and ${lost} more were not stored` : '';
  return `${head}\n… ${hidden} characters are not shown here${gone}. The whole text: ${where} …\n${tail}`;
}
