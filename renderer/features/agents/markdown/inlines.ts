/**
 * Markdown within a line of text as pieces: code, emphasis, links. Pure, and one pass over the text: whatever an agent writes, the time is in
 * proportion to its length. HTML is text like any other.
 */
import { REFERENCE, referred, withoutReferences } from './character-references.ts';

export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis' | 'deleted'; readonly parts: readonly Inline[] }
  /** The address is as it is written; it can be of any scheme. */
  | { readonly kind: 'link'; readonly address: string; readonly parts: readonly Inline[] };

/** Emphasis and links within others, after which they are text. */
const DEEPEST = 12;
/** Marks that may begin something and are kept in mind until it ends. */
const MOST_OPEN = 64;

/** Characters that begin something. All else is text, which is taken whole. */
const PLAIN = /[^\\`*_~[!<&h\n]+|h(?!ttps?:\/\/)/y;
const ADDRESS = /https?:\/\/[^\s<>"'`\\^{|}\]]+/y;
const BETWEEN_ANGLES = /<(https?:\/\/[^\s<>]+|mailto:[^\s<>]+)>/y;

/** A run of marks that may begin or end emphasis, or a bracket that may begin a link; the pieces behind it stand after it. */
interface Open {
  readonly mark: '*' | '_' | '~' | '[';
  /** How many of the marks are left to be used. */
  count: number;
  /** The place of its own text among the pieces. */
  readonly at: number;
}

export function inlinesOf(text: string): Inline[] {
  return new Reader(text).read();
}

class Reader {
  readonly #text: string;
  #at = 0;
  #pieces: Inline[] = [];
  #opens: Open[] = [];
  /** The lengths of runs of backquotes of which none stands further on. */
  readonly #noCode = new Set<number>();
  /** True once no address in parentheses can come any more. */
  #noTargets = false;

  constructor(text: string) {
    this.#text = text;
  }

  read(): Inline[] {
    while (this.#at < this.#text.length) this.#next();
    return joined(this.#pieces);
  }

  #next(): void {
    const plain = this.#match(PLAIN);
    if (plain) return this.#add(plain[0]);
    const char = this.#text[this.#at]!;
    switch (char) {
      case '\\':
        return this.#escaped();
      case '`':
        return this.#code();
      case '*':
      case '_':
      case '~':
        return this.#marks(char);
      case '[':
        this.#open('[', 1);
        return this.#take(1);
      case '!':
        return this.#take(1);
      case '<':
        return this.#angles();
      case '&':
        return this.#reference();
      case 'h':
        return this.#bare();
      default:
        return this.#take(1);
    }
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found) this.#at = pattern.lastIndex;
    return found;
  }

