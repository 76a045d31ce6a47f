/** Puts one item, identified by its `name`, into a list in a YAML text. All other characters are unchanged. */
import { isDeepStrictEqual } from 'node:util';
import { isMap, isScalar, isSeq, stringify, type Document, type ParsedNode, type YAMLSeq } from 'yaml';
import { ConfigurationFault } from './fault.ts';
import { columnOf, ended, endOf, inserted, memberOf, parsed } from './yaml-text.ts';

/**
 * Returns the text with an item in the list `group` that has this name and the members of `value`. A missing list is created.
 * @throws ConfigurationFault if the text is not YAML, or if an item of the list shares a line with other content.
 */
export function withYamlItem(text: string, [group, name]: readonly [string, string], value: object): string {
  const before = parsed(text);
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const item = { name, ...value };
  const after = spliced(text, before, group, item).replaceAll(/\r?\n/g, newline);
  // The range of lines was found heuristically, so this verifies that the resulting text has the intended meaning.
  if (!isDeepStrictEqual(parsed(after).toJS(), wantedOf(before, group, item))) throw unchangeable(group);
  return after;
}

/** Returns the list as YAML, with only this item and without a final line break. */
export function yamlItemText([group, name]: readonly [string, string], value: object): string {
  return stringify({ [group]: [{ name, ...value }] }, { lineWidth: 0 }).trimEnd();
}

function spliced(text: string, { contents }: Document.Parsed, group: string, item: { name: string }): string {
  if (contents !== null && !isMap(contents)) throw new ConfigurationFault('It does not contain a map.');
  const { name, ...value } = item;
  const outer = contents ? memberOf(contents, group) : undefined;
  const whole = yamlItemText([group, name], value);
  if (!outer) return `${ended(text)}${whole}\n`;
  const lines = whole.split('\n').slice(1).join('\n');
  if (!isSeq(outer.value)) {
    if (isScalar(outer.value) && outer.value.value === null) return inserted(text, endOf(text, outer), lines);
    throw new ConfigurationFault(`"${group}" in it is not a list.`);
  }
  const list = outer.value as YAMLSeq<ParsedNode>;
  const [first] = list.items;
  if (!first || list.flow) throw unchangeable(group);
  const shifted = lines.replaceAll(/^ {2}/gm, ' '.repeat(columnOf(text, dashOf(text, first))));
  const own = list.items.findLast((each) => isMap(each) && (each.get('name') as unknown) === name);
  if (!own) return inserted(text, endOf(text, outer), shifted);
  const start = dashOf(text, own);
  return `${text.slice(0, start - columnOf(text, start))}${shifted}${text.slice(endOf(text, { key: own, value: null }))}`;
}

/** Returns the position of an item's dash. */
function dashOf(text: string, { range: [start] }: ParsedNode): number {
  return text.lastIndexOf('-', start - 1);
}

function wantedOf(document: Document.Parsed, group: string, item: { name: string }): unknown {
  const all = (document.toJS() ?? {}) as Record<string, unknown>;
  const items = (all[group] ?? []) as unknown[];
  const own = items.findLastIndex((each) => (each as { name?: unknown } | null)?.name === item.name);
  return { ...all, [group]: own < 0 ? [...items, item] : items.with(own, item) };
}

function unchangeable(group: string): ConfigurationFault {
  return new ConfigurationFault(`The format of its ${group} cannot be edited here.`);
}
