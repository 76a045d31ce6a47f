import { describe, expect, it } from 'vitest';
import { citationFaults, decisionsIn } from './citations.mjs';
import { linkFaults } from './document-links.mjs';
import { importPicture, importsOf } from './import-picture.mjs';
import { itemsIn } from './requirement-items.mjs';

const known = {
  items: new Set(['E1', 'E2', 'K3']),
  decisions: new Set([1, 2, 26]),
  cases: new Set([1, 13]),
  file: (name) => name === 'README.md',
};

describe('citations of a source', () => {
  it('A check of citations reports an unknown item, decision and case with the line of each', () => {
    const source = `/** Holds (E1, E77). */\nconst a = 1; // decision 26, decision 27\n/* case 13, cases 1 and 99 */`;
    expect(citationFaults('main/a.ts', source, known)).toEqual([
      'main/a.ts:1 cites E77, which is not there',
      'main/a.ts:2 cites decision 27, which is not there',
      'main/a.ts:3 cites case 99, which is not there',
    ]);
  });

  it('A check of citations reads titles and tables of tests, and no strings of other files', () => {
    const source = `it('E1 E50 holds', () => {}); it.each([[\`decision 40 \${1}\`]])('%s');`;
    expect(citationFaults('main/a.test.ts', source, known)).toEqual([
      'main/a.test.ts:1 cites E50, which is not there',
      'main/a.test.ts:1 cites decision 40, which is not there',
    ]);
    expect(citationFaults('main/a.ts', source, known)).toEqual([]);
  });

  it('A check of citations reads a citation that goes on in the next line of a comment', () => {
    const source = `/**\n * Told once (decision\n * 44).\n */`;
    expect(citationFaults('main/a.ts', source, known)).toEqual(['main/a.ts:1 cites decision 44, which is not there']);
  });

  it('A check of citations reads comments, documentation and titles of Lisp, and takes no name for an item', () => {
    const source = `;; decision 3\n(deftest "E60 holds" (find-symbol "E90-FASL" "*E91*") (handler-case 1 #\\"))\n`;
    expect(citationFaults('lisp/a.lisp', source, known)).toEqual([
      'lisp/a.lisp:1 cites decision 3, which is not there',
      'lisp/a.lisp:2 cites E60, which is not there',
    ]);
  });

  it('A check of citations reports files that are not in the repository, but for names in examples', () => {
    const source =
      '/** See README.md, DESIGN section 3, notes/engine.md, `lisp/gone.lisp`, gone.ts; as in src/shop.lisp. */';
    expect(citationFaults('main/a.ts', source, known)).toEqual([
      'main/a.ts:1 cites DESIGN, which is not there',
      'main/a.ts:1 cites notes/engine.md, which is not there',
      'main/a.ts:1 cites lisp/gone.lisp, which is not there',
      'main/a.ts:1 cites gone.ts, which is not there',
    ]);
  });

  it('Each item of a range is named', () => {
    expect(itemsIn('S1–S3, T6 T7 and X41 hold for D5-MISSING')).toEqual(['S1', 'S2', 'S3', 'T6', 'T7', 'X41']);
  });

  it('The numbers of decisions and cases are found', () => {
    expect(decisionsIn('### Decision 1: names\n\ntext\n\n### Decision 3: more\n- **case 7** x\n')).toEqual({
      decisions: [1, 3],
      cases: [7],
    });
  });
});

