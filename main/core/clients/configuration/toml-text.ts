/** Puts one table into a TOML text. All other characters are unchanged. */
import { messageOf } from '#contract/text/text.ts';
import { isDeepStrictEqual } from 'node:util';
import { parse, stringify, type TomlTable } from 'smol-toml';
import { ConfigurationFault } from './fault.ts';

/**
 * Returns the text with the table `value` at `path`. The new table replaces an existing one of that name, or is added at the end.
 * @throws ConfigurationFault if the text is not TOML, or if `path` is written as something other than tables.
 */
export function withTable(text: string, path: readonly [string, string], value: object): string {
  const before = parsed(text);
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const table = tomlText(path, value).replaceAll('\n', newline);
  const lines = text.split(/(?<=\n)/);
  const [start, end] = blockOf(lines, path) ?? [lines.length, lines.length];
  const head = lines.slice(0, start).join('');
  const tail = lines.slice(end).join('');
  const after = `${separated(head, newline)}${table}${newline}${tail}`;
  // The range of lines was found heuristically, so this verifies that the resulting text has the intended meaning.
  const [rest, own] = split(parsed(after), path);
  const wanted = split(parsed(tomlText(path, value)), path)[1];
  if (!isDeepStrictEqual(rest, split(before, path)[0]) || !isDeepStrictEqual(own, wanted))
    throw new ConfigurationFault(`The format of its ${path[0]} cannot be edited here.`);
  return after;
}

/** Returns only the table as TOML, without a final line break. */
export function tomlText([group, name]: readonly [string, string], value: object): string {
  return stringify({ [group]: { [name]: value } }).trim();
}

/**
 * Returns the range of lines with the table and its subtables; null if there are none. Comments at the end are treated as belonging to the
 * lines that follow.
 */
function blockOf(lines: readonly string[], path: readonly [string, string]): [number, number] | null {
  const [group, name] = path.map((word) => `(?:${word}|"${word}"|'${word}')`);
  const header = new RegExp(String.raw`^\s*\[\s*${group}\s*\.\s*${name}\s*[\].]`);
  const start = lines.findIndex((line) => header.test(line));
  if (start < 0) return null;
  const next = lines.findIndex((line, index) => index > start && /^\s*\[/.test(line) && !header.test(line));
  if (next < 0) return [start, lines.length];
  return [start, lines.findLastIndex((line, index) => index < next && !/^\s*(#|$)/.test(line)) + 1];
}

function separated(head: string, newline: string): string {
  if (head === '' || /\n\s*\n$/.test(head)) return head;
  return head.endsWith('\n') ? `${head}${newline}` : `${head}${newline}${newline}`;
}

function parsed(text: string): TomlTable {
  try {
    return parse(text, { integersAsBigInt: 'asNeeded' });
  } catch (error) {
    const [first] = messageOf(error).split('\n');
    throw new ConfigurationFault(`It is not valid TOML: ${first}.`);
  }
}

/** Returns the value at `path`, and the rest of the table without that value. */
function split(table: TomlTable, [group, name]: readonly [string, string]): [unknown, unknown] {
  const { [group]: servers, ...others } = table;
  if (servers === undefined) return [others, undefined];
  if (typeof servers !== 'object' || Array.isArray(servers) || servers instanceof Date) return [table, undefined];
  const { [name]: own, ...rest } = servers;
  return [Object.keys(rest).length > 0 ? { ...others, [group]: rest } : others, own];
}
