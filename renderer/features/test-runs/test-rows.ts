/** The rows of the Tests panel: packages and systems, suites, and tests. The row of a group shows the state of the rows below it. Pure. */
import type { ShownTestResult, TestRecord } from '#contract/image/testing.ts';
import { durationWords, isFailure, isStale, shownName, STATE_WORDS, type TestState } from './outcomes.ts';
import type { TreeRow } from '../../ui/panels/tree.tsx';

export interface TestRow extends TreeRow {
  /** The test or suite of the row; null for a package and for the group of systems. */
  readonly test: TestRecord | null;
  readonly title: string;
  readonly state: TestState;
  readonly stale: boolean;
  /** The words after the title: the outcome of a test, or the number of failed tests in a group. */
  readonly note: string;
  /** The tests that the row runs. */
  readonly ids: readonly string[];
}

export interface RowWishes {
  readonly filter: string;
  readonly failedOnly: boolean;
  /** The ids of the folded rows. */
  readonly folded: ReadonlySet<string>;
  readonly results: ReadonlyMap<string, ShownTestResult>;
  readonly stateOf: (id: string) => TestState;
}

interface Node {
  readonly id: string;
  readonly title: string;
  readonly test: TestRecord | null;
  readonly children: Node[];
}

/** The states, ordered by importance. A group gets the first of these states that one of its tests has. */
const GRAVEST: readonly TestState[] = [
  'running',
  'waiting',
  'error',
  'failed',
  'stopped',
  'unknown',
  'passed',
  'skipped',
];
const FAILED: ReadonlySet<TestState> = new Set<TestState>(['error', 'failed', 'stopped']);

/** The title of the group of systems with their own test operation. */
const SYSTEMS = 'Systems (ASDF)';
/** The title of the group of tests whose names are not symbols, which RT allows. */
const NO_PACKAGE = 'No package';

export function testRows(listed: readonly TestRecord[], wishes: RowWishes): TestRow[] {
  const filter = wishes.filter.trim().toLowerCase();
  const isWanted = (node: Node): boolean => {
    if (node.children.some(isWanted)) return true;
    if (node.test === null || node.test.suite) return false;
    const matches = filter === '' || node.test.id.toLowerCase().includes(filter);
    if (!matches || !wishes.failedOnly) return matches;
    // Uses the earlier result, which a test keeps while it is running again.
    const result = wishes.results.get(node.test.id);
    return result !== undefined && isFailure(result.outcome);
  };
  const rows: TestRow[] = [];
  const add = (nodes: readonly Node[], level: number): void => {
    const wanted = nodes.filter(isWanted);
    for (const [index, node] of wanted.entries()) {
      const expanded = node.children.length === 0 ? null : filter !== '' || !wishes.folded.has(node.id);
      rows.push(rowOf(node, { level, expanded, position: index + 1, siblings: wanted.length }, wishes));
      if (expanded) add(node.children, level + 1);
    }
  };
  add(treeOf(listed), 1);
  return rows;
}

/** Returns the packages in their order, with suites and tests below them. The systems come last. */
function treeOf(listed: readonly TestRecord[]): Node[] {
  const nodes = new Map(
    listed.map((test): [string, Node] => [
      test.id,
      { id: test.id.replaceAll(/\s/g, '/'), title: shownName(test), test, children: [] },
    ]),
  );
  const roots = new Map<string, Node>();
  for (const test of listed) {
    const node = nodes.get(test.id)!;
    const parent = test.parent === null ? undefined : nodes.get(test.parent);
    if (parent && !isWithin(node, parent)) parent.children.push(node);
    else {
      const isSystem = test.framework === 'asdf';
      const title = isSystem ? SYSTEMS : test.package.toLowerCase() || NO_PACKAGE;
      const id = isSystem ? 'systems' : `package/${test.package.replaceAll(/\s/g, '/')}`;
      const root = roots.get(id) ?? { id, title, test: null, children: [] };
      root.children.push(node);
      roots.set(id, root);
    }
  }
  const systems = roots.get('systems');
  roots.delete('systems');
  return systems ? [...roots.values(), systems] : [...roots.values()];
}

function isWithin(outer: Node, node: Node): boolean {
  return outer === node || outer.children.some((child) => isWithin(child, node));
}

function rowOf(
  node: Node,
  place: Pick<TestRow, 'level' | 'expanded' | 'position' | 'siblings'>,
  { results, stateOf }: RowWishes,
): TestRow {
  const { id, title, test } = node;
  const ids = runnableBelow(node);
  const isGroup = node.children.length > 0 || test?.suite === true;
  const states = ids.map(stateOf);
  const state = isGroup ? (GRAVEST.find((each) => states.includes(each)) ?? 'unknown') : stateOf(test!.id);
  const result = test === null ? undefined : results.get(test.id);
  const stale = test !== null && isStale(test, result);
  const note = isGroup ? groupWords(states) : testWords(state, result, stale);
  return { id, ...place, label: `${title}, ${note}`, test, title, state, stale, note, ids };
}

/** Returns the state of a test as text, with its duration: `failed, 12 ms`. */
function testWords(state: TestState, result: ShownTestResult | undefined, stale: boolean): string {
  const words = [
    STATE_WORDS[state],
    result && result.ms !== null && result.outcome === state ? durationWords(result.ms) : '',
    stale ? 'out of date' : '',
  ];
  return words.filter((each) => each !== '').join(', ');
}

function runnableBelow({ test, children }: Node): string[] {
  const below = children.flatMap(runnableBelow);
  return test === null || test.suite ? below : [test.id, ...below];
}

/** Returns the state of a group's tests as text: `2 of 5 failed`. */
function groupWords(states: readonly TestState[]): string {
  const failed = states.filter((state) => FAILED.has(state)).length;
  const passed = states.filter((state) => state === 'passed').length;
  const total = states.length;
  if (total === 0) return 'empty';
  if (failed > 0) return `${failed} of ${total} failed`;
  if (passed === 0) return `${total} not run`;
  return passed === total ? `${total} passed` : `${passed} of ${total} passed`;
}
