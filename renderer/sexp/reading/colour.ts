/**
 * The syntactic roles of the pieces of Lisp text. Roles are determined line by line, and the next line needs only the state at the end of
 * the previous one. The editor, the REPL and the approval card share this code, so that their colours agree.
 */

export type Part =
  | 'plain'
  | 'operator'
  | 'name'
  | 'string'
  | 'doc'
  | 'comment'
  | 'keyword'
  | 'number'
  | 'character'
  | 'special'
  | 'paren'
  | 'bar';

export interface Run {
  part: Part;
  start: number;
  end: number;
}

/** An open list: its operator, and the index of the next element (0 is the operator). */
interface Frame {
  readonly outer: Frame | null;
  readonly head: string;
  readonly index: number;
  readonly role: 'code' | 'data' | 'feature' | 'name';
}

export interface ColourState {
  readonly mode: 'code' | 'string' | 'doc' | 'comment' | 'bar';
  /** The nesting depth of `#| |#` while the mode is comment. */
  readonly depth: number;
  readonly frame: Frame | null;
  /** The prefix before the next form: a quote makes it data, `#+` a feature expression. */
  readonly prefix: 'none' | 'quote' | 'feature';
}

export const initialColour: ColourState = { mode: 'code', depth: 0, frame: null, prefix: 'none' };

/** Colours one line, which is passed without its line break. */
export function colourLine(line: string, from: ColourState): { runs: Run[]; state: ColourState } {
  const runs: Run[] = [];
  let { mode, depth, frame, prefix } = from;
  let at = 0;

  const put = (part: Part, end: number): void => {
    const last = runs[runs.length - 1];
    if (last && last.part === part && last.end === at) last.end = end;
    else if (end > at) runs.push({ part, start: at, end });
    at = end;
  };
  const element = (): void => {
    if (frame && prefix !== 'feature') frame = { ...frame, index: frame.index + 1 };
    prefix = 'none';
  };

  while (at < line.length) {
    if (mode === 'comment') {
      const end = nextCommentEdge(line, at);
      depth += end.change;
      put('comment', end.at);
      if (depth === 0) mode = 'code';
      continue;
    }
    if (mode === 'string' || mode === 'doc') {
      const end = endOf(line, at, '"');
      put(mode, end.at);
      if (end.found) mode = 'code';
      continue;
    }
    if (mode === 'bar') {
      const end = endOf(line, at, '|');
      put('bar', end.at);
      if (end.found) mode = 'code';
      continue;
    }
    const char = line[at]!;
    const inFeature = frame?.role === 'feature' || prefix === 'feature';
    if (char === ';') put('comment', line.length);
    else if (/\s/.test(char)) put('plain', at + 1);
    else if (char === '(') {
      const outer: Frame | null = frame;
      const role: Frame['role'] = inFeature
        ? 'feature'
        : namesHere(frame)
          ? 'name'
          : prefix === 'quote' || frame?.role === 'data'
            ? 'data'
            : 'code';
      if (prefix !== 'feature') element();
      else prefix = 'none';
      frame = { outer: role === 'feature' && outer?.role !== 'feature' ? outer : frame, head: '', index: 0, role };
      put(role === 'feature' ? 'comment' : 'paren', at + 1);
    } else if (char === ')') {
      put(frame?.role === 'feature' ? 'comment' : 'paren', at + 1);
      frame = frame?.outer ?? null;
      prefix = 'none';
    } else if (char === '"') {
      mode = documents(frame) ? 'doc' : 'string';
      put(mode, at + 1);
      element();
    } else if (char === "'" || char === '`') {
      prefix = 'quote';
      put('plain', at + 1);
    } else if (char === ',') {
      prefix = 'none';
      put('plain', line[at + 1] === '@' || line[at + 1] === '.' ? at + 2 : at + 1);
    } else if (char === '#' && /^#\d*\|/.test(line.slice(at, at + 12))) {
      mode = 'comment';
      depth = 1;
      put('comment', at + 2);
    } else if (char === '#' && (line[at + 1] === '+' || line[at + 1] === '-')) {
      prefix = 'feature';
      put('comment', at + 2);
    } else if (char === '#' && line[at + 1] === '\\') {
      const end = tokenEnd(line, at + 3);
      put(inFeature ? 'comment' : 'character', Math.min(end, line.length));
      element();
    } else if (char === '#' && (line[at + 1] === "'" || line[at + 1] === '.')) {
      prefix = line[at + 1] === '.' ? 'none' : 'quote';
      put('plain', at + 2);
    } else if (char === '#' && line[at + 1] === '(') {
      prefix = 'quote';
      put('paren', at + 1);
    } else if (char === '#' && /^#[pP]"/.test(line.slice(at, at + 3))) {
      put('string', at + 2);
    } else {
      const end = tokenEnd(line, at);
      const word = line.slice(at, end);
      const bar = openBar(word);
      const part: Part = inFeature ? 'comment' : bar !== null ? 'bar' : partOf(word, frame, prefix);
      if (frame && frame.index === 0 && prefix !== 'feature')
        frame = { ...frame, head: word.toLowerCase().replace(/^.*:(?=.)/, word.startsWith(':') ? ':' : '') };
      element();
      if (bar === true) mode = 'bar';
      put(part, end);
    }
  }
  return { runs, state: { mode, depth, frame, prefix } };
}

