/**
 * `npm run requirements`: lists the numbered requirements that no test proves. An item counts as proven if a test that names the item
 * passed in the last `npm test`. Tests in Lisp do not count, because an item is proven through an interface for users (MCP, Lisply, command
 * line, window). A test names items at the end of its title, as in `… [E19, E20]` or `… [S1–S6, decision 5]`. The text of each item is in
 * docs/requirements.md.
 */
import { itemsIn, requirementGroups } from './requirement-items.mjs';
import { readResults } from '../gate/test-results.mjs';

const THROUGH_A_DOOR = ['unit', 'packages', 'e2e'];

const groups = requirementGroups();
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
  lines.push(...missing.map(([id, text]) => `  ${id.padEnd(4)} ${text}`));
  process.stdout.on('error', () => process.exit()).write(`${lines.join('\n')}\n`);
}
