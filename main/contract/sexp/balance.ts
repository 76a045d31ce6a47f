/**
 * Finds missing or extra parentheses and suggests a fix. Compares the parentheses with the indentation, which shows the writer's intent.
 * Pure. Only for text that cannot be read: in readable text, the indentation does not prove that a parenthesis is wrong.
 */
import { type Form, readText } from './reader.ts';

/** A position in a text; line and column count from 1. */
interface Place {
  readonly line: number;
  readonly column: number;
}

export interface Imbalance extends Place {
  /** A sentence that describes the problem at this position. */
  readonly message: string;
  /** A sentence that suggests a fix; null if none is known. */
  readonly repair: string | null;
}

interface Insertion {
  readonly offset: number;
  readonly count: number;
  /** The list that the insertion closes; the outermost of them if it closes several. */
  readonly open: Form;
  /** The form whose indentation shows that parentheses are missing; null if only the end of the text shows this. */
  readonly because: Form | null;
}

const MOST_REPAIRS = 10;
const LONGEST_HEAD = 40;

/** Returns the first position at which parentheses are unbalanced; null if every form is complete. */
export function imbalanceOf(text: string): Imbalance | null {
  const { forms, missing, stray } = readText(text);
  const open = forms.find(({ closed }) => !closed);
  if (stray !== null && (open === undefined || stray < open.start)) return strayIn(text, forms, stray);
  if (!open) return missing === null ? null : cutShort(text, missing);
  const inner = innermostOpen(open);
  if (inner.kind !== 'list')
    return {
      ...placeOf(text, inner.start),
      message: `The ${inner.kind === 'string' ? 'string' : 'name in bars'} that begins here never ends.`,
      repair: null,
    };
  if (missing === 'comment') return cutShort(text, missing);
  return unclosedIn(text, open);
}

/** Returns the imbalance as text: "Line 3, column 5: … Insert …" */
export function imbalanceText({ line, column, message, repair }: Imbalance): string {
  return `Line ${line}, column ${column}: ${message}${repair === null ? '' : ` ${repair}`}`;
}

/** The types of the conditions that the reader signals for an unbalanced text. */
const UNREAD = new Set(['END-OF-FILE', 'READER-ERROR', 'SB-INT:SIMPLE-READER-ERROR']);

/**
 * Returns the message of the condition that ended `code`, followed by the location of unbalanced parentheses if they are the cause.
 * `firstLine` is the line number, in the surrounding text, of the first line of `code`; the reported line is counted from it.
 */
export function explained(
  { type, message }: { readonly type: string; readonly message: string },
  code: string,
  firstLine = 1,
): string {
  const found = UNREAD.has(type) ? imbalanceOf('\n'.repeat(firstLine - 1) + code) : null;
  return found === null ? message : `${message}\n${imbalanceText(found)}`;
}

/** Returns where parentheses are missing in a text whose first fault is a list that is never closed, and how many; null for other texts. */
export function missingClosers(text: string): (Place & { readonly count: number }) | null {
  const { forms, stray } = readText(text);
  const open = forms.find(({ closed }) => !closed);
  if (!open || (stray !== null && stray < open.start) || innermostOpen(open).kind !== 'list') return null;
  const { offset, count } = firstInsertion(text, open);
  return { ...placeOf(text, offset), count };
}

function firstInsertion(text: string, open: Form): Insertion {
  const [first] = insertionsFor(text);
  return first ?? { offset: endOfCode(text, open.end), count: 1, open: innermostOpen(open), because: null };
}

function unclosedIn(text: string, open: Form): Imbalance {
  const found = firstInsertion(text, open);
  const at = placeOf(text, found.offset);
  const what = `${headOf(text, found.open)} is never closed`;
  const why =
    found.because === null
      ? ''
      : `, although line ${placeOf(text, found.because.start).line} is indented as if it were`;
  return {
    ...placeOf(text, found.open.body),
    message: `${what}${why}.`,
    repair: `Insert ${')'.repeat(found.count)} at the end of line ${at.line}.`,
  };
}

