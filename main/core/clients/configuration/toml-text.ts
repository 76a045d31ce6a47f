/** Puts one table into a text of TOML and leaves every other character as it is. */
import { messageOf } from '#contract/text/text.ts';
import { isDeepStrictEqual } from 'node:util';
import { parse, stringify, type TomlTable } from 'smol-toml';
import { ConfigurationFault } from './fault.ts';

/**
 * The text with the table `value` at `path`, where the table of that name stood or at the end.
 * @throws ConfigurationFault when the text is no TOML, or keeps what is at `path` otherwise than in tables.
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
  // What the lines looked like is a guess: what they mean after the change is not.
  const [rest, own] = split(parsed(after), path);
  const wanted = split(parsed(tomlText(path, value)), path)[1];
  if (!isDeepStrictEqual(rest, split(before, path)[0]) || !isDeepStrictEqual(own, wanted))
    throw new ConfigurationFault(`Its ${path[0]} are written in a way that cannot be changed here.`);
  return after;
}

/** The table alone, without a line end at its end. */
export function tomlText([group, name]: readonly [string, string], value: object): string {
  return stringify({ [group]: { [name]: value } }).trim();
}

/** The lines of the table and of those in it; comments at their end belong to what follows. Null when there are none. */
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

/** Returns the value at `path`, and all the rest. */
function split(table: TomlTable, [group, name]: readonly [string, string]): [unknown, unknown] {
  const { [group]: servers, ...others } = table;
  if (servers === undefined) return [others, undefined];
  if (typeof servers !== 'object' || Array.isArray(servers) || servers instanceof Date) return [table, undefined];
  const { [name]: own, ...rest } = servers;
  return [Object.keys(rest).length > 0 ? { ...others, [group]: rest } : others, own];
}
