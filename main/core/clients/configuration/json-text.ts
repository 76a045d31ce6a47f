/** Puts one member into JSON with comments, the format of many editor configurations. All other characters are unchanged. */
import { createScanner, parseTree, type Node, type ParseError } from 'jsonc-parser';
import { ConfigurationFault } from './fault.ts';

/**
 * Returns the text with `value` at `path`, and creates missing objects along the path. An empty text is treated as an empty object.
 * @throws ConfigurationFault if the text is not JSON with comments, or if a value along the path is not an object.
 */
export function withMember(text: string, path: readonly [string, string], value: object): string {
  const base = text.trim() === '' ? '{}\n' : text;
  const root = parsed(base);
  if (root.type !== 'object') throw new ConfigurationFault('It does not contain an object.');
  const outer = memberOf(root, path[0]);
  const unit = unitOf(base);
  const changed = ((): string => {
    if (!outer) return inserted(base, root, path[0], { [path[1]]: value }, unit);
    const group = valueOf(outer);
    if (group.type !== 'object') throw new ConfigurationFault(`"${path[0]}" in it is not an object.`);
    const inner = memberOf(group, path[1]);
    if (!inner) return inserted(base, group, path[1], value, unit);
    const written = indented(value, unit, lineIndent(base, inner.offset), newlineOf(base));
    return base.slice(0, valueOf(inner).offset) + written + base.slice(endOf(inner));
  })();
  parsed(changed);
  return changed;
}

/** Returns JSON in the layout of handwritten files, with each list of words on one line. */
export function jsonText(value: object, unit = '  '): string {
  return JSON.stringify(value, null, unit).replaceAll(
    WORDS,
    (_all, words: string) => `[${words.replaceAll(/\n\s*/g, ' ')}]`,
  );
}

/**
 * The library's own `modify` is not used, because it reformats the lines around an insertion, and moves the comments at the ends of those
 * lines.
 */
function inserted(text: string, into: Node, name: string, value: object, unit: string): string {
  const newline = newlineOf(text);
  const first = membersOf(into)[0];
  const last = membersOf(into).at(-1);
  const outer = lineIndent(text, into.offset);
  const ownLine = first && /^\s*$/.test(text.slice(lineStart(text, first.offset), first.offset));
  const indent = ownLine ? lineIndent(text, first.offset) : outer + unit;
  const close = endOf(into) - 1;
  const written = `${newline}${indent}${JSON.stringify(name)}: ${indented(value, unit, indent, newline)}`;
  // The text before the closing brace, including comments, remains before the new member.
  const head = text.slice(0, close).trimEnd();
  const comma = last !== undefined && isCommaNext(text, endOf(last));
  const before = last && !comma ? `${head.slice(0, endOf(last))},${head.slice(endOf(last))}` : head;
  return `${before}${written}${comma ? ',' : ''}${newline}${outer}${text.slice(close)}`;
}

function membersOf(node: Node): readonly Node[] {
  return node.children ?? [];
}

/** Returns the value of a member. If several members have the name, the last one counts, as for `JSON.parse`. */
function memberOf(node: Node, name: string): Node | undefined {
  return membersOf(node).findLast((member) => member.children?.[0]?.value === name);
}

function valueOf(member: Node): Node {
  return member.children![1]!;
}

function endOf(node: Node): number {
  return node.offset + node.length;
}

function isCommaNext(text: string, offset: number): boolean {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  return text[scanner.getTokenOffset()] === ',';
}

function indented(value: object, unit: string, indent: string, newline: string): string {
  return jsonText(value, unit).replaceAll('\n', newline + indent);
}

function newlineOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** Returns one level of indentation in the style of the text. */
function unitOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

function lineIndent(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, at)))![0];
}

const WORDS = /\[\n\s*((?:"(?:[^"\\]|\\.)*",\n\s*)*"(?:[^"\\]|\\.)*")\n\s*\]/g;

function parsed(text: string): Node {
  const errors: ParseError[] = [];
  const root = tree(text.replace(/^\ufeff/, ' '), errors);
  const [error] = errors;
  if (root && !error) return root;
  const line = text.slice(0, error?.offset).split('\n').length;
  throw new ConfigurationFault(`It is not valid JSON: line ${line} cannot be read.`);
}

function tree(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true });
  } catch (error) {
    // The parser is recursive, so deep nesting overflows the stack.
    if (error instanceof RangeError) throw new ConfigurationFault('It is nested too deeply to be read.');
    throw error;
  }
}
