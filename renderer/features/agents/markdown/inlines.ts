/** Parses inline Markdown into pieces: code, emphasis, links. Pure. HTML is treated as ordinary text. */
import MarkdownIt, { type Token } from 'markdown-it';

type Emphasis = 'strong' | 'emphasis' | 'deleted';

export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: Emphasis; readonly parts: readonly Inline[] }
  /** A link. The address is as written and can have any scheme. */
  | { readonly kind: 'link'; readonly address: string; readonly parts: readonly Inline[] };

/** The maximum nesting level of emphasis and links. Deeper levels become plain text. */
const DEEPEST = 12;

const EMPHASIS: Readonly<Record<string, Emphasis>> = { strong: 'strong', em: 'emphasis', s: 'deleted' };

/** Prefixes of links between angle brackets. Other text there can be Lisp, such as `<sb-impl::name>`. */
const BETWEEN_ANGLES = /<(?:https?:\/\/|mailto:)/y;

const reader = new MarkdownIt({ linkify: true });
// Accept every address here. Addresses are shown as written, and checked when a person opens a link.
reader.validateLink = () => true;
reader.normalizeLink = (address) => address;
reader.normalizeLinkText = (address) => address;
// Treat an address in running text as a link only if it has a scheme, because `a.sh` is a file.
reader.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
for (const scheme of ['ftp:', 'mailto:', '//']) reader.linkify.add(scheme, null);
reader.inline.ruler.before('autolink', 'angle', (state) => {
  BETWEEN_ANGLES.lastIndex = state.pos;
  if (state.src[state.pos] !== '<' || BETWEEN_ANGLES.test(state.src)) return false;
  state.pending += '<';
  state.pos += 1;
  return true;
});

export function inlinesOf(text: string): Inline[] {
  return piecesOf(reader.parseInline(text, {})[0]?.children ?? []);
}

/** Returns the pieces of a flat token list, in which emphasis and links have a start and an end token. */
function piecesOf(tokens: readonly Token[]): Inline[] {
  const pieces: Inline[] = [];
  const around: Inline[][] = [];
  let inner = pieces;
  let depth = 0;
  for (const token of tokens) {
    if (token.nesting > 0) {
      depth += 1;
      if (depth > DEEPEST) continue;
      const parts: Inline[] = [];
      inner.push(begun(token, parts));
      around.push(inner);
      inner = parts;
    } else if (token.nesting < 0) {
      if (depth <= DEEPEST) inner = around.pop()!;
      depth -= 1;
    } else addLeaf(inner, token);
  }
  return pieces;
}

function begun(token: Token, parts: readonly Inline[]): Inline {
  const kind = EMPHASIS[token.tag];
  return kind ? { kind, parts } : { kind: 'link', address: String(token.attrGet('href')), parts };
}

function addLeaf(pieces: Inline[], token: Token): void {
  if (token.type === 'code_inline') pieces.push({ kind: 'code', text: token.content });
  else if (token.type === 'image') {
    // Convert an image to a link to the image, because the page loads nothing from elsewhere.
    const parts: Inline[] = [];
    addText(parts, (token.children ?? []).map(textOf).join(''));
    pieces.push({ kind: 'link', address: String(token.attrGet('src')), parts });
  } else addText(pieces, textOf(token));
}

/** Adds a text to the pieces, merging adjacent texts into one piece. */
function addText(pieces: Inline[], text: string): void {
  const before = pieces.at(-1);
  if (before?.kind === 'text') pieces[pieces.length - 1] = { kind: 'text', text: before.text + text };
  else if (text !== '') pieces.push({ kind: 'text', text });
}

function textOf({ type, content }: Token): string {
  return type === 'softbreak' || type === 'hardbreak' ? '\n' : content;
}
