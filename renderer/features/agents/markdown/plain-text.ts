/** Converts Markdown to plain text without marks and tags, for screen readers. Pure. */
import { type Block, blocksOf } from './blocks.ts';
import { type Inline, inlinesOf } from './inlines.ts';

/** Returns the text on one line. Headings, items and rows end like sentences. */
export function plainText(markdown: string): string {
  return ofBlocks(blocksOf(markdown)).replaceAll(/\s+/g, ' ').trim();
}

function ofBlocks(blocks: readonly Block[]): string {
  return blocks.map(ofBlock).join(' ');
}

function ofBlock(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return ofInlines(block.parts);
    case 'heading':
      return sentence(ofInlines(block.parts));
    case 'code':
      return block.text;
    case 'table':
      return [block.head.cells, ...block.rows]
        .map((cells) => sentence(cells.map((cell) => ofInlines(inlinesOf(cell))).join(', ')))
        .join(' ');
    case 'rule':
      return '';
    case 'quote':
      return ofBlocks(block.blocks);
    case 'list':
      return block.items
        .map((item, index) => {
          const text = sentence(ofBlocks(item));
          return block.first === null ? text : `${block.first + index}. ${text}`;
        })
        .join(' ');
  }
}

/** Join adjacent texts first, because a tag can start in one and end in another. */
function ofInlines(parts: readonly Inline[]): string {
  let said = '';
  let text = '';
  for (const part of parts) {
    if (part.kind === 'text') {
      text += part.text;
      continue;
    }
    said += withoutTags(text) + (part.kind === 'code' ? part.text : ofInlines(part.parts));
    text = '';
  }
  return said + withoutTags(text);
}

/** Matches HTML tags by name. Other text between angle brackets, such as `#<FUNCTION F>`, is left unchanged. */
const TAG =
  /(?<!#)<\/?(?:a|abbr|b|big|blockquote|body|br|button|center|code|dd|del|details|div|dl|dt|em|font|form|h[1-6]|head|hr|html|i|iframe|img|input|ins|kbd|li|link|mark|meta|ol|p|pre|q|s|samp|script|small|span|strike|strong|style|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|var|video)(?:\s[^<>]*)?\/?>/gi;

function withoutTags(text: string): string {
  return text.replaceAll(TAG, ' ');
}

function sentence(text: string): string {
  const trimmed = text.trim();
  return trimmed === '' || /[.!?:;,…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
