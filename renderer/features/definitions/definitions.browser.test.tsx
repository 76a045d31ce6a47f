/** The image's definitions: they are undone, removed, exported and reviewed in their panel, and marked in the editor. */
import { beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { type Disk, openDisk, openOnDisk } from '../../disk.fixture.ts';
import { reportOf } from '../../image.fixture.ts';
import { editorRegion, region, shownText } from '../../text.fixture.ts';
import { answer, faults, insert, openWholeWindow, press, type FakeCore } from '../../window.fixture.tsx';
import {
  byAgent,
  deviating,
  type FakeDefinitions,
  openDefinitions,
  record,
  undo,
  waiting,
} from './definitions.fixture.ts';

let core: FakeCore;
let disk: Disk;
let image: FakeDefinitions;

beforeEach(async () => {
  core = await openWholeWindow();
  disk = openDisk(core);
  image = openDefinitions(core);
});

const definitions = () => region('Definitions');
const row = (name: string) => definitions().getByRole('treeitem', { name, exact: true });
const status = (text: string) => page.getByRole('status').filter({ hasText: text });
const dialog = () => page.getByRole('alertdialog');
const calls = (name: string): unknown[] => core.calls.filter((each) => each.name === name).map(({ input }) => input);
const drawn = (className: string) => editorRegion().element().querySelectorAll(`.${className}`);

/** Chooses an entry from the menu of a row. */
async function choose(name: string, entry: RegExp): Promise<void> {
  await row(name).click({ button: 'right' });
  await page.getByRole('menuitem', { name: entry }).click();
}

describe('undo', () => {
  it('One definition of an agent is undone after that is explained, and redone [D8, P3, issue 36.4]', async () => {
    const [area, volume] = [byAgent('AREA', 2), byAgent('VOLUME', 3)];
    image.list(area, volume);
    image.wait(waiting(area), waiting(volume));
    answer({
      'definitions.undo': ({ events, dry }) => {
        const id = events![0]!;
        return { undone: [undo(id, 'AREA', dry ? {} : { done: true, event: id + 2 })], more: 0 };
      },
    });
    await expect.element(row('volume')).toHaveAttribute('title', expect.stringMatching(/by claude-code, not reviewed/));
    await choose('area', /^Undo This Definition…/);
    const asked = page.getByRole('alertdialog', { name: 'Undo area?' });
    await expect.element(asked.getByRole('listitem')).toHaveTextContent('areaExact.');
    await asked.getByRole('button', { name: 'Undo', exact: true }).click();
    const told = status('Undone: area.');
    await expect.element(told).toBeVisible();
    await told.getByRole('button', { name: 'Redo' }).click();
    await expect
      .poll(() => calls('definitions.undo'))
      .toEqual([
        { events: [2], of: null, dry: true },
        { events: [2], of: null, dry: false },
        // Redoing means undoing the event that the undo created.
        { events: [4], of: null, dry: false },
      ]);
    await expect.element(told.first()).toBeVisible();
  });

  it('All that one evaluation of an agent did is undone by the keyboard alone, with its losses said [D8, P3, issue 36.4]', async () => {
    const all = [
      byAgent('*CART*', 4, { kind: 'variable', lambdaList: null, value: '#<CART>' }),
      byAgent('CART', 1, { kind: 'class', lambdaList: null }),
      byAgent('PRICE', 2),
      byAgent('TOTAL', 3),
    ];
    image.list(...all);
    answer({
      'definitions.undo': ({ dry }) => {
        if (!dry) image.list();
        const parts = dry ? {} : { done: true, event: 9 };
        return {
          undone: [
            undo(4, '*CART*', { kind: 'variable', ...parts }),
            undo(3, 'TOTAL', parts),
            undo(2, 'PRICE', parts),
            undo(1, 'CART', {
              kind: 'class',
              label: 'lossy',
              instances: 1,
              why: 'Instances live on with the class that they have.',
              ...parts,
            }),
          ],
          more: 0,
        };
      },
    });
    await expect.element(row('total')).toBeVisible();
    await press('Control+Shift+D');
    await press('End');
    await press('Shift+F10');
    const menu = page.getByRole('menu');
    await expect.element(menu.getByRole('menuitem', { name: 'Go to Source' })).toHaveFocus();
    await press('ArrowDown', 2);
    await expect.element(menu.getByRole('menuitem', { name: /^Undo All of This Evaluation…/ })).toHaveFocus();
    await press('Enter');
    const asked = page.getByRole('alertdialog', { name: 'Undo all definitions of claude-code’s evaluation?' });
    await expect.element(asked).toMatchTextContent('cartLoses data: 1 instance exists. Instances live on');
    await press('Tab');
    await press('Enter');
    await expect.element(status('Undone: *cart*, total, price, cart.')).toBeVisible();
    expect(calls('definitions.undo').at(-1)).toEqual({ events: null, of: 'of-agent', dry: false });
    await expect.element(definitions()).toMatchTextContent('Nothing defined yet.');
  });
});

it('What agents did waits for a review, what they removed too, and can be brought back [D8, P2, issue 36.4]', async () => {
  const [area, volume, mine] = [byAgent('AREA', 2), byAgent('VOLUME', 3), byAgent('MINE', 4)];
  image.list(area, volume);
  image.wait(waiting(area), waiting(volume), waiting(mine, { operation: 'removed' }));
  answer({
    'definitions.undo': ({ dry }) => {
      if (!dry) {
        image.list(area, volume, record('MINE', { actor: 'person', event: 5, evaluation: 'e', time: 1 }));
        image.wait(waiting(volume));
      }
      return { undone: [undo(4, 'MINE', dry ? {} : { done: true, event: 5 })], more: 0 };
    },
  });
  await definitions().getByRole('button', { name: '3 by agents, not reviewed' }).click();
  await expect.poll(() => definitions().getByRole('treeitem').elements().length).toBe(4);
  await expect
    .element(row('mine'))
    .toHaveAttribute('title', expect.stringMatching(/removed by claude-code, not reviewed/));
  await choose('area', /^Mark as Reviewed/);
  await expect.element(row('area')).not.toBeInTheDocument();
  await choose('mine', /^Undo This Definition…/);
  await dialog().getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.element(definitions().getByRole('button', { name: '1 by agents, not reviewed' })).toBeVisible();
  await definitions().getByRole('button', { name: 'Mark 1 as reviewed' }).click();
  await expect.element(definitions().getByRole('button', { name: /not reviewed/ })).not.toBeInTheDocument();
  expect(image.reviewed).toEqual([2, 3]);
  await expect.element(row('area')).toHaveAttribute('title', expect.stringMatching(/by claude-code$/m));
  await expect.element(row('mine')).toBeVisible();
});

it('A method and a function are removed from the image by the form that does so, after asking [D8, issue 36.4]', async () => {
  const area = record('AREA', { actor: 'person', event: 3, evaluation: 'e', time: 1 });
  const price = record('PRICE', { kind: 'generic-function', lambdaList: '(THING)' });
  const around = record('PRICE :AROUND ((EQL PEN))', { kind: 'method', lambdaList: '(THING)' });
  image.list(price, record('PRICE (T)', { kind: 'method', lambdaList: '(THING)' }), around, area);
  const evaluated: unknown[] = [];
  answer({
    'repl.evaluate': ({ evaluation, code, package: inPackage }) => {
      evaluated.push([code, inPackage]);
      image.list(...(code.includes('area') ? [price] : [price, area]));
      return reportOf(evaluation, ['NIL']);
    },
  });
  const method = definitions().getByRole('treeitem', { name: /:around \(\(eql pen\)\)/ });
  await method.click({ button: 'right' });
  await page.getByRole('menuitem', { name: /^Remove Definition from the Image…/ }).click();
  await expect.element(dialog()).toMatchTextContent("(find-method #'price '(:around) (list '(eql pen)))");
  await dialog().getByRole('button', { name: 'Remove' }).click();
  await expect.element(method).not.toBeInTheDocument();
  // The command acts on the name at the caret, as in SLIME.
  await page.getByRole('textbox', { name: 'REPL input' }).click();
  await insert('(area 2)');
  await press('ArrowLeft', 6);
  await press('Control+Shift+P');
  await insert('Remove Definition');
  await press('Enter');
  await expect.element(dialog()).toMatchTextContent("(fmakunbound 'area)");
  await expect.element(dialog()).toMatchTextContent('signal UNDEFINED-FUNCTION');
  await dialog().getByRole('button', { name: 'Remove' }).click();
  await expect.element(row('area')).not.toBeInTheDocument();
  expect(evaluated).toEqual([
    ["(remove-method #'price (find-method #'price '(:around) (list '(eql pen))))", 'COMMON-LISP-USER'],
    ["(fmakunbound 'area)", 'COMMON-LISP-USER'],
  ]);
});

it('What was evaluated is exported as a Lisp file [P5, issue 36.4]', async () => {
  const text = '(in-package :cl-user)\n\n(defun area (r) (* r r))\n\n(defvar *cart* nil)\n';
  image.list(record('AREA'), record('*CART*', { kind: 'variable' }));
  answer({
    'definitions.export': () => ({ text, forms: 2, missing: [] }),
    'file.choosePlace': ({ name }) => ({ path: name === 'definitions.lisp' ? '/home/ada/shop/saved.lisp' : null }),
  });
  await choose('area', /^Export Definitions…/);
  const told = status('2 forms are in saved.lisp.');
  await expect.element(told).toBeVisible();
  expect(calls('definitions.export')).toEqual([{ package: null }]);
  expect(disk.read('saved.lisp')).toBe(text);
  await told.getByRole('button', { name: 'Open' }).click();
  await expect.poll(shownText).toBe(text);
});

it('A definition leads to its source [D8, issue 36.4]', async () => {
  const text = `;;; Shapes\n\n(defun area (r)\n  (* r r))\n${'\n'.repeat(60)}(defun far-down ()\n  :here)\n`;
  await openOnDisk(disk, 'shapes.lisp', `¦${text}`);
  await expect.element(editorRegion()).toMatchTextContent('Shapes');
  await expect.element(editorRegion().getByText('far-down')).not.toBeInTheDocument();
  // The image has an outdated position, because lines were inserted above the definition afterwards.
  const source = { file: '/home/ada/shop/shapes.lisp', offset: text.indexOf('(defun far-down') - 20, line: 62 };
  image.list(record('FAR-DOWN', { lambdaList: '()', source }));
  await row('far-down').click();
  await expect.element(region('Status bar')).toMatchTextContent('Ln 65, Col 1');
  await expect.element(editorRegion()).toMatchTextContent(/\(defun\sfar-down\s\(\)/);
});

describe('marks in the editor', () => {
  const SHOP = '(defun area (r)\n  (* r r))\n\n(defun other () 1)\n';
  const difference = {
    before: '(defun area (r)\n  (* r r))',
    after: '(defun area (r)\n  (* 3 r r))',
    hunks: [
      {
        lines: [
          { kind: 'same' as const, text: '(defun area (r)', before: 1, after: 1 },
          { kind: 'removed' as const, text: '  (* r r))', before: 2, after: null },
          { kind: 'added' as const, text: '  (* 3 r r))', before: null, after: 2 },
        ],
      },
    ],
    why: null,
  };

  it('The editor marks what an agent changed in the image: who, the difference, and reviewed from there [D8, D16, issue 36.4]', async () => {
    answer({ 'definitions.difference': () => difference });
    await openOnDisk(disk, 'shop.lisp', SHOP);
    expect(drawn('agent-mark')).toHaveLength(0);
    const area = byAgent('AREA', 7);
    image.list(area);
    image.wait(waiting(area));
    await expect.poll(() => drawn('agent-mark').length).toBe(1);
    expect(drawn('agent-bar')).toHaveLength(2);
    const lens = () => page.elementLocator(drawn('agent-lens')[0]!);
    await expect.element(lens()).toMatchTextContent(/claude-codechanged this in the image at \d\d:\d\d/);
    await lens().getByText('Compare').click();
    const shown = page.getByRole('alertdialog', { name: 'Change of area' });
    await shown.getByRole('button', { name: 'Close' }).click();
    await page.elementLocator(drawn('agent-mark')[0]!).hover();
    await expect.element(page.getByText(/claude-code changed this in the image just now/)).toBeVisible();
    await page.elementLocator(drawn('agent-mark')[0]!).click();
    await expect.element(shown).toMatchTextContent('claude-code changed it in the image at');
    await expect
      .element(shown.getByRole('group', { name: 'Before and after' }))
      .toMatchTextContent(/removed:\s+\(\* r r\)\).*added:\s+\(\* 3 r r\)\)/);
    await shown.getByRole('button', { name: 'Mark as reviewed' }).click();
    await expect.poll(() => drawn('agent-mark').length).toBe(0);
    expect(drawn('agent-lens')).toHaveLength(0);
    expect(calls('definitions.review')).toEqual([{ events: [{ life: 1, id: 7 }], reviewed: true }]);
    await choose('area', /^Show the Difference…/);
    await expect.element(shown).toMatchTextContent('(* 3 r r)');
    await press('Escape');
    expect(new Set(calls('definitions.difference').map((each) => JSON.stringify(each)))).toEqual(
      new Set(['{"event":7}']),
    );
  });

  it('The image’s text of a definition is written into the file by the lens [issue 36.4]', async () => {
    answer({ 'definitions.difference': () => difference });
    await openOnDisk(disk, 'shop.lisp', SHOP);
    image.wait(waiting(byAgent('AREA', 7)));
    await expect.poll(() => drawn('agent-lens').length).toBe(1);
    await page.elementLocator(drawn('agent-lens')[0]!).getByText('Write to file').click();
    await expect.poll(shownText).toBe('(defun area (r)\n  (* 3 r r))\n\n(defun other () 1)\n');
    await expect.element(status('area now has the text from the image. Save the file to keep it.')).toBeVisible();
    expect(disk.read('shop.lisp')).toBe(SHOP);
    await press('Control+s');
    await expect.poll(() => disk.read('shop.lisp')).toBe('(defun area (r)\n  (* 3 r r))\n\n(defun other () 1)\n');
  });

  it('The menu of a text tells the keys of its commands, and offers an agent’s change only where there is one [issue 36.4]', async () => {
    await openOnDisk(disk, 'shop.lisp', SHOP);
    image.wait(waiting(byAgent('OTHER', 7)));
    await expect.poll(() => drawn('agent-mark').length).toBe(1);
    /** Opens the context menu on a word, and returns its entries with their keys. */
    const entries = async (word: string): Promise<string[]> => {
      await editorRegion().getByText(word, { exact: true }).last().click({ button: 'right' });
      const items = () => page.getByRole('menuitem').elements();
      await expect.poll(() => items().length).toBeGreaterThan(5);
      const found = items().map(({ textContent }) => textContent.replaceAll('\u00a0', ' '));
      await press('Escape');
      await expect.poll(() => items().length).toBe(0);
      return found;
    };
    const change = expect.stringContaining('Show What an Agent Changed');
    const ofArea = await entries('area');
    expect(ofArea).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^\s*Evaluate Form\s*Ctrl\+Enter/),
        expect.stringMatching(/^\s*Evaluate Top-Level Form\s*Alt\+Enter/),
        expect.stringMatching(/^\s*Set or Clear Breakpoint\s*F9/),
      ]),
    );
    expect(ofArea).not.toContainEqual(change);
    expect(await entries('other')).toContainEqual(change);
  });
});

