/** The accessibility tree of a page, as Chromium passes it to a screen reader: roles, names, states, and the node with the focus. */
import type { CDPSession, Page } from '@playwright/test';

/** A node that a screen reader visits, with its children. */
export interface Spoken {
  readonly role: string;
  readonly name: string;
  readonly description: string;
  /** The states that the node has, such as `focused`, `expanded`, `level` and `live`. */
  readonly states: Readonly<Record<string, unknown>>;
  /**
   * The number of the node's element. `active` is the number of the row that the node names as its active descendant, on which the keys
   * act.
   */
  readonly element: number | null;
  readonly active: number | null;
  readonly children: readonly Spoken[];
}

interface Value {
  readonly value?: unknown;
  readonly relatedNodes?: readonly { readonly backendDOMNodeId: number }[];
}

interface AxNode {
  readonly nodeId: string;
  readonly backendDOMNodeId?: number;
  readonly ignored: boolean;
  readonly role?: Value;
  readonly name?: Value;
  readonly description?: Value;
  readonly properties?: readonly { readonly name: string; readonly value: Value }[];
  readonly childIds?: readonly string[];
}

const sessions = new WeakMap<Page, Promise<CDPSession>>();

/** Reads the whole tree of a page. Nodes without a meaning are replaced by their children. */
export async function spokenOf(page: Page): Promise<Spoken> {
  const begun = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, begun);
  const { nodes } = (await (await begun).send('Accessibility.getFullAXTree')) as { nodes: AxNode[] };
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const below = ({ childIds = [] }: AxNode): Spoken[] =>
    childIds.flatMap((id) => {
      const node = byId.get(id);
      return node === undefined ? [] : isMeant(node) ? [spoken(node)] : below(node);
    });
  const spoken = (node: AxNode): Spoken => ({
    role: text(node.role),
    name: text(node.name).trim(),
    description: text(node.description),
    states: Object.fromEntries((node.properties ?? []).map(({ name, value }) => [name, value.value])),
    element: node.backendDOMNodeId ?? null,
    active:
      node.properties?.find(({ name }) => name === 'activedescendant')?.value.relatedNodes?.[0]?.backendDOMNodeId ??
      null,
    children: below(node),
  });
  return spoken(nodes[0]!);
}

/** Returns every node of a tree, beginning with its root. */
function all(from: Spoken): Spoken[] {
  return [from, ...from.children.flatMap(all)];
}

/**
 * Returns the node with the focus, as a screen reader names it: `textbox REPL input`. For a list that has the focus and names an active
 * row, returns that row. Returns the page itself if no element has the focus.
 */
export async function focusOf(page: Page): Promise<string> {
  const nodes = all(await spokenOf(page));
  const focused = nodes.findLast(({ states }) => states['focused'] === true);
  if (focused === undefined) return 'nothing';
  const { role, name } = nodes.find(({ element }) => focused.active !== null && element === focused.active) ?? focused;
  return `${role} ${name}`;
}

/** Roles of texts and boxes that are read as parts of their parents. */
const MEANINGLESS = new Set(['none', 'generic', 'InlineTextBox', 'StaticText', 'LineBreak', 'ListMarker', 'LabelText']);

const isMeant = (node: AxNode): boolean => !node.ignored && !MEANINGLESS.has(text(node.role));

const text = (value: Value | undefined): string => (typeof value?.value === 'string' ? value.value : '');

/** Roles of elements that a person operates. Each such element needs a name that distinguishes it from its neighbors. */
const INTERACTIVE = new Set([
  'button',
  'checkbox',
  'combobox',
  'link',
  'menuitem',
  'option',
  'radio',
  'searchbox',
  'separator',
  'slider',
  'spinbutton',
  'tab',
  'textbox',
  'treeitem',
]);

/** Roles of containers, which a screen reader names when it enters them. */
const HOLDERS = new Set([
  'dialog',
  'alertdialog',
  'grid',
  'group',
  'listbox',
  'radiogroup',
  'table',
  'tablist',
  'tree',
  'treegrid',
]);

/** Roles whose nodes may have the same name as a neighbor, because their positions distinguish them. */
const LISTED = new Set(['option', 'treeitem']);

/** Returns the problems that a tree has for users of a screen reader, one line each. */
export function unclearIn(from: Spoken): string[] {
  const nodes = all(from);
  const nameless = nodes
    .filter(({ role, name }) => (INTERACTIVE.has(role) || HOLDERS.has(role)) && name === '')
    // Ignores the unnamed group around a number field and its buttons, because the field inside it has the name.
    .filter(({ role, children }) => role !== 'group' || !children.some((each) => each.role === 'textbox'))
    .map(({ role, children }) => `a ${role} without a name, with ${children.map(({ name }) => name).join(', ')}`);
  const alike = nodes.flatMap(({ role, name, children }) =>
    repeated(children.filter((each) => INTERACTIVE.has(each.role) && !LISTED.has(each.role))).map(
      (which) => `in ${role} ${name} more than one ${which}`,
    ),
  );
  const regions = repeated(nodes.filter((each) => each.role === 'region')).map((which) => `more than one ${which}`);
  return [...nameless, ...alike, ...regions];
}

function repeated(nodes: readonly Spoken[]): string[] {
  const names = nodes.map(({ role, name, description }) => `${role} ${name} ${description}`.trim());
  return [...new Set(names.filter((each, at) => names.indexOf(each) !== at))];
}
