/** Markdown as blocks: paragraphs, headings, code, lists, quotes, tables. Pure, and one pass over the lines at each depth. */
import { withoutReferences } from './character-references.ts';
import { type Inline, inlinesOf } from './inlines.ts';
import { cellsOf, tableHead, type TableHead } from './tables.ts';

export type Block =
  | { readonly kind: 'paragraph'; readonly parts: readonly Inline[] }
  | { readonly kind: 'heading'; readonly level: number; readonly parts: readonly Inline[] }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  /** The cells are Markdown within a line; a row may have fewer of them than there are columns. `text` is the table as it is written. */
  | {
      readonly kind: 'table';
      readonly head: TableHead;
      readonly rows: readonly (readonly string[])[];
      readonly text: string;
    }
  | { readonly kind: 'rule' }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | { readonly kind: 'list'; readonly first: number | null; readonly items: readonly (readonly Block[])[] };

/** Quotes and lists within others, after which they are text. */
const DEEPEST = 8;

export function blocksOf(text: string): Block[] {
  return read(text.replaceAll(/\r\n?/g, '\n').split('\n'), 0);
}

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([^\s`]{0,60})[^`]*$/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])(?:( {1,4})(?=\S)|[ \t]*$|[ \t]+)/;

function read(lines: readonly string[], depth: number): Block[] {
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at]!;
    if (line.trim() === '') {
      at += 1;
      continue;
    }
    const found = fenced(lines, at) ?? heading(line, at) ?? table(lines, at) ?? nested(lines, at, depth);
    const block = found ?? paragraph(lines, at);
    blocks.push(block.block);
    at = block.next;
  }
  return blocks;
}

interface Found {
  readonly block: Block;
  /** The line after it. */
  readonly next: number;
}

/** A fence that is not closed holds all that comes: more of it is on its way. */
function fenced(lines: readonly string[], at: number): Found | null {
  const found = FENCE.exec(lines[at]!);
  if (!found) return null;
  const [, fence = '', language = ''] = found;
  const indentation = lines[at]!.search(/\S/);
  const code: string[] = [];
  let next = at + 1;
  while (next < lines.length && !isClosing(lines[next]!, fence)) {
    const line = lines[next]!;
    const blanks = Math.max(0, line.search(/\S/));
    code.push(line.slice(Math.min(indentation, blanks)));
    next += 1;
  }
  return {
    block: { kind: 'code', language: withoutReferences(language).toLowerCase(), text: code.join('\n') },
    next: next + 1,
  };
}

function isClosing(line: string, fence: string): boolean {
  const text = line.trim();
  return text.length >= fence.length && text[0] === fence[0] && text === fence[0]!.repeat(text.length);
}

function heading(line: string, at: number): Found | null {
  const found = HEADING.exec(line);
  if (found) {
    const words = (found[2] ?? '').trimEnd();
    const text = words.replace(/#{1,20}$/, (signs) => (/(?:^|\s)$/.test(words.slice(0, -signs.length)) ? '' : signs));
    return {
      block: { kind: 'heading', level: found[1]!.length, parts: inlinesOf(text.trim()) },
      next: at + 1,
    };
  }
  return isRule(line) ? { block: { kind: 'rule' }, next: at + 1 } : null;
}

/** Tells rules by short lines alone, so that none takes long to be told from one. */
function isRule(line: string): boolean {
  return line.length < 200 && RULE.test(line);
}

/** A table goes on to an empty line, or to the beginning of another block. */
function table(lines: readonly string[], at: number): Found | null {
  const head = tableHead(lines[at]!, lines[at + 1] ?? '');
  if (!head) return null;
  let next = at + 2;
  while (next < lines.length && lines[next]!.trim() !== '' && !beginsBlock(lines[next]!)) next += 1;
  const rows = lines.slice(at + 2, next).map((line) => cellsOf(line, head.columns.length));
  return { block: { kind: 'table', head, rows, text: lines.slice(at, next).join('\n') }, next };
}

function nested(lines: readonly string[], at: number, depth: number): Found | null {
  if (depth >= DEEPEST) return null;
  return quote(lines, at, depth) ?? list(lines, at, depth);
}

function quote(lines: readonly string[], at: number, depth: number): Found | null {
  if (!QUOTE.test(lines[at]!)) return null;
  const inner: string[] = [];
  let next = at;
  for (; next < lines.length && QUOTE.test(lines[next]!); next += 1) inner.push(lines[next]!.replace(QUOTE, ''));
  return { block: { kind: 'quote', blocks: read(inner, depth + 1) }, next };
}

function list(lines: readonly string[], at: number, depth: number): Found | null {
  const head = itemOf(lines[at]!);
  if (!head) return null;
  const items: Block[][] = [];
  let next = at;
  for (let item: ItemHead | null = head; item?.sign === head.sign; item = itemOf(lines[next] ?? '')) {
    const inner = [lines[next]!.slice(item.width)];
    next += 1;
    while (next < lines.length && belongs(lines, next, item.width, inner)) {
      const line = lines[next]!;
      inner.push(line.slice(Math.min(item.width, Math.max(0, line.search(/\S/)))));
      next += 1;
    }
    items.push(read(inner, depth + 1));
    // Blank lines stand between items, too.
    let further = next;
    while (further < lines.length && lines[further]!.trim() === '') further += 1;
    if (itemOf(lines[further] ?? '')?.sign === head.sign) next = further;
  }
  return { block: { kind: 'list', first: head.first, items }, next };
}

interface ItemHead {
  /** The sign that tells items of one list from those of another. */
  readonly sign: string;
  readonly first: number | null;
  /** Characters before the item's own text. */
  readonly width: number;
}

function itemOf(line: string): ItemHead | null {
  const found = isRule(line) ? null : ITEM.exec(line);
  if (!found) return null;
  const [, indentation = '', mark = '', blanks] = found;
  const number = /^\d/.test(mark) ? Number.parseInt(mark, 10) : null;
  return {
    sign: mark.at(-1)!,
    first: number,
    width: indentation.length + mark.length + (blanks?.length ?? 1),
  };
}

/** True for a line that goes on with an item: one that is indented as far, or one that goes on with its last paragraph. */
function belongs(lines: readonly string[], at: number, width: number, inner: readonly string[]): boolean {
  const line = lines[at]!;
  if (line.trim() === '') {
    const following = lines[at + 1] ?? '';
    return following.trim() !== '' && indentationOf(following) >= width;
  }
  if (indentationOf(line) >= width) return true;
  return inner.at(-1)!.trim() !== '' && !beginsBlock(line);
}

function indentationOf(line: string): number {
  return Math.max(0, line.search(/\S/));
}

function paragraph(lines: readonly string[], at: number): Found {
  let next = at + 1;
  const goesOn = (line: string): boolean =>
    line.trim() !== '' && !beginsBlock(line) && tableHead(line, lines[next + 1] ?? '') === null;
  while (next < lines.length && goesOn(lines[next]!)) next += 1;
  const text = lines
    .slice(at, next)
    .map((line) => line.trim())
    .join('\n');
  return { block: { kind: 'paragraph', parts: inlinesOf(text) }, next };
}

/** True for a line that ends a paragraph before it. */
function beginsBlock(line: string): boolean {
  return FENCE.test(line) || HEADING.test(line) || isRule(line) || QUOTE.test(line) || itemOf(line) !== null;
}
