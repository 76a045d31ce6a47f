/** Puts one member into a YAML text. All other characters are unchanged. */
import { isDeepStrictEqual } from 'node:util';
import { isMap, isScalar, parseDocument, stringify, type Document, type Pair, type YAMLMap } from 'yaml';
import { ConfigurationFault } from './fault.ts';

/**
 * Returns the text with `value` at `path`, and creates missing maps along the path.
 * @throws ConfigurationFault if the text is not YAML, or if the content at `path` shares a line with other content.
 */
export function withYamlMember(text: string, path: readonly [string, string], value: object): string {
  const before = parsed(text);
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const after = spliced(text, before, path, value).replaceAll(/\r?\n/g, newline);
  // The range of lines was found heuristically, so this verifies that the resulting text has the intended meaning.
  if (!isDeepStrictEqual(parsed(after).toJS(), wantedOf(before, path, value)))
    throw new ConfigurationFault(`The format of its ${path[0]} cannot be edited here.`);
  return after;
}

/** Returns only the entry `name` of the group as YAML, without a final line break. */
export function yamlText([group, name]: readonly [string, string], value: object): string {
  return stringify({ [group]: { [name]: value } }, { lineWidth: 0 }).trimEnd();
}

function spliced(text: string, { contents }: Document.Parsed, path: readonly [string, string], value: object): string {
  const [group, name] = path;
  if (contents !== null && !isMap(contents)) throw new ConfigurationFault('It does not contain a map.');
  const outer = contents ? memberOf(contents, group) : undefined;
  if (!outer) return `${ended(text)}${yamlText(path, value)}\n`;
  const member = yamlText([group, name], value).split('\n').slice(1).join('\n');
  if (!isMap(outer.value)) {
    if (isScalar(outer.value) && outer.value.value === null) return inserted(text, endOf(text, outer), member);
    throw new ConfigurationFault(`"${group}" in it is not a map.`);
  }
  const own = memberOf(outer.value, name);
  const [first] = outer.value.items;
  if (!first) throw new ConfigurationFault(`The format of its ${group} cannot be edited here.`);
  const lines = indented(member, columnOf(text, startOf(first)));
  if (!own) return inserted(text, endOf(text, outer), lines);
  const start = startOf(own) - columnOf(text, startOf(own));
  return `${text.slice(0, start)}${lines}${text.slice(endOf(text, own))}`;
}

/** Returns the member with this name in a map. */
export function memberOf(map: YAMLMap, name: string): Pair | undefined {
  return map.items.find(({ key }) => isScalar(key) && key.value === name);
}

function startOf({ key }: Pair): number {
  return (key as { range: [number, number, number] }).range[0];
}

/** Returns the offset at which the last line of a member ends. For a list item, pass the item as `key`. */
export function endOf(text: string, { key, value }: Pick<Pair, 'key' | 'value'>): number {
  const ranged = (value ?? key) as { range: [number, number, number] };
  const last = Math.max(
    text.slice(0, ranged.range[1]).trimEnd().length,
    (key as { range: [number, number, number] }).range[0],
  );
  const newline = text.indexOf('\n', last);
  return newline < 0 ? text.length : newline;
}

/** Returns the column of an offset in a text, from 0. */
export function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

/** Returns the text with `lines` inserted on their own lines after the line that ends at `at`. */
export function inserted(text: string, at: number, lines: string): string {
  return `${text.slice(0, at)}\n${lines}${text.slice(at) || '\n'}`;
}

function indented(lines: string, column: number): string {
  return lines.replaceAll(/^ {2}/gm, ' '.repeat(column));
}

/** Returns the text with a final line break, which is added if it is missing. */
export function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function wantedOf(document: Document.Parsed, [group, name]: readonly [string, string], value: object): unknown {
  const all = (document.toJS() ?? {}) as Record<string, object | null>;
  return { ...all, [group]: { ...all[group], [name]: value } };
}

/** Parses a text. @throws ConfigurationFault if the text is not YAML. */
export function parsed(text: string): Document.Parsed {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) throw new ConfigurationFault(`It is not valid YAML: ${error.message.split('\n')[0]}`);
  return document;
}
