/** Common Lisp for Monaco: colours from the workbench's own reader, brackets, and comments. */
import { type ColourState, colourLine, initialColour, type Part, sameColourState } from '../../sexp/reading/colour.ts';
import { monaco } from './monaco.ts';

export const LISP = 'commonlisp';

/** A scope name that contains the word "string" or "comment" stops Monaco from matching brackets there. */
const SCOPES: Record<Part, string> = {
  plain: 'plain',
  operator: 'operator',
  name: 'name',
  string: 'string',
  doc: 'doc.string',
  comment: 'comment',
  keyword: 'keyword',
  number: 'number',
  character: 'number.string',
  special: 'special',
  paren: 'paren',
  bar: 'plain.string',
};

class LineState implements monaco.languages.IState {
  readonly colour: ColourState;
  constructor(colour: ColourState) {
    this.colour = colour;
  }
  clone(): LineState {
    return this;
  }
  equals(other: monaco.languages.IState): boolean {
    return other instanceof LineState && sameColourState(this.colour, other.colour);
  }
}

export function registerLisp(): void {
  monaco.languages.register({
    id: LISP,
    extensions: ['.lisp', '.lsp', '.cl', '.asd', '.sexp'],
    aliases: ['Common Lisp'],
  });
  monaco.languages.setTokensProvider(LISP, {
    getInitialState: () => new LineState(initialColour),
    tokenize(line, state) {
      const { runs, state: end } = colourLine(line, (state as LineState).colour);
      return {
        tokens: runs.map((run) => ({ startIndex: run.start, scopes: SCOPES[run.part] })),
        endState: new LineState(end),
      };
    },
  });
  monaco.languages.setLanguageConfiguration(LISP, {
    comments: { lineComment: ';;', blockComment: ['#|', '|#'] },
    brackets: [['(', ')']],
    // Monaco's own closing of pairs is off: electric-pairs.ts inserts closers and types over them.
    autoClosingPairs: [],
    surroundingPairs: [
      { open: '(', close: ')' },
      { open: '"', close: '"' },
    ],
    wordPattern: /[^\s()"';`,]+/,
  });
}
