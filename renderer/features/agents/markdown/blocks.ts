/**
 * Parses Markdown into blocks: paragraphs, headings, code, lists, quotes, tables. Pure. The time is proportional to the length of the text.
 */
import MarkdownIt, { type Token } from 'markdown-it';
import { type Inline, inlinesOf } from './inlines.ts';

export type Alignment = 'start' | 'center' | 'end';

interface TableHead {
  /** The Markdown of each cell. */
  readonly cells: readonly string[];
  /** The alignment of each column. */
  readonly columns: readonly Alignment[];
}

export type Block =
  | { readonly kind: 'paragraph'; readonly parts: readonly Inline[] }
  | { readonly kind: 'heading'; readonly level: number; readonly parts: readonly Inline[] }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  /** A table. Its cells are inline Markdown, and each row has as many cells as there are columns. `text` is the source of the table. */
  | {
      readonly kind: 'table';
      readonly head: TableHead;
      readonly rows: readonly (readonly string[])[];
      readonly text: string;
    }
  | { readonly kind: 'rule' }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | { readonly kind: 'list'; readonly first: number | null; readonly items: readonly (readonly Block[])[] };

/**
 * The maximum nesting level of quotes and lists that is parsed; a list counts as two levels. Each line at a deeper level becomes a
 * paragraph.
 */
const DEEPEST = 16;
/** The maximum number of columns in a table; a wider table is drawn as text. */
const MOST_COLUMNS = 64;

/** Parses blocks only. `inlinesOf` parses their text; for tables, not until the table is drawn. */
const reader = new MarkdownIt();
reader.core.ruler.enableOnly(['normalize', 'block']);
// These rules are off. With them, text above a line of dashes would become a heading while the first list item is still arriving, and link
// definitions would be hidden.
reader.block.ruler.disable(['lheading', 'reference']);
reader.block.ruler.before('blockquote', 'deepest', (state, line) => {
  if (state.level < DEEPEST) return false;
  state.push('paragraph_open', 'p', 1);
  state.push('inline', '', 0).content = state.getLines(line, line + 1, state.blkIndent, false).trim();
  state.push('paragraph_close', 'p', -1);
  state.line = line + 1;
  return true;
});

export function blocksOf(text: string): Block[] {
  const source = text.replaceAll(/\r\n?/g, '\n');
  return read(reader.parse(source, {}).values(), source.split('\n'), '');
}

/** Converts tokens to blocks, up to a token of type `end`. */
function read(tokens: ArrayIterator<Token>, lines: readonly string[], end: string): Block[] {
  const blocks: Block[] = [];
  for (const token of tokens) {
    if (token.type === end) break;
    const block = blockOf(token, tokens, lines);
    if (block) blocks.push(block);
  }
  return blocks;
}

function blockOf(token: Token, tokens: ArrayIterator<Token>, lines: readonly string[]): Block | null {
  switch (token.type) {
    case 'inline':
      return { kind: 'paragraph', parts: inlinesOf(token.content) };
    case 'heading_open':
      return { kind: 'heading', level: Number(token.tag.slice(1)), parts: inlinesOf(tokens.next().value!.content) };
    case 'fence':
    case 'code_block':
      return { kind: 'code', language: languageOf(token), text: token.content.replace(/\n$/, '') };
    case 'hr':
      return { kind: 'rule' };
    case 'blockquote_open':
      return { kind: 'quote', blocks: read(tokens, lines, 'blockquote_close') };
    case 'bullet_list_open':
      return { kind: 'list', first: null, items: itemsOf(tokens, lines, 'bullet_list_close') };
    case 'ordered_list_open': {
      const first = Number(token.attrGet('start') ?? 1);
      return { kind: 'list', first, items: itemsOf(tokens, lines, 'ordered_list_close') };
    }
    case 'table_open':
      return tableOf(tokens, lines.slice(...token.map!));
    default:
      return null;
  }
}

function languageOf({ info }: Token): string {
  return (reader.utils.unescapeAll(info).trim().split(/\s/)[0] ?? '').toLowerCase();
}

function itemsOf(tokens: ArrayIterator<Token>, lines: readonly string[], end: string): Block[][] {
  const items: Block[][] = [];
  for (const token of tokens) {
    if (token.type === end) break;
    items.push(read(tokens, lines, 'list_item_close'));
  }
  return items;
}

const ALIGNMENT: Readonly<Record<string, Alignment>> = { 'text-align:center': 'center', 'text-align:right': 'end' };

/** The marks of surrounding quotes and list items at the start of a table's line. */
const AROUND = /^(?:[\s>]|[-*+]\s|\d{1,9}[.)]\s)+/;

function tableOf(tokens: ArrayIterator<Token>, lines: readonly string[]): Block {
  const text = lines.map((line) => line.replace(AROUND, '')).join('\n');
  const columns: Alignment[] = [];
  const rows: string[][] = [];
  for (const token of tokens) {
    if (token.type === 'table_close') break;
    if (token.type === 'tr_open') rows.push([]);
    else if (token.type === 'th_open') columns.push(ALIGNMENT[String(token.attrGet('style'))] ?? 'start');
    else if (token.type === 'inline') rows.at(-1)!.push(token.content);
  }
  const [cells = [], ...rest] = rows;
  if (columns.length > MOST_COLUMNS) return { kind: 'paragraph', parts: inlinesOf(text) };
  return { kind: 'table', head: { cells, columns }, rows: rest, text };
}
