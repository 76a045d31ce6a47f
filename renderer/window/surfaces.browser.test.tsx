/** Surfaces of the window that show rows. axe checks them in both themes. */
import type { DefinitionRecord } from '#contract/image/definition.ts';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { openDisk, openOnDisk } from '../disk.fixture.ts';
import { definitionIn, reportOf } from '../image.fixture.ts';
import { region } from '../text.fixture.ts';
import { faults, openWholeWindow, press, snapshotWith, type } from '../window.fixture.tsx';

const FILE = '/home/ada/shop/shop.lisp';
const TEXT = "(defun ¦area (r) (* r r))\n(defun areas (list unused) (mapcar #'area (list (area 2))))\n";
const AREAS = definitionIn(FILE, { name: 'AREAS', kind: 'function', offset: 26, line: 2 });

function definition(name: string): DefinitionRecord {
  return {
    kind: 'function',
    name,
    lambdaList: '(X)',
    value: null,
    documentation: null,
    source: { file: FILE, offset: 0, line: 1 },
    actor: 'person',
    event: null,
    evaluation: null,
    time: null,
  };
}

it('What looks things up has no faults that axe finds with rows in it, in both themes [D17, issue 36.4]', async () => {
  const start = TEXT.replace('¦', '').indexOf('unused');
  const unused = {
    severity: 'style-warning' as const,
    type: 'STYLE-WARNING',
    message: 'The variable UNUSED is defined but never used.',
    file: FILE,
    start,
    end: start + 6,
    line: 2,
    column: 19,
    context: 'areas',
  };
  const found = { file: 'shop.lisp', line: 1, column: 8, text: '(defun area (r) (* r r))', marks: [[7, 11] as const] };
  const definitions = [{ package: 'COMMON-LISP-USER', definitions: [definition('AREA')], more: 0 }];
  const core = await openWholeWindow(snapshotWith({ definitions }), {
    'names.references': ({ symbol, relations }) => ({
      symbol,
      relations: relations.map((relation) => ({
        relation,
        references: relation === 'called-by' ? [AREAS] : [],
        total: relation === 'called-by' ? 1 : 0,
        implementation: 0,
      })),
    }),
    'names.describe': ({ symbol }) => ({
      described: {
        found: true,
        symbol: symbol.toUpperCase(),
        package: 'COMMON-LISP-USER',
        unknownPackage: false,
        meanings: [
          {
            kind: 'function',
            lambdaList: '(R)',
            documentation: 'Of a circle.',
            value: null,
            source: { file: FILE, offset: 0, line: 1 },
          },
        ],
        near: [],
      },
      genericFunction: null,
    }),
    'compile.text': ({ evaluation }) => ({
      report: reportOf(evaluation, []),
      result: {
        failed: false,
        warningsP: true,
        diagnostics: [unused],
        total: 1,
        loaded: true,
        definitions: 2,
        fasl: null,
        refused: [],
      },
    }),
    'project.search': () => ({ lines: [found], total: 1, files: 1, searched: 1, unfinished: false }),
  });
  await openOnDisk(openDisk(core), 'shop.lisp', TEXT);
  await press('Control+Shift+b');
  await expect.element(page.getByText(/Compiled shop\.lisp/).first()).toBeVisible();
  await expect.element(region('Documentation')).toMatchTextContent('Of a circle.');
  for (const [keys, name] of [
    ['Shift+F12', 'References'],
    ['Control+Shift+m', 'Problems'],
    ['Control+Shift+f', 'Search'],
    ['Control+Shift+e', 'Files'],
    ['Control+Shift+d', 'Definitions'],
  ] as const) {
    await press(keys);
    if (name === 'Search') await type('area\n');
    await expect.element(region(name).getByRole('treeitem').first()).toBeVisible();
    expect.soft(await faults(), name).toEqual([]);
    await press('Escape');
  }
  await press('Control+F1');
  await expect.element(region('Documentation')).toMatchTextContent('Of a circle.');
  expect.soft(await faults(), 'Documentation').toEqual([]);
  await press('Control+Shift+p');
  await type('nothing is called that');
  await expect.element(page.getByText('No matches.')).toBeVisible();
  expect.soft(await faults(), 'palette without a match').toEqual([]);
});

it('The footer of Definitions says how many of all definitions it counts [issue 36.4]', async () => {
  const listed = Array.from({ length: 2000 }, (_, index) => definition(`F${index}`));
  const definitions = [{ package: 'COMMON-LISP-USER', definitions: listed, more: 100 }];
  await openWholeWindow(snapshotWith({ definitions }));
  const foot = region('Definitions').getByRole('group', { name: 'Show only' });
  await expect.element(foot).toMatchTextContent('2,000 of 2,100 definitions are listed and counted here.');
  await expect.element(foot.getByRole('button', { name: 'Functions, 2,000' })).toBeVisible();
});