describe('definitions and their files', () => {
  const text =
    '(defun area (r)\n  (* r r))\n\n(defun shipping (cart)\n  cart)\n\n(defun volume (r)\n  (* r r r))\n\n(defun total (x)\n  x)\n';
  const inFile = ['area', 'shipping', 'volume', 'total'].map((name) =>
    record(name.toUpperCase(), {
      source: { file: '/home/ada/shop/shop.lisp', offset: text.indexOf(`(defun ${name}`), line: 1 },
    }),
  );
  const mine = { source: null, actor: 'person', evaluation: 'e', time: 1 };
  const area = record('AREA', { ...mine, event: 5 });
  const cart = record('*CART*', { ...mine, kind: 'variable', lambdaList: null, value: 'NIL', event: 6 });
  const volume = byAgent('VOLUME', 8);
  const helper = byAgent('HELPER', 9);
  const edited = [
    deviating('AREA', 'changed-in-image'),
    deviating('*CART*', 'only-in-image', null),
    deviating('SHIPPING', 'changed-in-file'),
  ];
  const mark = (name: string, state: string) => row(name).getByRole('img', { name: state });
  const filter = (name: string) => definitions().getByRole('button', { name: new RegExp(`^${name}`) });

  /** Lists the definitions, including those that an agent has changed. */
  function agentDefines(): void {
    image.list(area, cart, volume, helper, inFile[1]!, inFile[3]!);
    image.wait(waiting(volume), waiting(helper, { operation: 'defined' }));
    image.deviate(...edited, deviating('VOLUME', 'changed-in-image'), deviating('HELPER', 'only-in-image', null));
  }

  beforeEach(() => openOnDisk(disk, 'shop.lisp', `¦${text}`));

  it('Each definition shows how it stands to its file, in the browser and in the editor [P2, D8, D16, issue 36.4]', async () => {
    image.list(...inFile);
    await expect.element(row('total')).toBeVisible();
    const marks = () => definitions().element().querySelectorAll('[role="treeitem"] .mark-state').length;
    expect(marks()).toBe(0);

    image.list(area, cart, ...inFile.slice(1));
    image.deviate(deviating('AREA', 'changed-in-image'), deviating('*CART*', 'only-in-image', null));
    await expect.element(mark('area', 'image and file differ')).toBeVisible();
    await expect.poll(() => drawn('agent-bar').length).toBe(2);
    expect([...drawn('agent-bar')].every(({ className }) => className.includes('person-hue'))).toBe(true);
    await expect.element(mark('*cart*', 'only in the image')).toBeVisible();

    image.deviate(...edited);
    await expect.element(mark('shipping', 'edited, not evaluated')).toBeVisible();
    await expect.poll(() => drawn('edited-bar').length).toBe(2);
    expect(drawn('edited-bar')[0]!.getAttribute('title')).toMatch(/^Edited and not evaluated/);

    agentDefines();
    await expect.element(mark('volume', 'image and file differ')).toBeVisible();
    await expect.element(mark('volume', 'by claude-code, not reviewed')).toBeVisible();
    await expect
      .element(row('volume'))
      .toHaveAttribute('title', expect.stringMatching(/by claude-code, not reviewed\nimage and file differ/));
    expect(marks()).toBe(5);

    // Go to Source finds the definition in the file, although the image's definition was not loaded from there.
    await choose('volume', /^Go to Source/);
    await expect.poll(() => drawn('agent-lens').length).toBe(1);
    await expect.element(region('Status bar')).toMatchTextContent('Ln 7, Col 1');
    image.deviate(...edited.slice(0, 2));
    await expect.poll(() => drawn('edited-bar').length).toBe(0);
    await expect.element(mark('shipping', 'edited, not evaluated')).not.toBeInTheDocument();
    await expect.element(filter('Edited, not evaluated')).not.toBeInTheDocument();
  });

  it('Definitions are found by how they stand to their files, in the browser and in the palette [P2, D8, issue 36.4]', async () => {
    agentDefines();
    await expect.element(row('volume')).toBeVisible();
    const names = () =>
      [...definitions().element().querySelectorAll('[role="treeitem"] [data-part="name"]')].map(
        ({ textContent }) => textContent,
      );
    await filter('Image and file differ 2').click();
    await expect.poll(names).toEqual(['area', 'volume']);
    await filter('By agents 2').click();
    await expect.poll(names).toEqual(['volume']);
    await filter('By agents 2').click();
    await filter('Only in the image 2').click();
    await expect.poll(names).toEqual(['*cart*', 'helper']);
    (filter('Edited, not evaluated 1').element() as HTMLElement).focus();
    await press('Space');
    await expect.poll(names).toEqual(['shipping']);
    await expect.element(filter('Edited, not evaluated 1')).toHaveAttribute('aria-pressed', 'true');
    expect(await faults()).toEqual([]);
    await press('Space');

    await press('Control+Shift+P');
    await insert('@volume');
    await expect
      .element(page.getByRole('option', { name: /volume.*claude-code.*image and file differ/ }))
      .toBeVisible();
    await press('Escape');
  });
});
