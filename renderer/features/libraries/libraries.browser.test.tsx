/** Libraries in the whole window: from nothing to a loaded library by key, adding to a project, and offers beside errors. */
import { beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { DebuggerHead } from '#contract/image/debugger.ts';
import type { Settings } from '#contract/settings.ts';
import { type Disk, openDisk } from '../../disk.fixture.ts';
import { conditionOf, reportOf } from '../../image.fixture.ts';
import { problems } from '../diagnostics/problems.ts';
import { editorRegion, region, shownText } from '../../text.fixture.ts';
import { answer, faults, openWholeWindow, press, snapshotWith, type, type FakeCore } from '../../window.fixture.tsx';
import { showName } from '../../base/image/documented.ts';
import { refreshSystems } from '../systems/systems-store.ts';
import { type FakeDist, openDist, systemOf } from './dist.fixture.ts';
import { openLibraries, refreshLibraries } from './libraries-store.ts';

let core: FakeCore;
let disk: Disk;

beforeEach(async () => {
  core = await openWholeWindow();
  disk = openDisk(core);
  await refreshSystems();
});

const panel = () => region('Libraries');
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const notice = (text: string | RegExp) => page.getByRole('status').getByText(text);

/** Answers loads of systems, which succeed at once, and returns the names of the loaded systems. */
function loads(): string[] {
  const loaded: string[] = [];
  answer({
    'systems.load': ({ evaluation, system }) => {
      loaded.push(system);
      return {
        load: { evaluation, system, actor: 'person', state: 'loaded', message: 'loaded.' },
        compilation: null,
      };
    },
  });
  return loaded;
}

/** Lists the systems of the project. */
async function project(...names: string[]): Promise<void> {
  const systems = names.map((name) => systemOf(name, { file: '/home/ada/shop/shop.asd' }));
  answer({ 'systems.list': () => ({ systems, quicklisp: false, libraries: [] }) });
  await refreshSystems();
}

it('From nothing to a loaded library takes only the keyboard [issue 38.4]', async () => {
  const dist = openDist(core, { hasClient: false });
  const loaded = loads();
  await press('Control+Alt+Shift+L');
  await expect.element(button('Set Up Quicklisp')).toHaveFocus();
  await press('Enter');
  await expect.element(panel().getByRole('progressbar')).toBeVisible();
  dist.end();
  await expect.element(panel().getByRole('searchbox')).toBeVisible();
  await press('Control+Alt+Shift+L');
  await expect.element(panel().getByRole('searchbox')).toHaveFocus();
  await type('http client');
  await expect.poll(() => panel().getByRole('option').elements().length).toBe(1);
  await press('Enter');
  await expect.element(button('Load drakma')).toBeEnabled();
  button('Load drakma').element().focus();
  await press('Enter');
  await expect.element(panel().getByRole('progressbar', { name: 'Installing drakma' })).toBeVisible();
  dist.end();
  await expect.poll(() => loaded).toEqual(['drakma']);
  expect(await faults()).toEqual([]);
});

it('The commands open the panel, and search for a library if its name is given [issue 38.4]', async () => {
  openDist(core);
  await press('Control+Shift+P');
  await type('install library');
  await press('Enter');
  await expect.element(panel().getByRole('searchbox')).toHaveFocus();
  openLibraries('yason');
  await expect.element(panel().getByRole('searchbox')).toHaveValue('yason');
  await expect.element(panel().getByRole('region', { name: 'Details of yason' })).toBeVisible();
});

it('Update Libraries compares the preferred dist with its newest version [issue 38.4]', async () => {
  openDist(core);
  answer({ 'libraries.compare': () => ({ update: null }) });
  await press('Control+Shift+P');
  await type('update libraries');
  await press('Enter');
  await expect.element(page.getByText('quicklisp has the newest version.')).toBeVisible();
  await press('Escape');
});

describe('adding a library to the project', () => {
  async function addYason(): Promise<void> {
    openLibraries('yason');
    await button('Add to project: yason').click();
  }

  it('The dependency is an unsaved change in the editor, with the caret there [issue 38.4]', async () => {
    openDist(core);
    disk.write('shop.asd', '(defsystem "shop"\n  :depends-on ("alexandria"))\n');
    await project('shop');
    await addYason();
    await expect.poll(shownText).toBe('(defsystem "shop"\n  :depends-on ("alexandria" "yason"))\n');
    await expect
      .element(notice('yason was added to the dependencies of “shop”. Save the file to keep it.'))
      .toBeVisible();
    expect(disk.read('shop.asd')).toBe('(defsystem "shop"\n  :depends-on ("alexandria"))\n');
    await expect.element(region('Status bar')).toMatchTextContent('Ln 2, Col 36');
    await expect.poll(() => editorRegion().element().contains(document.activeElement)).toBe(true);
    await press('Control+z');
    await expect.poll(shownText).toBe('(defsystem "shop"\n  :depends-on ("alexandria"))\n');
  });

  it('A dialog asks for the system if the project has several [issue 38.4]', async () => {
    openDist(core);
    disk.write('shop.asd', '(defsystem "shop" :depends-on ())\n(defsystem "shop/tests" :depends-on ("shop"))\n');
    await project('shop', 'shop/tests');
    await addYason();
    const systems = page.getByRole('grid', { name: 'Systems of the project' });
    await expect.element(systems.getByRole('row', { name: 'shop', exact: true })).toHaveFocus();
    expect(await faults()).toEqual([]);
    await press('ArrowDown');
    await press('Enter');
    await expect
      .poll(shownText)
      .toBe('(defsystem "shop" :depends-on ())\n(defsystem "shop/tests" :depends-on ("shop" "yason"))\n');
  });

  it('Without a list from the image the systems are those of the definition files [issue 38.4]', async () => {
    openDist(core);
    disk.write('shop.asd', '(defsystem "shop")\n');
    await addYason();
    await expect.poll(shownText).toBe('(defsystem "shop" :depends-on ("yason"))\n');
  });

  it('A library that is there already changes nothing [issue 38.4]', async () => {
    openDist(core);
    disk.write('shop.asd', '(defsystem "shop" :depends-on (:yason))\n');
    await project('shop');
    await addYason();
    await expect.element(notice('“shop” already depends on yason.')).toBeVisible();
    expect(shownText()).toBe('(defsystem "shop" :depends-on (:yason))\n');
  });

  it('The qlfile of a qlot project gets the library as a second unsaved change [issue 38.4]', async () => {
    openDist(core, {
      project: { kind: 'qlot', path: '/home/ada/shop/.qlot/setup.lisp', count: 1, program: '/usr/bin/qlot' },
    });
    disk.write('shop.asd', '(defsystem "shop" :depends-on ("drakma"))\n');
    disk.write('qlfile', 'ql drakma\n');
    await project('shop');
    await addYason();
    await expect.element(notice(/yason was added to the dependencies of “shop”, and to the qlfile\./)).toBeVisible();
    expect(shownText()).toBe('(defsystem "shop" :depends-on ("drakma" "yason"))\n');
    await page.getByRole('tab', { name: /qlfile/ }).click();
    await expect.poll(shownText).toBe('ql drakma\nql yason\n');
    expect(disk.read('qlfile')).toBe('ql drakma\n');
  });

  it('The program of ocicl adds the library [issue 38.4]', async () => {
    openDist(core, {
      project: { kind: 'ocicl', path: '/home/ada/shop/ocicl.csv', count: 1, program: '/usr/bin/ocicl' },
    });
    answer({ 'libraries.runTool': () => ({ output: '' }) });
    disk.write('shop.asd', '(defsystem "shop" :depends-on ("drakma"))\n');
    await project('shop');
    await addYason();
    await expect
      .poll(() => core.calls.find(({ name }) => name === 'libraries.runTool')?.input)
      .toEqual({ action: 'add', library: 'yason' });
  });
});

describe('offers beside errors', () => {
  const offer = () => page.getByRole('group', { name: 'Missing library' });

  /** Evaluates code in the REPL, which ends with a condition. */
  async function failWith(conditionType: string, message: string): Promise<void> {
    answer({
      'repl.evaluate': ({ evaluation }) =>
        reportOf(evaluation, [], { status: 'error', condition: conditionOf(conditionType, message) }),
    });
    await page.getByRole('textbox', { name: 'REPL input' }).click();
    await type('(go)');
    await press('Control+Enter');
  }

  it('A missing package of a library is installed and loaded from the REPL [issue 38.4]', async () => {
    const dist = openDist(core);
    const loaded = loads();
    await failWith('SB-INT:SIMPLE-READER-PACKAGE-ERROR', 'Package DRAKMA does not exist.');
    await expect.element(offer()).toMatchTextContent('3 releases, 100.0 kB to download; 1 is installed.');
    expect(await faults()).toEqual([]);
    await button('Install drakma').click();
    const work = { kind: 'install', subject: 'drakma', part: 'chunga', done: 1, total: 3, words: '' } as const;
    core.tell('library-work-changed', { work });
    await expect.element(offer()).toMatchTextContent('1 of 3 · chunga');
    await expect.element(button('Cancel Installing drakma')).toBeVisible();
    await expect.element(button('Install drakma')).toHaveFocus();
    dist.end();
    await expect.poll(() => loaded).toEqual(['drakma']);
    await expect.element(button('Load drakma')).toBeVisible();
  });

  it('Details of the offer open the library in the panel [issue 38.4]', async () => {
    openDist(core);
    await failWith('READER-ERROR', 'Package YASON does not exist.');
    await button('Details of yason').click();
    await expect.element(panel().getByRole('region', { name: 'Details of yason' })).toBeVisible();
  });

  it('A package that no dist has can be searched [issue 38.4]', async () => {
    openDist(core);
    await failWith('READER-ERROR', 'Package JSON does not exist.');
    await button('Search Libraries for json').click();
    await expect.element(panel().getByRole('searchbox')).toHaveValue('json');
  });

  it('An error about QL offers to set up Quicklisp, and then to use it [issue 38.4]', async () => {
    const dist: FakeDist = openDist(core, { hasClient: false });
    await failWith('READER-ERROR', 'Package QL does not exist.');
    await offer().getByRole('button', { name: 'Set Up Quicklisp' }).click();
    await expect.poll(() => core.calls.some(({ name }) => name === 'libraries.setUp')).toBe(true);
    const tool = { kind: 'quicklisp' as const, path: '/home/ada/quicklisp/setup.lisp' };
    let active = false;
    answer({
      'systems.list': () => ({ systems: [], quicklisp: active, libraries: [{ ...tool, active }] }),
      'systems.useLibrary': () => {
        active = true;
        return {};
      },
    });
    dist.end();
    await button('Use Quicklisp').click();
    await expect.element(offer()).not.toBeInTheDocument();
    expect(active).toBe(true);
  });

  it('Other errors and packages of loaded systems of the project get no offer [issue 38.4]', async () => {
    openDist(core);
    await project('drakma');
    answer({
      'systems.list': () => ({ systems: [systemOf('drakma', { loaded: true })], quicklisp: false, libraries: [] }),
    });
    await refreshSystems();
    await failWith('READER-ERROR', 'Package DRAKMA does not exist.');
    await failWith('SIMPLE-ERROR', 'The order was not found.');
    await expect.element(page.getByText('The order was not found.')).toBeVisible();
    await expect.poll(() => core.calls.filter(({ name }) => name === 'libraries.plan').length).toBeGreaterThan(0);
    await expect.element(offer()).not.toBeInTheDocument();
  });

  it('A missing package of the project offers its system in the REPL and in Documentation [issue 39.2]', async () => {
    openDist(core);
    core.tell('project-changed', { path: '/home/ada/shop', name: 'shop', trusted: true });
    await project('shop', 'shop/tests');
    const loaded = loads();
    await failWith('READER-ERROR', 'Package SHOP/TESTS does not exist.');
    await expect.element(offer()).toMatchTextContent(/Load shop\/tests\s*It is a system of this project\./);
    expect(await faults()).toEqual([]);
    await button('Load shop/tests').click();
    await expect.poll(() => loaded).toEqual(['shop/tests']);
    const unknown = { symbol: 'TOTAL', package: 'SHOP', found: false, unknownPackage: true, meanings: [], near: [] };
    answer({
      'names.describe': () => ({ described: unknown, genericFunction: null }),
    });
    showName({ symbol: 'total', package: 'SHOP' });
    await region('Documentation').getByRole('button', { name: 'Load shop', exact: true }).click();
    await expect.poll(() => loaded).toEqual(['shop/tests', 'shop']);
  });

  it('A folder that is trusted now offers to load its main system, and so does the empty list of definitions [issue 39.2]', async () => {
    const loaded = loads();
    await project('shop', 'shop/tests');
    const shop = { path: '/home/ada/shop', name: 'shop' };
    core.tell('project-changed', { ...shop, trusted: false });
    core.tell('project-changed', { ...shop, trusted: true });
    await expect.element(notice('shop is trusted. Its system shop is not loaded yet.')).toBeVisible();
    await expect.element(region('Definitions').getByRole('button', { name: 'Load shop', exact: true })).toBeVisible();
    await page.getByRole('status').getByRole('button', { name: 'Load shop' }).click();
    await expect.poll(() => loaded).toEqual(['shop']);
  });

  it('The debugger offers the library that its error is about [issue 38.4]', async () => {
    openDist(core);
    const shared = {
      id: 'd1',
      evaluation: 'evaluation-1',
      held: false,
      thread: '',
      kind: 'error' as const,
      level: 1,
      type: 'ASDF/FIND-COMPONENT:MISSING-COMPONENT',
      message: 'Component "yason" not found',
      steps: { within: false, out: false },
    };
    const person = { id: 'person', kind: 'person' as const, name: 'you' };
    const head: DebuggerHead = { ...shared, actor: person, summary: '(go)', since: 0, proposals: [], question: null };
    answer({
      'debugger.record': () => ({
        ...shared,
        actor: 'person',
        package: 'COMMON-LISP-USER',
        step: null,
        handle: 1,
        restarts: [],
        frames: [],
        moreFrames: false,
      }),
    });
    core.tell('debuggers-changed', { debuggers: [head], gone: null });
    await press('Control+Shift+g');
    await expect.element(region('Debugger').getByRole('button', { name: 'Install yason' })).toBeVisible();
    expect(await faults()).toEqual([]);
    core.tell('debuggers-changed', { debuggers: [], gone: null });
  });

  it('Problems offer the libraries of missing packages, but nothing for other packages [issue 38.4]', async () => {
    openDist(core);
    const place = {
      severity: 'error' as const,
      file: '/home/ada/shop/shop.lisp',
      line: 1,
      column: 1,
      context: null,
      elsewhere: false,
    };
    problems.setState({
      listed: [
        { ...place, id: '1', type: 'package', message: 'There is no package SHOP.' },
        { ...place, id: '2', type: 'package', message: 'There is no package YASON.' },
      ],
    });
    await press('Control+Shift+M');
    await expect.element(region('Problems').getByRole('button', { name: 'Install yason' })).toBeVisible();
    expect(offer().elements()).toHaveLength(1);
    expect(await faults()).toEqual([]);
    problems.setState({ listed: [] });
  });

  it('A failed load offers the missing dependency, and then loads what was asked [issue 38.4]', async () => {
    const dist = openDist(core);
    const loaded = loads();
    await refreshLibraries();
    core.tell('loads-changed', [
      {
        evaluation: 'evaluation-1',
        system: 'shop',
        actor: 'person',
        state: 'failed',
        message: 'ASDF:MISSING-DEPENDENCY: Component "yason" not found, required by #<SYSTEM "shop">',
      },
    ]);
    await press('Control+Shift+Y');
    await region('Systems').getByRole('button', { name: 'Install yason' }).click();
    await expect.poll(() => core.calls.some(({ name }) => name === 'libraries.install')).toBe(true);
    dist.end();
    await expect.poll(() => loaded).toEqual(['shop']);
  });
});

describe('the setting for dists', () => {
  const dialog = () => page.getByRole('dialog', { name: 'Settings' });

  it('An address is added, checked and removed [issue 38.4]', async () => {
    const dists = ['https://beta.quicklisp.org/dist/quicklisp.txt'];
    core = await openWholeWindow(snapshotWith());
    answer({
      'settings.change': (part) => {
        core.choose(part as Partial<Settings>);
        return { ...snapshotWith().settings, ...part };
      },
    });
    await press('Control+,');
    await type('ultralisp');
    const field = dialog().getByRole('textbox', { name: 'Address of a dist' });
    await field.fill('ultralisp');
    await press('Enter');
    await expect.element(dialog()).toMatchTextContent(/Enter the web address of a dist/);
    await field.fill('https://dist.ultralisp.org/');
    await press('Enter');
    await expect.element(button('Remove https://dist.ultralisp.org/')).toBeVisible();
    expect(await faults()).toEqual([]);
    await button('Remove https://dist.ultralisp.org/').click();
    await expect.element(button(/^Remove/)).not.toBeInTheDocument();
    expect(core.calls.filter(({ name }) => name === 'settings.change').map(({ input }) => input)).toEqual([
      { libraries: { dists: [...dists, 'https://dist.ultralisp.org/'] } },
      { libraries: { dists } },
    ]);
    await press('Escape');
  });
});
