/** Changes of a project's files that add a library: the dependencies of a system, and the libraries of qlot. Pure. */
import { designatedName, operatorName, type Span } from '#contract/sexp/forms.ts';
import { type Form, readText } from '#contract/sexp/reader.ts';

/** An insertion or replacement in a text. */
export interface TextChange extends Span {
  readonly text: string;
}

/**
 * The result of adding a dependency. `present`: the system depends on the library already, at the offset `at`. `computed`: the dependencies
 * are not a written list. `no-system`: the text does not define the system.
 */
export type DependencyChange =
  | { readonly kind: 'added'; readonly change: TextChange }
  | { readonly kind: 'present' | 'computed'; readonly at: number }
  | { readonly kind: 'no-system' };

/** The longest line that gets another entry. */
const LONGEST_LINE = 100;

/** Returns the change that adds a library to the dependencies of a system, in the style of its other dependencies. */
export function withDependency(text: string, system: string, library: string): DependencyChange {
  const definition = definitionsIn(text, readText(text).forms).find(
    ({ children }) => nameOf(text, children[1]!) === system.toLowerCase(),
  );
  if (!definition) return { kind: 'no-system' };
  const { children } = definition;
  const at = children.findIndex((child, index) => index > 1 && isKey(text, child, ':depends-on'));
  const key = children[at];
  if (!key) return { kind: 'added', change: newOption(text, definition, library) };
  const value = children[at + 1];
  const style = styleOf(text, value?.children.at(-1) ?? children[1]!);
  const written = writtenAs(library, style);
  if (!value) return added(key.end, ` (${written})`);
  if (value.kind === 'atom' && textOf(text, value).toLowerCase() === 'nil')
    return { kind: 'added', change: { start: value.start, end: value.end, text: `(${written})` } };
  if (value.kind !== 'list' || /#|,/.test(text.slice(value.start, value.body)))
    return { kind: 'computed', at: value.start };
  const same = value.children.find((entry) => namedBy(text, entry) === library.toLowerCase());
  if (same) return { kind: 'present', at: same.start };
  return { kind: 'added', change: newEntry(text, value, written) };
}

/** Returns the names of the systems that a text defines, in lower case unless they are strings. */
export function systemsDefinedIn(text: string): string[] {
  return definitionsIn(text, readText(text).forms).map(({ children }) => {
    const name = children[1]!;
    return name.kind === 'string' ? (designatedName(text, name) ?? '') : nameOf(text, name);
  });
}

/** Returns the change that adds a project to a `qlfile`; null if the file names the project already. */
export function withQlfileLine(text: string, project: string): TextChange | null {
  const isNamed = text.split('\n').some((line) => line.trim().split(/\s+/)[1] === project && !/^\s*#/.test(line));
  if (isNamed) return null;
  const end = text.length;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return { start: end, end, text: `${text === '' || text.endsWith('\n') ? '' : eol}ql ${project}${eol}` };
}

/** Returns the DEFSYSTEM forms among forms and their parts, in their order. */
function definitionsIn(text: string, forms: readonly Form[]): Form[] {
  return forms.flatMap((form) => {
    if (form.kind !== 'list') return [];
    const [operator, name] = form.children;
    if (operator?.kind === 'atom' && name && operatorName(text, operator) === 'defsystem') return [form];
    return definitionsIn(text, form.children);
  });
}

function textOf(text: string, { body, end }: Form): string {
  return text.slice(body, end);
}

function isKey(text: string, form: Form, key: string): boolean {
  return form.kind === 'atom' && textOf(text, form).toLowerCase() === key;
}

/** Returns the name of a system as ASDF compares names, for a string or a symbol; an empty string for other forms. */
function nameOf(text: string, form: Form): string {
  const name = designatedName(text, form) ?? '';
  return (form.kind === 'string' ? name : name.slice(name.lastIndexOf(':') + 1)).toLowerCase();
}

/** Returns the system that an entry of a dependency list names, including entries with a version or a condition. */
function namedBy(text: string, entry: Form): string {
  if (entry.kind !== 'list') return nameOf(text, entry);
  const operator = entry.children[0];
  const named = entry.children[operator && isKey(text, operator, ':feature') ? 2 : 1];
  return named ? namedBy(text, named) : '';
}

/** How a name is written: before it and after it. */
interface NameStyle {
  readonly before: '"' | ':' | '#:' | '';
}

/** Returns the style of the last name in a form. The name of a system as a symbol without a colon suggests strings. */
function styleOf(text: string, form: Form): NameStyle {
  const name = form.kind === 'list' ? form.children.findLast(({ kind }) => kind !== 'list') : form;
  if (form.kind === 'list' && isKey(text, form.children[0] ?? form, ':version'))
    return styleOf(text, form.children[1]!);
  if (!name) return { before: '"' };
  const [before] = /^(?:"|#:|:)?/.exec(textOf(text, name))!;
  const isOperator = form.parent !== null && form.parent.children[1] === form && isDefsystem(text, form.parent);
  return { before: before === '' && isOperator ? '"' : (before as NameStyle['before']) };
}

function isDefsystem(text: string, { children }: Form): boolean {
  return children[0] !== undefined && operatorName(text, children[0]) === 'defsystem';
}

/** Returns a library's name in a style. A name that a symbol cannot have without escapes is written as a string. */
function writtenAs(library: string, { before }: NameStyle): string {
  const isPlain = before === '' ? /^[a-z][a-z0-9+\-./*_]*$/ : /^[a-z0-9][a-z0-9+\-./*_]*$/;
  if (before === '"' || !isPlain.test(library)) return `"${library.replaceAll(/["\\]/g, '\\$&')}"`;
  return `${before}${library}`;
}

function added(at: number, text: string): DependencyChange {
  return { kind: 'added', change: { start: at, end: at, text } };
}

/** Returns the change that adds an entry to a written list. */
function newEntry(text: string, list: Form, written: string): TextChange {
  const last = list.children.at(-1);
  const [first] = list.children;
  if (!first || !last) {
    const inside = list.body + 1;
    const end = list.closed ? list.end - 1 : list.end;
    const isBlank = text.slice(inside, end).trim() === '';
    return isBlank
      ? { start: inside, end, text: written }
      : { start: inside, end: inside, text: /\s/.test(text[inside]!) ? written : `${written} ` };
  }
  const at = endWithComment(text, last);
  const isLong = last.end - lineStart(text, last.end) + written.length >= LONGEST_LINE;
  if (at === last.end && !isLong && !isOnePerLine(text, list.children))
    return { start: at, end: at, text: ` ${written}` };
  const column = ownsLine(text, last) ? indentation(text, last.start) : ' '.repeat(columnOf(text, first.start));
  return { start: at, end: at, text: `${endOfLine(text)}${column}${written}` };
}

/** True if each entry is on a line of its own, and the last one begins its line. */
function isOnePerLine(text: string, entries: readonly Form[]): boolean {
  const lines = new Set(entries.map(({ start }) => lineStart(text, start)));
  return lines.size === entries.length && ownsLine(text, entries.at(-1)!);
}

/** Returns the change that adds the option `:depends-on` to a system: before its components, otherwise at its end. */
function newOption(text: string, definition: Form, library: string): TextChange {
  const { children } = definition;
  const option = `:depends-on (${writtenAs(library, styleOf(text, children[1]!))})`;
  const keys = [':serial', ':components'];
  const before = children.findIndex((child, index) => index > 1 && keys.some((key) => isKey(text, child, key)));
  const next = children[before];
  const previous = children.at(before < 0 ? -1 : before - 1)!;
  const at = endWithComment(text, previous);
  const others = children.slice(2).find((child) => ownsLine(text, child));
  const isOneLine =
    at === previous.end && !others && lineStart(text, definition.end) === lineStart(text, definition.start);
  if (isOneLine || (next && at === previous.end && lineStart(text, next.start) === lineStart(text, previous.end)))
    return { start: at, end: at, text: ` ${option}` };
  const column = others ? indentation(text, others.start) : ' '.repeat(columnOf(text, definition.start) + 2);
  return { start: at, end: at, text: `${endOfLine(text)}${column}${option}` };
}

/** Returns the end of a form with the comment that follows on its line, so that the comment stays with the form. */
function endWithComment(text: string, { end }: Form): number {
  const comment = /^[^\S\n]*;[^\r\n]*/.exec(text.slice(end, end + 1000));
  return end + (comment?.[0].length ?? 0);
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

function columnOf(text: string, at: number): number {
  return at - lineStart(text, at);
}

function indentation(text: string, at: number): string {
  return /^[^\S\n]*/.exec(text.slice(lineStart(text, at), at))![0];
}

/** True if only spaces, or the condition of a form such as `#+sbcl`, come before it on its line. */
function ownsLine(text: string, { start }: Form): boolean {
  return /^[^\S\n]*(?:#[+-]\S*[^\S\n]+|#[+-]\(.*\)[^\S\n]+)?$/.test(text.slice(lineStart(text, start), start));
}

function endOfLine(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}
