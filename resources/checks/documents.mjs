/**
 * `npm run docs`: writes the generated parts of the documents. These are docs/requirements.md, the picture in ARCHITECTURE.md, and the
 * references of commands, keys, settings and tools. The references need an image's answers, so the tests that compare them also write them.
 * With `--check`, nothing is written; instead, a line `pass` or `fail` is printed for each check, for the stage `documents` of `npm test`.
 */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { citationFaults, decisionsIn, unknownCitations } from './citations.mjs';
import { subjectFaults } from './comment-subjects.mjs';
import { linkFaults, withoutBlocks } from './document-links.mjs';
import { importPicture, importsOf } from './import-picture.mjs';
import { inRoot, node, root, tools } from '../setup/places.mjs';
import { requirementGroups, requirementsPage } from './requirement-items.mjs';
import { servedFaults } from './served.mjs';

const SOURCES = [
  '{main,renderer,e2e,resources}/**/*.{ts,tsx,mjs,js,css,json,html,svg,png}',
  'lisp/**/*.{lisp,asd,md,ts,json}',
  'docs/*.md',
  '{*,.ci/*,.*rc*}',
];
/** The documents to check. The changelog is not checked, because it describes the past and may name things that no longer exist. */
const DOCUMENTS = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md', 'lisp/README.md', 'docs/*.md'];
/** The tests of the plugin, and of the pages that are generated from tables and from an image's answers. */
const REFERENCES = [
  'resources/checks/reference-pages.test.mjs',
  'main/core/tools/tool-reference.test.ts',
  'main/core/clients/plugin/plugin.test.ts',
];
const PICTURE = /(<!-- picture: npm run docs -->\n)[^]*?(<!-- end of picture -->)/;

const read = (file) => readFileSync(inRoot(file), 'utf8');
const found = (patterns) =>
  globSync(patterns, { cwd: root, exclude: (name) => /node_modules/.test(name) })
    .map((file) => file.replaceAll('\\', '/'))
    .sort();

const files = found(SOURCES);
/** The source files to check. The test of this check is not among them, because it cites things that do not exist. */
const sources = files.filter((file) => /\.(?:tsx?|mjs|lisp)$/.test(file) && !file.endsWith('/documents.test.mjs'));

/** Returns the generated documents, each with its expected text. */
function made() {
  const picture = `\`\`\`mermaid\n${importPicture(importsOf(sources.map((file) => [file, read(file)])))}\n\`\`\`\n`;
  const map = read('ARCHITECTURE.md');
  if (!PICTURE.test(map)) throw new Error('ARCHITECTURE.md has lost the comments between which the picture stands.');
  return new Map([
    ['docs/requirements.md', requirementsPage()],
    ['ARCHITECTURE.md', map.replace(PICTURE, (_all, begin, end) => begin + picture + end)],
  ]);
}

function write() {
  for (const [file, text] of made()) writeFileSync(inRoot(file), text);
  // The tests that compare the pages with their sources also write the pages.
  const { status } = spawnSync(node(), [tools.vitest, 'run', ...REFERENCES, '-t', 'reference', '--update'], {
    cwd: root,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}

function check() {
  const numbers = decisionsIn(read('docs/decisions.md'));
  const known = {
    items: new Set(requirementGroups().flatMap(({ items }) => Object.keys(items))),
    decisions: new Set(numbers.decisions),
    cases: new Set(numbers.cases),
    file: (name) => {
      const ending = `/${name.replace(/^(?:\.\.?\/)+/, '')}`;
      return files.some((file) => `/${file}`.endsWith(ending));
    },
  };
  const { scripts } = JSON.parse(read('package.json'));
  const stages = [...read('resources/gate/stages.mjs').matchAll(/^ {2}(\w+): \{ title: /gm)].map(([, name]) => name);
  const tree = { files: new Set(files), read, scripts: new Set(Object.keys(scripts)), stages: new Set(stages) };
  const documents = found(DOCUMENTS);
  tell('the decisions and cases are numbered without gaps', Object.entries(numbers).flatMap(gaps));
  tell(
    'what sources cite is there',
    sources.flatMap((file) => citationFaults(file, read(file), known)),
  );
  tell(
    'doc comments name their subject',
    sources.flatMap((file) => subjectFaults(file, read(file))),
  );
  tell(
    'what documents cite is there',
    documents.flatMap((file) =>
      unknownCitations(withoutBlocks(read(file)), known).map((what) => `${file} cites ${what}`),
    ),
  );
  tell(
    'what documents name of the repository is there',
    documents.flatMap((file) => linkFaults(file, read(file), tree)),
  );
  tell(
    'what the engine serves is used, or listed as not yet used',
    servedFaults(
      sources.map((file) => [file, read(file)]),
      read('lisp/README.md'),
    ),
  );
  tell(
    'what is made of other files is up to date',
    [...made()]
      .filter(([file, text]) => read(file) !== text)
      .map(([file]) => `${file} is stale; npm run docs writes it`),
  );
}

function gaps([what, numbers]) {
  const wrong = numbers.findIndex((number, at) => number !== at + 1);
  return wrong === -1 ? [] : [`${what}: ${numbers[wrong]} stands where ${wrong + 1} should`];
}

function tell(title, faults) {
  for (const fault of faults) process.stdout.write(`✗ ${fault}\n`);
  process.stdout.write(faults.length === 0 ? `pass ${title}\n` : `fail ${title}: ${faults.length} faults\n`);
  if (faults.length > 0) process.exitCode = 1;
}

if (process.argv.includes('--check')) check();
else write();