/** Colours a text of several lines; returns an array of runs for each line. */
export function colourText(text: string): { line: string; runs: Run[] }[] {
  let state = initialColour;
  return text.split('\n').map((line) => {
    const coloured = colourLine(line, state);
    state = coloured.state;
    return { line, runs: coloured.runs };
  });
}

export function sameColourState(left: ColourState, right: ColourState): boolean {
  if (left === right) return true;
  if (left.mode !== right.mode || left.depth !== right.depth || left.prefix !== right.prefix) return false;
  let [one, other] = [left.frame, right.frame];
  while (one && other && one !== other) {
    if (one.head !== other.head || one.index !== other.index || one.role !== other.role) return false;
    [one, other] = [one.outer, other.outer];
  }
  return one === other;
}

const OPERATORS = new Set(
  (
    'and assert block case catch ccase check-type cond ctypecase declaim declare destructuring-bind do do* dolist dotimes ecase error etypecase eval-when ' +
    'flet function go handler-bind handler-case if ignore-errors in-package incf decf labels lambda let let* load-time-value locally loop loop-finish ' +
    'macrolet multiple-value-bind multiple-value-call multiple-value-list multiple-value-prog1 multiple-value-setq nth-value or pop print-unreadable-object ' +
    'proclaim prog prog* prog1 prog2 progn progv psetf psetq push pushnew quote remf restart-bind restart-case return return-from rotatef setf setq shiftf ' +
    'step symbol-macrolet tagbody the throw time trace typecase unless untrace unwind-protect when'
  ).split(' '),
);
OPERATORS.delete('error');

const LOOP_WORDS = new Set(
  (
    'named with for as and in on across from upfrom downfrom to upto downto below above by being each the of using while until repeat always never thereis ' +
    'collect collecting append appending nconc nconcing sum summing count counting maximize maximizing minimize minimizing into do doing initially finally ' +
    'return if when unless else end it hash-key hash-keys hash-value hash-values symbol symbols then'
  ).split(' '),
);

const NUMBER =
  /^[+-]?(\d+\.?|\d+\/\d+|\d*\.\d+([esfdlESFDL][+-]?\d+)?|\d+(\.\d*)?[esfdlESFDL][+-]?\d+|#[bBoOxX][+-]?[\da-fA-F/]+|#\d+[rR][+-]?\w+)$/;

function partOf(word: string, frame: Frame | null, prefix: ColourState['prefix']): Part {
  if (word.startsWith(':') || word.startsWith('&') || word.startsWith('#:')) return 'keyword';
  if (NUMBER.test(word)) return 'number';
  if (namesHere(frame) || namesInside(word, frame)) return 'name';
  if (/^([^:]*::?)?\*[^*]+\*$/.test(word)) return 'special';
  if (prefix === 'quote' || !frame || frame.role === 'data') return 'plain';
  const bare = word.toLowerCase().replace(/^[^:]+::?/, '');
  if (frame.index === 0 && frame.role === 'code' && (OPERATORS.has(bare) || /^(def(?!ault)|with-|do-)/.test(bare)))
    return 'operator';
  if (frame.head === 'loop' && frame.index > 0 && LOOP_WORDS.has(bare)) return 'operator';
  return 'plain';
}

function namesHere(frame: Frame | null): boolean {
  return frame !== null && frame.role === 'code' && frame.index === 1 && /^def(?!ault)|^define-/.test(frame.head);
}

/**
 * True if the defined name is inside a list after `word`. In `(defun (setf name) …)` the list's second symbol is the name, in `(defstruct
 * (name …) …)` its first.
 */
function namesInside(word: string, frame: Frame | null): boolean {
  if (frame?.role !== 'name') return false;
  return frame.index === 0 ? word.toLowerCase() !== 'setf' : frame.index === 1 && frame.head === 'setf';
}

function documents(frame: Frame | null): boolean {
  if (!frame) return false;
  if (frame.head === ':documentation') return frame.index === 1;
  if (frame.role !== 'code') return false;
  if (frame.head === 'defstruct') return frame.index === 2;
  return frame.head.startsWith('def') && frame.index === 3;
}

function nextCommentEdge(line: string, from: number): { at: number; change: number } {
  for (let at = from; at < line.length - 1; at += 1) {
    if (line[at] === '|' && line[at + 1] === '#') return { at: at + 2, change: -1 };
    if (line[at] === '#' && line[at + 1] === '|') return { at: at + 2, change: 1 };
  }
  return { at: line.length, change: 0 };
}

function endOf(line: string, from: number, delimiter: string): { at: number; found: boolean } {
  for (let at = from; at < line.length; at += 1) {
    if (line[at] === '\\') at += 1;
    else if (line[at] === delimiter) return { at: at + 1, found: true };
  }
  return { at: line.length, found: false };
}

function tokenEnd(line: string, from: number): number {
  let at = from;
  while (at < line.length) {
    const char = line[at]!;
    if (char === '\\') at += 2;
    else if (char === '|') at = endOf(line, at + 1, '|').at;
    else if (/[\s()"';`,]/.test(char)) break;
    else at += 1;
  }
  return Math.max(Math.min(at, line.length), Math.min(from, line.length), 1);
}

/** Returns true if a `|` in the token is still open at the end of the line, false if all are closed, null if there is none. */
function openBar(word: string): boolean | null {
  let bars = 0;
  for (let at = 0; at < word.length; at += 1) {
    if (word[at] === '\\') at += 1;
    else if (word[at] === '|') bars += 1;
  }
  return bars === 0 ? null : bars % 2 === 1;
}
