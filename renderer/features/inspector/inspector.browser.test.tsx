/** The inspector: how objects are opened from values, explored with keys, filtered, compared and drawn. */
import { beforeEach, expect, it } from 'vitest';
import { evaluate as evaluateInRepl } from '../../steps.fixture.ts';
import { region } from '../../text.fixture.ts';
import { answer, openWholeWindow, press, snapshotWith, type, type FakeCore } from '../../window.fixture.tsx';
import { mainViewer, unpin } from './inspector.ts';
import { holdObjects, partOf } from './objects.fixture.ts';

let core: FakeCore;

beforeEach(async () => {
  core = await openWholeWindow();
  unpin();
  mainViewer.close();
});

const inspector = () => region('Inspector');
const parts = () => inspector().getByRole('tree', { name: 'Parts', exact: true });
const part = (name: string | RegExp) => parts().getByRole('treeitem', { name, exact: true });
const filter = () => inspector().getByRole('searchbox', { name: 'Parts filter' });
const value = (name: string | RegExp) => region('REPL').getByRole('button', { name, exact: true });

async function evaluate(code: string, shown: string | RegExp): Promise<void> {
  await evaluateInRepl(code);
  await expect.element(value(shown).last()).toBeVisible();
}

const PLIST = { kind: 'list', title: 'A list of 6 elements' } as const;
const numbers = (total: number) => ({ total, part: (index: number) => partOf(`${index}`, `${index}`, 1000 + index) });