  /** A text is read up to a bracket that may end a link. */
  #add(text: string): void {
    const end = this.#opens.some(({ mark }) => mark === '[') ? text.indexOf(']') : -1;
    if (end < 0) {
      this.#pieces.push({ kind: 'text', text });
      return;
    }
    if (end > 0) this.#pieces.push({ kind: 'text', text: text.slice(0, end) });
    this.#at += end - text.length;
    this.#closeLink();
  }

  #take(count: number, shown = this.#text.slice(this.#at, this.#at + count)): void {
    this.#at += count;
    if (shown !== '') this.#pieces.push({ kind: 'text', text: shown });
  }

  #escaped(): void {
    const next = this.#text[this.#at + 1];
    if (next === undefined || !/[!-/:-@[-`{-~]/.test(next)) return this.#take(1);
    return this.#take(2, next);
  }

  #code(): void {
    const fence = runAt(this.#text, this.#at, '`');
    const start = this.#at + fence;
    const end = this.#noCode.has(fence) ? -1 : closingRun(this.#text, start, fence);
    if (end < 0) {
      this.#noCode.add(fence);
      return this.#take(fence);
    }
    const inner = this.#text.slice(start, end).replaceAll('\n', ' ');
    const isPadded = inner.startsWith(' ') && inner.endsWith(' ') && inner.trim() !== '';
    const trimmed = isPadded ? inner.slice(1, -1) : inner;
    this.#pieces.push({ kind: 'code', text: trimmed });
    this.#at = end + fence;
  }

  #marks(mark: '*' | '_' | '~'): void {
    const count = runAt(this.#text, this.#at, mark);
    const before = this.#text[this.#at - 1] ?? ' ';
    const after = this.#text[this.#at + count] ?? ' ';
    const [left, right] = [isFlanking(after, before), isFlanking(before, after)];
    // An underscore within a name is a part of it.
    const begins = mark === '_' ? left && (!right || isPunctuation(before)) : left;
    const ends = mark === '_' ? right && (!left || isPunctuation(after)) : right;
    this.#at += count;
    if (mark === '~' && count !== 2) {
      this.#pieces.push({ kind: 'text', text: '~'.repeat(count) });
      return;
    }
    let rest = count;
    if (ends) while (rest > 0 && this.#closeEmphasis(mark, rest)) rest -= this.#used;
    if (rest === 0) return;
    if (begins) this.#open(mark, rest);
    this.#pieces.push({ kind: 'text', text: mark.repeat(rest) });
  }

  #open(mark: Open['mark'], count: number): void {
    this.#opens.push({ mark, count, at: this.#pieces.length });
    // The first of very many stays text, so that looking for one that fits takes no time.
    if (this.#opens.length > MOST_OPEN) this.#opens.shift();
  }

  /** The marks that the last emphasis took. */
  #used = 0;

  #closeEmphasis(mark: '*' | '_' | '~', count: number): boolean {
    const index = this.#opens.findLastIndex((open) => open.mark === mark || open.mark === '[');
    const open = this.#opens[index];
    if (!open || open.mark === '[') return false;
    const taken = Math.min(open.count, count, 2);
    const parts = joined(this.#pieces.slice(open.at + 1));
    if (parts.length === 0) return false;
    this.#opens.length = index;
    this.#pieces.length = open.at;
    open.count -= taken;
    if (open.count > 0) {
      this.#opens.push(open);
      this.#pieces.push({ kind: 'text', text: mark.repeat(open.count) });
    }
    const kind = mark === '~' ? 'deleted' : taken === 2 ? 'strong' : 'emphasis';
    this.#pieces.push(depthOf(parts) >= DEEPEST ? { kind: 'text', text: plainText(parts) } : { kind, parts });
    this.#used = taken;
    return true;
  }

  /** The text is at a `]`. */
  #closeLink(): void {
    const index = this.#opens.findLastIndex(({ mark }) => mark === '[');
    const open = this.#opens[index]!;
    const target = this.#noTargets ? null : targetAt(this.#text, this.#at + 1);
    this.#noTargets ||= this.#text.indexOf('](', this.#at) < 0;
    if (!target) {
      this.#opens.splice(index, 1);
      return this.#take(1);
    }
    const parts = joined(withoutLinks(this.#pieces.slice(open.at + 1)));
    // A link holds no other.
    this.#opens = this.#opens.slice(0, index).filter(({ mark }) => mark !== '[');
    this.#pieces.length = open.at;
    // A picture is a link to it: nothing is loaded from elsewhere.
    const before = this.#pieces.at(-1);
    if (before?.kind === 'text' && before.text === '!') this.#pieces.pop();
    this.#at = target.end;
    if (depthOf(parts) >= DEEPEST) this.#pieces.push({ kind: 'text', text: plainText(parts) });
    else this.#pieces.push({ kind: 'link', address: withoutReferences(target.address), parts });
    return undefined;
  }

  /** A reference is the text that it means: it begins and ends nothing. */
  #reference(): void {
    const found = this.#match(REFERENCE);
    if (!found) return this.#take(1);
    this.#pieces.push({ kind: 'text', text: referred(found[0]) });
    return undefined;
  }

  #angles(): void {
    const found = this.#match(BETWEEN_ANGLES);
    if (!found) return this.#take(1);
    this.#pieces.push({ kind: 'link', address: found[1]!, parts: [{ kind: 'text', text: found[1]! }] });
    return undefined;
  }

  /** An address as it is. A sign at its end belongs to the sentence, as does a parenthesis that it does not open. */
  #bare(): void {
    const start = this.#at;
    const found = /\w/.test(this.#text[start - 1] ?? ' ') ? null : this.#match(ADDRESS);
    if (!found) return this.#take(1);
    const address = withoutEnd(found[0]);
    this.#at = start + address.length;
    this.#pieces.push({ kind: 'link', address, parts: [{ kind: 'text', text: address }] });
    return undefined;
  }
}

/** An address without the signs at its end that are the sentence's, among them a bracket that it does not open. */
function withoutEnd(text: string): string {
  const signs = text.includes('(') ? '*_~.,;:!?' : '*_~.,;:!?)';
  let end = text.length;
  while (end > 0 && signs.includes(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}

function withoutLinks(pieces: readonly Inline[]): Inline[] {
  return pieces.flatMap((piece): Inline[] => {
    if (piece.kind === 'link') return withoutLinks(piece.parts);
    return 'parts' in piece ? [{ ...piece, parts: withoutLinks(piece.parts) }] : [piece];
  });
}

/** The address in parentheses at a place, and where it ends; a title behind it is left out. */
function targetAt(text: string, at: number): { address: string; end: number } | null {
  if (text[at] !== '(') return null;
  const pattern =
    /\(\s{0,20}(?:<([^<>\n]{0,2000})>|([^\s()<>]{0,2000}(?:\([^\s()]{0,500}\)[^\s()<>]{0,500})?))(?:\s{1,20}"[^"\n]{0,500}")?\s{0,20}\)/y;
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  if (!found) return null;
  return { address: found[1] ?? found[2] ?? '', end: pattern.lastIndex };
}

function runAt(text: string, at: number, mark: string): number {
  let end = at;
  while (text[end] === mark) end += 1;
  return end - at;
}

/** The place of the next run of exactly so many backquotes; -1 for none. */
function closingRun(text: string, from: number, count: number): number {
  let at = text.indexOf('`', from);
  while (at >= 0) {
    const length = runAt(text, at, '`');
    if (length === count) return at;
    at = text.indexOf('`', at + length);
  }
  return -1;
}

/** True where a run of marks leans on what is at this side of it. */
function isFlanking(side: string, other: string): boolean {
  if (/\s/.test(side)) return false;
  return !isPunctuation(side) || /\s/.test(other) || isPunctuation(other);
}

function isPunctuation(char: string): boolean {
  return /[\p{P}\p{S}]/u.test(char);
}

/** The pieces with texts beside each other as one. */
function joined(pieces: readonly Inline[]): Inline[] {
  const result: Inline[] = [];
  let texts: string[] = [];
  const end = (): void => {
    if (texts.length > 0) result.push({ kind: 'text', text: texts.join('') });
    texts = [];
  };
  for (const piece of pieces) {
    if (piece.kind === 'text') texts.push(piece.text);
    else {
      end();
      result.push(piece);
    }
  }
  end();
  return result;
}

const depths = new WeakMap<Inline, number>();

/** How deep the pieces are within each other; told once a piece. */
function depthOf(pieces: readonly Inline[]): number {
  let deepest = 0;
  for (const piece of pieces) {
    if (!('parts' in piece)) continue;
    const known = depths.get(piece) ?? 1 + depthOf(piece.parts);
    depths.set(piece, known);
    deepest = Math.max(deepest, known);
  }
  return deepest;
}

function plainText(pieces: readonly Inline[]): string {
  return pieces.map((piece) => ('parts' in piece ? plainText(piece.parts) : piece.text)).join('');
}
