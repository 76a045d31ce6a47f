/**
 * Replies of tools that run code, made of parts in a fixed order. In a reply that is too long each long part is cut by itself, so that
 * the order stays and a short part is always whole.
 */
import { boundary, wholeLines } from './cuts.ts';
import { RUN_SIZE } from './reply-sizes.ts';
import type { ToolContext } from '../tool.ts';

/** A part of a reply. */
export interface ReplyPart {
  readonly text: string;
  /** Characters that were in it and are not stored anywhere. */
  readonly lost: number;
  /** Text that follows it in any case, such as how the rest of a value can be seen. */
  readonly note: string;
  /** `ends` keeps the head and the tail of a part that is too long, `start` its beginning only. */
  readonly keeps: 'ends' | 'start';
  /** True of how a run ended, which is cut only where it is long by itself. */
  readonly matters: boolean;
  /** Line ends between this part and the one before it. */
  readonly gap: 1 | 2;
}

/** Returns a part of what was printed or said meanwhile. */
export function printedPart(text: string, lost = 0): ReplyPart {
  return { text, lost, note: '', keeps: 'ends', matters: false, gap: 2 };
}

/** Returns the parts of an output that may begin with located warnings, which matter as much as how it ended. */
export function outputParts(text: string): ReplyPart[] {
  const [warnings = ''] = /^\[Warnings\][^]*?(?=\n\n|$)/.exec(text) ?? [];
  const rest = text.slice(warnings.length).replace(/^\n+/, '');
  return [...(warnings === '' ? [] : [endPart(warnings)]), ...(rest === '' ? [] : [printedPart(rest)])];
}

/** Returns a part of how a run ended. */
export function endPart(text: string, rest: Partial<Omit<ReplyPart, 'text' | 'matters'>> = {}): ReplyPart {
  return { text, lost: 0, note: '', keeps: 'ends', gap: 2, ...rest, matters: true };
}

/** Bytes for what other layers add to a reply, such as a note about the image. */
const ROOM = 256;
/** Bytes of the line that says what is left out of a part. */
const NOTE = 256;
/** The head of a part is this share of what is shown of it. */
const HEAD = 5 / 8;
/** How a run ended has at least this share of a reply that is cut, as far as it needs it. */
const OF_END = 3 / 4;
/** Parts that are cut one by one; of a reply with more, those on lines that follow each other are cut as one. */
const MOST_PARTS = 12;

/** Returns the reply that a caller gets for `parts`; the whole of one that is cut is stored for the caller, and the reply says where. */
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

/** Parts on lines of their own that follow each other, such as hundreds of values, as one part. */
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

/** Yields how many bytes each part may have: short ones all that they need, long ones equal shares of the rest. */
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