describe('what a document names', () => {
  const texts = {
    'docs/a.md': '# A first page\n',
    'main/cli.ts': 'export function run() {}',
    'main/core/error.ts': 'class WorkbenchError { #code = 1 }',
    'lisp/effects/guard.lisp': '(defun call-at-gate ())',
  };
  const tree = {
    files: new Set(Object.keys(texts)),
    read: (file) => texts[file],
    scripts: new Set(['docs']),
    stages: new Set(['unit', 'e2e']),
  };
  const faults = (text, document = 'README.md') => linkFaults(document, text, tree);

  it('Links, paths, patterns, names in files, scripts and stages that are there are no faults of a document', () => {
    const text = `[a](docs/a.md#a-first-page) <img src="docs/a.md"> \`main/cli.ts\` \`main/core/\` \`main/{cli,core/error}.ts\`
\`main/*/error.ts\` \`error.ts\` \`main/cli.ts › run\` \`main/core/error.ts › #code\` \`npm run docs\` \`npm test -- unit\` \`npm test -- e2e\`
[far](https://example.org/x.md) \`(+ 1 2)\` \`a/b\` \`application/json\``;
    expect(faults(text)).toEqual([]);
    expect(faults('[up](../main/cli.ts) `guard.lisp`', 'docs/a.md')).toEqual([]);
    expect(faults('`effects/guard.lisp › call-at-gate`', 'lisp/README.md')).toEqual([]);
  });

  it.each([
    ['[a](docs/b.md)', 'links to docs/b.md, which is not there'],
    ['[a](docs/a.md#second)', 'links to docs/a.md#second, where no heading is called so'],
    ['<img src="gone.png">', 'links to gone.png, which is not there'],
    ['`main/gone.ts`', 'names main/gone.ts, which is not there'],
    ['`main/{cli,gone}.ts`', 'names main/{cli,gone}.ts, which is not there'],
    ['`main/core/*.tsx`', 'names main/core/*.tsx, which is not there'],
    ['`gone.lisp`', 'names gone.lisp, which is not there'],
    ['`main/cli.ts › walk`', 'names walk in main/cli.ts, where it does not stand'],
    ['`npm run gone`', 'names no script: npm run gone'],
    ['`npm test -- gone`', 'names no stage: npm test -- gone'],
  ])('A name in a document is reported when what it names is not there: %s', (text, fault) => {
    expect(faults(`one line\n${text}`)).toEqual([`README.md:2 ${fault}`]);
  });
});

describe('picture of the imports', () => {
  const picture = (sources) => importPicture(importsOf(Object.entries(sources))).split('\n');

  it('The picture leaves out an arrow where others lead, imports of types, and tests', () => {
    const lines = picture({
      'main/shell/a.ts': "import { b } from '#core/tools/b.ts'; import { c } from '#contract/c.ts';",
      'main/core/tools/b.ts': "import { c } from '#contract/c.ts'; import type { A } from '../../shell/a.ts';",
      'main/core/tools/b.test.ts': "import '../../shell/a.ts';",
      'main/contract/c.ts': 'export const c = 1;',
    });
    expect(lines.filter((line) => line.includes('->'))).toEqual([
      '  main_core_tools --> main_contract',
      '  main_shell --> main_core_tools',
    ]);
  });

  it('The picture draws what goes up against the others dotted, with the number of its imports', () => {
    const lines = picture({
      'renderer/panels/a.ts': "import { b } from '../ui/b.ts';",
      'renderer/panels/d.ts': "export { b } from '../ui/b.ts';",
      'renderer/ui/b.ts': "import { a } from '../panels/a.ts'; export const b = 1;",
    });
    expect(lines.filter((line) => line.includes('->'))).toEqual([
      '  renderer_panels --> renderer_ui',
      '  renderer_ui -. "up: 1" .-> renderer_panels',
    ]);
  });

  it('The picture tells what puts folders together from what all of them use', () => {
    const lines = picture({
      'main/core/workbench.ts': "import { t } from './tools/t.ts';",
      'main/core/tools/t.ts': "import { e } from '../error.ts'; export const t = 1;",
      'main/core/error.ts': 'export const e = 1;',
    });
    expect(lines.filter((line) => line.includes('->'))).toEqual(
      ['  main_core_whole --> main_core_tools', '  main_core_tools --> main_core_base'].sort(),
    );
  });
});
