import { describe, expect, it } from 'vitest';
import { isComplete } from '#contract/sexp/reader.ts';
import { LineEditor, type Key, type KeyResult } from './line-editor.ts';

const HISTORY = ['(first)', '(defun f ()\n  1)', '(last one)'];

const NAMED: Readonly<Record<string, Key>> = {
  enter: { name: 'return' },
  tab: { name: 'tab' },
  up: { name: 'up' },
  down: { name: 'down' },
  left: { name: 'left' },
  right: { name: 'right' },
  home: { name: 'home' },
  end: { name: 'end' },
  backspace: { name: 'backspace' },
  delete: { name: 'delete' },
  escape: { name: 'escape' },
  paste: { name: 'paste-start' },
  pasted: { name: 'paste-end' },
};

/** Types text. `<enter>` and similar names are keys; `<C-a>` is a key with Control, `<M-b>` a key with Meta. */
function type(editor: LineEditor, typed: string): KeyResult {
  let result: KeyResult = null;
  for (const [part] of typed.matchAll(/<[^<>]+>|[^]/gu)) {
    const [, chord, name = ''] = /^<(?:([CM])-)?([^<>]+)>$/.exec(part) ?? [];
    if (chord !== undefined)
      result = editor.key(undefined, { ...(NAMED[name] ?? { name }), ctrl: chord === 'C', meta: chord === 'M' });
    else if (name !== '') result = editor.key(name === 'enter' ? '\r' : undefined, NAMED[name]!);
    else result = editor.key(part, { name: part });
  }
  return result;
}

/** Types text into an editor with this history, and returns the editor's text with `|` at the cursor. */
function after(typed: string, history: readonly string[] = HISTORY): string {
  const editor = new LineEditor(history, isComplete);
  type(editor, typed);
  return `${editor.text.slice(0, editor.cursor)}|${editor.text.slice(editor.cursor)}`;
}

describe('editing of a line', () => {
  it.each<[string, string]>([
    ['abc<left><left>x', 'ax|bc'],
    ['abc<home>x<end>y', 'xabcy|'],
    ['abc<C-a>x<C-e>y', 'xabcy|'],
    ['ab cd<C-w>', 'ab |'],
    ['ab cd<M-backspace><M-backspace>', '|'],
    ['ab cd<C-u>x', 'x|'],
    ['ab cd<C-a><C-k>', '|'],
    ['ab cd<M-b><C-k><C-a><C-y>', 'cd|ab '],
    ['ab<left><delete>', 'a|'],
    ['ab<C-b><C-d>', 'a|'],
    ['a👩‍💻b<left><left><delete>', 'a|b'],
    ['a👩‍💻<backspace>', 'a|'],
    ['(a<enter>b', '(a\nb|'],
    ['(ab<enter>c<up>X', '(Xab\nc|'.replace('(Xab\nc|', '(X|ab\nc')],
    ['(ab<enter>c<up><C-e><C-k>', '(ab|c'],
    ['(a<enter>bcd<home><up><end><down>x', '(a\nbcx|d'],
    ['a<M-enter>b', 'a\nb|'],
    ['<up>', '(last one)|'],
    ['<up><up>', '(defun f ()\n  1)|'],
    ['<up><up><home><up>x', '(x|defun f ()\n  1)'.replace('(x|', 'x|(')],
    ['<up><up><up><up>', '(first)|'],
    ['new<up><down>', 'new|'],
    ['<C-p><C-p><C-n>', '(last one)|'],
    ['<C-r>def<C-e>', '(defun f ()\n  1)|'],
    ['<C-r>(<C-r><C-r>', '|'],
    ['<C-r>fir<escape>', '|'],
    ['x<C-r>nothing<C-g>', 'x|'],
    ['<paste>(a)<enter>(b)<tab>c<pasted>', '(a)\n(b)c|'],
    ['<backspace><C-w><C-u><delete><left><down>', '|'],
  ])('Typing %j gives %j', (typed, text) => {
    expect(after(typed)).toBe(text);
  });

  it.each<[string, KeyResult]>([
    ['(a)<enter>', 'submit'],
    ['(a<enter>', null],
    ['<paste>(a)<enter>', null],
    ['<paste>(a)<enter><pasted><enter>', 'submit'],
    ['<C-c>', 'interrupt'],
    ['<C-d>', 'end'],
    ['a<C-d>', null],
    ['<C-l>', 'clear'],
    ['<C-z>', 'suspend'],
    ['a<tab>', 'complete'],
    ['<down>', 'bell'],
    ['<C-r>nothing', 'bell'],
    ['<C-r>first<enter>', 'submit'],
  ])('After %j the reader of the line has this to do: %j', (typed, result) => {
    expect(type(new LineEditor(HISTORY, isComplete), typed)).toBe(result);
  });

  it('A paste takes no control characters in', () => {
    const editor = new LineEditor([], isComplete);
    type(editor, '<paste>');
    editor.key('\u0003', { name: 'c', ctrl: true, sequence: '\u0003' });
    editor.key('\t', { name: 'tab', sequence: '\t' });
    editor.key('a', { name: 'a', sequence: 'a' });
    type(editor, '<pasted>');
    expect(editor.text).toBe('\ta');
  });
});