/** Returns the insertions that make the text readable, in order; empty if none are known. */
function insertionsFor(text: string): Insertion[] {
  const made: Insertion[] = [];
  let mended = text;
  for (let round = 0; round < MOST_REPAIRS; round += 1) {
    const { forms } = readText(mended);
    const open = forms.find(({ closed }) => !closed);
    if (!open) return made;
    const next = byIndentation(mended, open) ?? atTheEnd(mended, open);
    if (made.length === 0) made.push(next);
    mended = mended.slice(0, next.offset) + ')'.repeat(next.count) + mended.slice(next.offset);
  }
  return made;
}

/**
 * Returns the insertion before the first line whose indentation shows that an open list should have ended: the line begins directly under
 * the list's parenthesis or to the left of it.
 */
function byIndentation(text: string, top: Form): Insertion | null {
  for (const form of inOrder(top.children)) {
    if (!beginsItsLine(text, form)) continue;
    const column = columnOf(text, form.start);
    const wrong: Form[] = [];
    for (let list = form.parent; list !== null; list = list.parent) {
      if (columnOf(text, list.body) < column) break;
      wrong.push(list);
    }
    const outermost = wrong.at(-1);
    if (outermost === undefined || outermost === form) continue;
    return { offset: endOfCode(text, form.start), count: wrong.length, open: outermost, because: form };
  }
  return null;
}

function atTheEnd(text: string, top: Form): Insertion {
  let count = 0;
  for (let form: Form | undefined = top; form && !form.closed; form = form.children.at(-1))
    count += form.kind === 'list' ? 1 : 0;
  return { offset: endOfCode(text, top.end), count: Math.max(1, count), open: top, because: null };
}

/**
 * Explains an extra closing parenthesis. If an earlier form seems to end too early, that form's closing parenthesis is reported instead.
 */
function strayIn(text: string, forms: readonly Form[], stray: number): Imbalance {
  const early = forms.findIndex(
    (form, index) =>
      index > 0 &&
      form.start < stray &&
      beginsItsLine(text, form) &&
      columnOf(text, form.start) > columnOf(text, forms[index - 1]!.start),
  );
  if (early < 0)
    return {
      ...placeOf(text, stray),
      message: 'This closing parenthesis has no matching opening one.',
      repair: 'Delete it.',
    };
  const [before, after] = [forms[early - 1]!, forms[early]!];
  return {
    ...placeOf(text, before.end - 1),
    message: `This parenthesis closes ${headOf(text, before)}, although line ${placeOf(text, after.start).line} is indented as if that form continued; so the one in line ${placeOf(text, stray).line} has no matching opening one.`,
    repair: `Delete this one.`,
  };
}

function cutShort(text: string, missing: string): Imbalance {
  return { ...placeOf(text, text.length), message: `The text ends within a ${missing}.`, repair: null };
}

function innermostOpen(form: Form): Form {
  let inner = form;
  for (let last = form.children.at(-1); last && !last.closed; last = last.children.at(-1)) inner = last;
  return inner;
}

/** Yields forms and all their subforms in text order. Iterative, because lists can be nested deeper than the call stack. */
function* inOrder(forms: readonly Form[]): Generator<Form> {
  const left = forms.toReversed();
  for (let form = left.pop(); form; form = left.pop()) {
    yield form;
    for (const child of form.children.toReversed()) left.push(child);
  }
}

function beginsItsLine(text: string, { start }: Form): boolean {
  return text.slice(text.lastIndexOf('\n', start - 1) + 1, start).trim() === '';
}

/** Returns the offset of the end of the last form that ends before `limit`. Comments that follow the form are not included. */
function endOfCode(text: string, limit: number): number {
  let end = 0;
  for (const form of inOrder(readText(text).forms)) if (form.closed && form.end <= limit) end = Math.max(end, form.end);
  return end === 0 ? limit : end;
}

function headOf(text: string, form: Form): string {
  const words = text.slice(form.start, form.end).split('\n')[0]!.trim();
  return words.length > LONGEST_HEAD ? `${words.slice(0, LONGEST_HEAD)} …` : words;
}

function placeOf(text: string, offset: number): Place {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}
