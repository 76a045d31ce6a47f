/** A text split into pieces, one for each top-level form, so that only the changed pieces are checked again while the user types. */
import { designatedName, operatorName } from '#contract/sexp/forms.ts';
import type { Form, Reading } from '#contract/sexp/reader.ts';

/** A top-level form with the text between the previous form and this one: comments, prefixes, unmatched closers. */
export interface Piece {
  /** The offset in the whole text. */
  readonly start: number;
  readonly text: string;
  /** The offset of the form itself in the whole text; null after the last form. */
  readonly form: number | null;
  /** False if the form is never closed. */
  readonly closed: boolean;
}

/** Splits a text into pieces that together make up the whole text. */
export function piecesOf(text: string, { forms }: Pick<Reading, 'forms'>): Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  for (let index = 0; index < forms.length; index += 1) {
    const { body } = forms[index]!;
    // If several conditionals precede a form, each of them may also skip one of the following forms.
    const several = text.slice(start, body).split(/#[+-]/).length - 2;
    const whole = forms.slice(index, index + 1 + Math.max(0, several));
    index += whole.length - 1;
    const { end } = whole.at(-1)!;
    pieces.push({ start, text: text.slice(start, end), form: body, closed: whole.every(({ closed }) => closed) });
    start = end;
  }
  if (start < text.length) pieces.push({ start, text: text.slice(start), form: null, closed: true });
  return pieces;
}

/** Groups the pieces, in order, into batches of about `size` characters. */
export function batchesOf(pieces: readonly Piece[], size: number): Piece[][] {
  const batches: Piece[][] = [];
  let filled = size;
  for (const piece of pieces) {
    if (filled >= size) {
      batches.push([]);
      filled = 0;
    }
    batches.at(-1)!.push(piece);
    filled += piece.text.length;
  }
  return batches;
}

const PACKAGE_MAKERS = new Set([
  'defpackage',
  'define-package',
  'make-package',
  'rename-package',
  'add-package-local-nickname',
]);

/**
 * Returns the names of the packages that the text's own forms create, with their nicknames and local nicknames. Until the forms are
 * evaluated, names in these packages do not count as faults.
 */
export function packagesMadeIn(text: string, forms: readonly Form[]): string[] {
  return forms.flatMap(({ children: [operator, ...rest] }) => {
    if (!operator || !PACKAGE_MAKERS.has(operatorName(text, operator))) return [];
    const [first, ...options] = rest;
    const named = first ? [first, ...options.flatMap((option) => nicknamesIn(text, option))] : [];
    return named.map((name) => designatedName(text, name)).filter((name) => name !== null);
  });
}

/** Returns the names in `(:nicknames a b)`, and the first of each list in `(:local-nicknames (a package) …)`. */
function nicknamesIn(text: string, { children: [head, ...names] }: Form): readonly Form[] {
  const option = head ? text.slice(head.body, head.end).toLowerCase() : '';
  if (option === ':nicknames') return names;
  return option === ':local-nicknames' ? names.flatMap(({ children }) => children.slice(0, 1)) : [];
}

/** The pieces without faults. Only digests of their texts are stored, because a substring keeps the whole string in memory. */
export class FaultlessPieces {
  #surroundings: string | null = null;
  #digests = new Set<string>();

  /**
   * Returns the pieces that may contain faults: all except those already checked and found correct. `surroundings` is everything else that
   * a piece's faults depend on, such as the package.
   */
  suspects(pieces: readonly Piece[], surroundings: string): Piece[] {
    if (surroundings !== this.#surroundings) {
      this.#surroundings = surroundings;
      this.#digests.clear();
    }
    const digests = pieces.map(({ text }) => digestOf(text));
    const there = new Set(digests);
    for (const digest of this.#digests) if (!there.has(digest)) this.#digests.delete(digest);
    return pieces.filter((_piece, index) => !this.#digests.has(digests[index]!));
  }

  remember({ text }: Piece): void {
    this.#digests.add(digestOf(text));
  }
}

/** Returns a digest: the length and two sums over the characters. Two different texts have the same digest about once in 2^64 cases. */
function digestOf(text: string): string {
  let first = 0;
  let second = 0;
  for (const char of text) {
    const code = char.codePointAt(0)!;
    first = (Math.imul(first, 31) + code) | 0;
    second = Math.imul(second ^ code, 0x01_00_01_93);
  }
  return `${text.length} ${first} ${second}`;
}