it('A list of a million elements scrolls to its end, and the values of the REPL are still there to look into [D7]', async () => {
  holdObjects({
    1: { code: '*first*', text: '(:FIRST :VALUE)', page: { title: 'A list of type CONS' } },
    2: { code: '*million*', text: '(0 1 2 3 …)', page: { title: 'A list of 1000000 elements' }, ...numbers(1_000_000) },
  });
  await evaluate('*first*', 'Inspect (:FIRST :VALUE)');
  await evaluate('*million*', /Inspect \(0 1 2/);
  await press('Control+i');
  await expect.element(inspector()).toMatchTextContent('1000000');
  await press('Control+Alt+i');
  await expect.element(parts()).toHaveFocus();
  await press('End');
  await expect.element(part('999999: 999999')).toBeVisible();
  await press('Home');
  await expect.element(part('0: 0')).toBeVisible();
  await press('PageDown', 40);
  await press('End');
  await expect.element(part('999999: 999999')).toBeVisible();
  await press('Control+`');
  await value('Inspect (:FIRST :VALUE)').click();
  await expect.element(inspector()).toMatchTextContent('A list of type');
});

it('The parts of a large table are filtered, and a text of it is found as it is typed [D7]', async () => {
  const square = (index: number) => partOf(`"key ${index}"`, `${index * index}`, 1000 + index);
  holdObjects({
    1: { code: '*table*', text: '#<HASH-TABLE>', total: 300, part: square },
    1250: { text: '62500' },
  });
  await evaluate('*table*', /HASH-TABLE/);
  await value(/HASH-TABLE/).click();
  await filter().fill('key 25');
  await expect.poll(() => parts().getByRole('treeitem').length).toBe(11);
  await expect.element(part('"key 250": 62500')).toBeVisible();
  await expect.element(inspector()).toMatchTextContent('11 of 300');
  await filter().fill('nothing like this');
  await expect.element(inspector()).toMatchTextContent('0 of 300');
  await filter().fill('key 250');
  await expect.element(inspector()).toMatchTextContent('1 of 300');
  await press('ArrowDown');
  await expect.element(parts()).toHaveFocus();
  await filter().click();
  await press('Enter');
  await expect.element(inspector().getByRole('heading', { name: '62500' })).toBeVisible();
});

it('A hash table of a million entries is filtered in the image, to its end, and typing on is not kept waiting [D7, issue 11.4]', async () => {
  const twice = (index: number) => partOf(`${index}`, `${2 * index}`, 1000 + index);
  holdObjects({
    1: { code: '*table*', text: '#<HASH-TABLE>', total: 1_000_000, part: twice },
    124_456: { text: '246912', page: { facts: [{ label: 'Hexadecimal', value: '#x3C480' }] } },
  });
  await evaluate('*table*', /HASH-TABLE/);
  await press('Control+i');
  await filter().fill('1999998');
  // The only entry that is left is the table's last one, which the page had not loaded before.
  await expect.poll(() => parts().getByRole('treeitem').length).toBe(1);
  await expect.element(part('999999: 1999998')).toBeVisible();
  await expect.element(inspector()).toMatchTextContent('1 of 1,000,000');

  // Each key press restarts the search, so the final result must be that of the whole filter text.
  await filter().fill('');
  await expect.element(inspector().getByText('1,000,000', { exact: true }).first()).toBeVisible();
  await filter().click();
  await type('123456');
  await expect.element(inspector()).toMatchTextContent('8 of 1,000,000');
  await expect.element(part('61728: 123456')).toBeVisible();
  await expect.element(part('617284: 1234568')).toBeVisible();
  await part('123456: 246912').dblClick();
  await expect.element(inspector()).toMatchTextContent('Hexadecimal');
  await press('Alt+ArrowLeft');

  // A search with too many results stops, shows how far it has searched, and continues when the person requests it.
  await filter().fill('9');
  const told = inspector().getByRole('status').filter({ hasText: 'parts searched' });
  const further = inspector().getByRole('button', { name: 'Continue searching' });
  await expect.element(further).toBeVisible();
  await expect.element(told).toMatchTextContent(/^[\d,]+ of 1,000,000 parts searched\./);
  const before = told.element().textContent;
  await further.click();
  await expect.poll(() => told.query()?.textContent).not.toBe(before);
  await expect.element(further).toBeVisible();
  (parts().element() as HTMLElement).focus();
  await press('End');
  await expect.element(parts().getByRole('treeitem').last()).toHaveAccessibleName(expect.stringMatching(/9/));
  await filter().fill('no such entry');
  await expect.element(inspector()).toMatchTextContent('0 of 1,000,000');
  await expect.element(inspector()).toMatchTextContent('None of the 1,000,000 parts matches.');
});

it('After a restart of the image old values say that they are gone, and never show another object [D7]', async () => {
  const old = { code: '*old*', text: '(:OF :THE :OLD :IMAGE)' };
  const fresh = { code: '*new*', text: '(:OF :THE :NEW :IMAGE)' };
  holdObjects({ 1: old });
  await evaluate('*old*', 'Inspect (:OF :THE :OLD :IMAGE)');
  core.tell('session-changed', { ...snapshotWith().session, pid: 4712 });
  holdObjects({ 2: fresh });
  await evaluate('*new*', 'Inspect (:OF :THE :NEW :IMAGE)');
  await value('Inspect (:OF :THE :OLD :IMAGE)').click();
  await expect.element(inspector()).toMatchTextContent('This object is gone.');
  await press('Control+`');
  await value('Inspect (:OF :THE :NEW :IMAGE)').click();
  await expect.element(inspector()).toMatchTextContent('(:OF :THE :NEW :IMAGE)');
});

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

function plist(...values: number[]) {
  const texts = values.flatMap((each, index) => [`:${'ABC'[index]}`, `${each}`]);
  return {
    text: `(${texts.join(' ')})`,
    page: PLIST,
    total: 6,
    part: (at: number) => partOf(`${at}`, texts[at]!, 100 + at),
  };
}

it('Two objects are compared, like things are a table, numbers a plot and octets a picture [D7]', async () => {
  holdObjects({
    1: { code: '*one*', ...plist(1, 2, 3) },
    2: { code: '*other*', ...plist(1, 7, 3) },
    3: {
      code: '*things*',
      text: '((:NAME "tea" :PRICE 3) (:NAME "cup" :PRICE 9))',
      page: { drawings: ['table'] },
      ...numbers(2),
    },
    4: { code: '*waves*', text: '#(0 0.05)', page: { drawings: ['plot'] }, ...numbers(500) },
    5: { code: '*octets*', text: '#(137 80)', page: { drawings: ['picture'] }, ...numbers(70) },
  });
  answer({
    'inspector.table': () => ({
      expired: false,
      columns: [':NAME', ':PRICE'],
      rows: [
        ['"tea"', '3'],
        ['"cup"', '9'],
      ].map((cells, index) => ({
        label: `${index}`,
        handle: 200 + index,
        cells: cells.map((text) => ({ text, handle: null })),
      })),
      total: 2,
      offset: 0,
      more: false,
    }),
    'inspector.plot': () => ({
      expired: false,
      points: Array.from({ length: 500 }, (_, index) => ({ index, value: Math.sin(index / 20) })),
      total: 500,
      least: -1,
      greatest: 1,
      problem: null,
    }),
    'inspector.picture': () => ({ expired: false, type: 'image/png', octets: 70, base64: PNG, problem: null }),
  });
  const show = async (code: string, name: RegExp): Promise<void> => {
    await press('Control+`');
    await evaluate(code, name);
    await value(name).last().click();
  };
  await show('*one*', /Inspect \(:A 1 :B 2/);
  await expect.element(parts()).toBeVisible();
  await inspector().getByRole('button', { name: 'Pin below' }).click();
  await expect.element(inspector().getByRole('tree', { name: 'Parts of the pinned object' })).toBeVisible();
  await show('*other*', /Inspect \(:A 1 :B 7/);
  const compare = inspector().getByRole('button', { name: 'Compare with the pinned object' });
  await compare.click();
  await expect.element(inspector()).toMatchTextContent('1 of 6 parts differ');
  await expect.element(inspector().getByRole('row', { name: '3: different' })).toMatchTextContent('7');
  await compare.click();
  await inspector().getByRole('button', { name: 'Unpin' }).click();

  await show('*things*', /Inspect \(\(:NAME/);
  await inspector().getByRole('tab', { name: 'table' }).click();
  await expect.element(inspector().getByRole('columnheader', { name: ':PRICE' })).toBeVisible();
  await expect.element(inspector().getByRole('row', { name: /"cup" 9/ })).toBeVisible();

  await show('*waves*', /Inspect #\(0/);
  await inspector().getByRole('tab', { name: 'plot' }).click();
  await expect.element(inspector().getByRole('img', { name: /^500 numbers from -/ })).toBeVisible();

  await show('*octets*', /Inspect #\(137 80/);
  await inspector().getByRole('tab', { name: 'picture' }).click();
  await expect.element(inspector()).toMatchTextContent('PNG, 70 octets, 1 × 1');
});
