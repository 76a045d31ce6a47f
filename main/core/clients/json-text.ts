/** Puts one member into a text of JSON with comments, as the files of editors are, and leaves every other character as it is. */
import { ConfigurationFault } from './configuration-fault.ts';

type Node =
  | {
      readonly kind: 'object';
      readonly start: number;
      readonly end: number;
      readonly members: Member[];
      readonly comma: boolean;
    }
  | { readonly kind: 'array' | 'other'; readonly start: number; readonly end: number };

interface Member {
  readonly name: string;
  readonly start: number;
  readonly value: Node;
}

/**
 * The text with `value` at `path`; objects on the way are made. An empty text counts as an empty object.
 * @throws ConfigurationFault when the text is no JSON with comments, or holds something else than objects on the way.
 */
export function withMember(text: string, path: readonly [string, string], value: object): string {
  const base = text.trim() === '' ? '{}\n' : text;
  const root = parse(base);
  if (root.kind !== 'object') throw new ConfigurationFault('It does not hold an object.');
  const outer = memberOf(root, path[0]);
  const unit = unitOf(base);
  const changed = ((): string => {
    if (!outer) return insert(base, root, path[0], { [path[1]]: value }, unit);
    if (outer.value.kind !== 'object') throw new ConfigurationFault(`"${path[0]}" in it is no object.`);
    const inner = memberOf(outer.value, path[1]);
    if (!inner) return insert(base, outer.value, path[1], value, unit);
    const written = indented(value, unit, lineIndent(base, inner.start), newlineOf(base));
    return base.slice(0, inner.value.start) + written + base.slice(inner.value.end);
  })();
  parse(changed);
  return changed;
}

/** JSON as people write it: lists of words on one line. */
export function jsonText(value: object, unit = '  '): string {
  return JSON.stringify(value, null, unit).replaceAll(
    WORDS,
    (_all, words: string) => `[${words.replaceAll(/\n\s*/g, ' ')}]`,
  );
}

function insert(
  text: string,
  into: Extract<Node, { kind: 'object' }>,
  name: string,
  value: object,
  unit: string,
): string {
  const newline = newlineOf(text);
  const last = into.members.at(-1);
  const first = into.members[0];
  const outer = lineIndent(text, into.start);
  const ownLine = first && /^\s*$/.test(text.slice(lineStart(text, first.start), first.start));
  const indent = ownLine ? lineIndent(text, first.start) : outer + unit;
  const close = into.end - 1;
  const written = `${newline}${indent}${JSON.stringify(name)}: ${indented(value, unit, indent, newline)}`;
  // What stands before the closing brace, comments too, stays before the new member.
  const head = text.slice(0, close).trimEnd();
  const comma = last && !into.comma ? ',' : '';
  const before = last ? head.slice(0, last.value.end) + comma + head.slice(last.value.end) : head;
  return `${before}${written}${into.comma ? ',' : ''}${newline}${outer}${text.slice(close)}`;
}

function memberOf(node: Extract<Node, { kind: 'object' }>, name: string): Member | undefined {
  return node.members.findLast((member) => member.name === name);
}

function indented(value: object, unit: string, indent: string, newline: string): string {
  return jsonText(value, unit).replaceAll('\n', newline + indent);
}

function newlineOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** One step of indentation, as the text itself does it. */
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

const BLANK = /(?:[\s\ufeff]|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
// Control characters in it are refused by JSON.parse.
const STRING = /"(?:[^"\\]|\\[^])*"/y;
const LITERAL = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const DEEPEST = 200;

function parse(text: string): Node {
  let at = 0;
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found === undefined) return null;
    at += found.length;
    return found;
  };
  const fail = (): never => {
    const line = text.slice(0, at).split('\n').length;
    throw new ConfigurationFault(`It is no valid JSON: line ${line} cannot be read.`);
  };
  const string = (): string => {
    const found = take(STRING) ?? fail();
    try {
      return JSON.parse(found) as string;
    } catch {
      return fail();
    }
  };
  const value = (depth: number): Node => {
    take(BLANK);
    const start = at;
    const opening = text[at];
    if (depth > DEEPEST) return fail();
    if (opening === '{' || opening === '[') {
      at += 1;
      const closing = opening === '{' ? '}' : ']';
      const members: Member[] = [];
      let comma = false;
      for (take(BLANK); text[at] !== closing; take(BLANK)) {
        const memberStart = at;
        if (opening === '{') {
          const name = string();
          take(BLANK);
          if (text[at] !== ':') fail();
          at += 1;
          members.push({ name, start: memberStart, value: value(depth + 1) });
        } else value(depth + 1);
        take(BLANK);
        comma = text[at] === ',';
        if (comma) at += 1;
        else if (text[at] !== closing) fail();
      }
      at += 1;
      return opening === '{'
        ? { kind: 'object', start, end: at, members, comma: comma && members.length > 0 }
        : { kind: 'array', start, end: at };
    }
    if (opening === '"') string();
    else if (take(LITERAL) === null) fail();
    return { kind: 'other', start, end: at };
  };
  const root = value(0);
  take(BLANK);
  if (at < text.length) fail();
  return root;
}
