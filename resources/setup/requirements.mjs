/**
 * `npm run requirements`: the numbered requirements that no test proves. An item counts when a test that names it passed
 * in the last `npm test`. Tests in Lisp do not count: an item is proven through a door (MCP, Lisply, command line, window).
 * Titles name items as in `E20 prints…`, `E19, E20 …`, `T6 T7 …`, `S1–S6 …`.
 */
import { readFileSync } from 'node:fs';
import { inRoot } from './places.mjs';
import { readResults } from './test-results.mjs';

const THROUGH_A_DOOR = ['unit', 'e2e'];

const groups = JSON.parse(readFileSync(inRoot('resources', 'setup', 'requirements.json'), 'utf8'));
const tests = readResults().filter((test) => THROUGH_A_DOOR.includes(test.stage));

if (tests.length === 0) {
  process.stderr.write('✗ There are no results of tests yet. Make some:\n    npm test\n');
  process.exitCode = 1;
} else {
  print(new Set(tests.filter((test) => test.passed).flatMap((test) => itemsIn(test.title))));
}

function print(proven) {
  const lines = groups.map(({ group, title, items }) => {
    const ids = Object.keys(items);
    return `${group}  ${title}: ${ids.filter((id) => proven.has(id)).length} of ${ids.length}`;
  });
  const missing = groups.flatMap(({ items }) => Object.entries(items)).filter(([id]) => !proven.has(id));
  if (missing.length > 0) lines.push('', `Not named by a passing test (${missing.length}):`);
  lines.push(...missing.map(([id, gist]) => `  ${id.padEnd(4)} ${gist}`));
  process.stdout.on('error', () => process.exit()).write(`${lines.join('\n')}\n`);
}

/** The item ids that a title names; a range `S1–S6` names all between. */
export function itemsIn(title) {
  return [...title.matchAll(/\b([ETSLXGPKD])(\d{1,2})(?:\s?[–-]\s?\1?(\d{1,2}))?\b/g)].flatMap(
    ([, group, first, last]) => {
      const from = Number(first);
      const to = Math.max(from, Number(last ?? first));
      return Array.from({ length: to - from + 1 }, (_, at) => `${group}${from + at}`);
    },
  );
}
