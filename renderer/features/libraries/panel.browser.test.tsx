/** The Libraries panel: its states, the search, the plan of an installation, its progress, and the dists. */
import { beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { Notices } from '../../base/notices/notices.tsx';
import { closeOverlay, useOverlay } from '../../base/layout/overlays.ts';
import {
  answer,
  draw,
  faults,
  NO_IMAGE,
  openWindow,
  press,
  snapshotWith,
  type,
  type FakeCore,
} from '../../window.fixture.tsx';
import { refreshSystems } from '../systems/systems-store.ts';
import { openDist, systemOf } from './dist.fixture.ts';
import { DistVersions } from './dist-versions.tsx';
import { Libraries } from './panel.tsx';
import { UpdateDist } from './update-dist.tsx';

let core: FakeCore;

beforeEach(async () => {
  closeOverlay();
  core = await openWindow(snapshotWith(), {
    'systems.list': () => ({ systems: [], quicklisp: false, libraries: [] }),
    'review.stepAside': () => ({}),
  });
});

const SIZE = { width: 300, height: 700 };
const panel = () => page.getByRole('region', { name: 'Libraries', exact: true });
const rows = (): string[] =>
  panel()
    .getByRole('option')
    .elements()
    .map(({ textContent }) => textContent);
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const search = () => panel().getByRole('searchbox', { name: 'Search libraries' });

/** The panel with the notices of the window and the dialog that is open. */
function Shown() {
  const open = useOverlay();
  return (
    <>
      <Libraries />
      <Notices />
      {open?.kind === 'update-dist' ? <UpdateDist {...open} /> : null}
      {open?.kind === 'dist-versions' ? <DistVersions {...open} /> : null}
    </>
  );
}

/** Draws the panel, and waits until the libraries are listed. */
async function listed(): Promise<void> {
  await draw(Shown, SIZE);
  await expect.poll(rows).toHaveLength(4);
}

/** Selects a library by its name. */
async function choose(name: string): Promise<void> {
  await panel()
    .getByRole('option', { name: new RegExp(`\\b${name}\\b`) })
    .click();
  await expect.element(panel().getByRole('list', { name: `Releases that ${name} needs` })).toBeVisible();
}

describe('without a dist', () => {
  it('The panel explains where libraries come from, and sets up Quicklisp by key [issue 38.4]', async () => {
    const dist = openDist(core, { hasClient: false });
    await draw(Shown, SIZE);
    await expect.element(panel()).toMatchTextContent(/about 2,000 projects/);
    await expect.element(panel()).toMatchTextContent(/It goes into \/home\/ada\/quicklisp\. None of its code runs/);
    expect(await faults()).toEqual([]);
    button('Set Up Quicklisp').element().focus();
    await press('Enter');
    await expect.element(panel().getByRole('progressbar', { name: 'Setting up Quicklisp' })).toBeVisible();
    dist.end();
    await expect.poll(rows).toHaveLength(4);
    await expect.element(page.getByRole('status')).toMatchTextContent(/Quicklisp is set up/);
  });

  it('A set-up that fails says why, and can be tried again [issue 38.4]', async () => {
    const dist = openDist(core, { hasClient: false });
    await draw(Shown, SIZE);
    await button('Set Up Quicklisp').click();
    dist.end('beta.quicklisp.org cannot be reached.');
    await expect.element(page.getByText('beta.quicklisp.org cannot be reached.')).toBeVisible();
    await expect.element(button('Set Up Quicklisp')).toBeEnabled();
    await expect.element(panel().getByRole('progressbar')).not.toBeInTheDocument();
  });

  it('Libraries that cannot be listed are no empty panel [issue 38.4]', async () => {
    openDist(core);
    answer({ 'libraries.overview': () => Promise.reject(new Error('The folder cannot be read.')) });
    await draw(Shown, SIZE);
    await expect.element(page.getByText('The folder cannot be read.')).toBeVisible();
    expect(await faults()).toEqual([]);
  });
});

describe('search', () => {
  it('Each row has the name, version, marks and description of a library [issue 38.4]', async () => {
    const dist = openDist(core);
    dist.installed.add('chunga');
    answer({
      'systems.list': () => ({
        systems: [systemOf('alexandria', { loaded: true, origin: 'quicklisp' })],
        quicklisp: true,
        libraries: [],
      }),
    });
    await refreshSystems();
    await listed();
    expect(rows()).toEqual([
      'alexandria20241012-gitA collection of portable public domain utilities.',
      'chunga20241012-gitfrom quicklisp',
      'drakma20241012-gitFull-featured http/https client',
      'yason20241012-gitJSON parser/encoder',
    ]);
    const marks = panel()
      .getByRole('listbox')
      .element()
      .querySelectorAll('[aria-label="loaded"], svg[aria-label="installed"]');
    expect([...marks].map((mark) => mark.getAttribute('aria-label'))).toEqual(['loaded', 'installed']);
    expect(await faults()).toEqual([]);
  });

  it('Words of the name or the description find a library, and Down and Enter choose it [issue 38.4]', async () => {
    openDist(core);
    await listed();
    search().element().focus();
    await type('json enc');
    await expect.poll(rows).toEqual([expect.stringMatching(/^yason/)]);
    await press('ArrowDown');
    await press('Enter');
    await expect.element(panel().getByRole('region', { name: 'Details of yason' })).toBeVisible();
    expect(await faults()).toEqual([]);
  });

  it('Enter in the search field chooses the first library [issue 38.4]', async () => {
    openDist(core);
    await listed();
    search().element().focus();
    await type('drak');
    await expect.poll(rows).toHaveLength(1);
    await press('Enter');
    await expect.element(panel().getByRole('region', { name: 'Details of drakma' })).toBeVisible();
  });

  it('The toggle lists only installed libraries, and an empty result says so [issue 38.4]', async () => {
    openDist(core);
    await listed();
    await button('Installed').click();
    await expect.poll(rows).toEqual([expect.stringMatching(/^alexandria/)]);
    search().element().focus();
    await type('zzz');
    await expect.element(page.getByText('No installed library matches “zzz”.')).toBeVisible();
    expect(await faults()).toEqual([]);
  });
});

describe('installation', () => {
  it('The details show what an installation needs before it starts [issue 38.4]', async () => {
    openDist(core);
    await listed();
    await choose('drakma');
    await expect.element(panel()).toMatchTextContent('drakma: 3 releases, 100.0 kB to download; 1 is installed.');
    const needed = panel().getByRole('list', { name: 'Releases that drakma needs' }).getByRole('listitem').elements();
    expect(needed.map(({ textContent }) => textContent.trim())).toEqual([
      'drakma 50.0 kB',
      'chunga 50.0 kB',
      'alexandria 50.0 kB',
    ]);
    expect(core.calls.some(({ name }) => name === 'libraries.install')).toBe(false);
    expect(await faults()).toEqual([]);
  });

  it('The progress stays visible whichever library is selected, and the end is announced [issue 38.4]', async () => {
    const dist = openDist(core);
    await listed();
    await choose('drakma');
    await button('Install drakma').click();
    const bar = panel().getByRole('progressbar', { name: 'Installing drakma' });
    await expect.element(bar).toBeVisible();
    core.tell('library-work-changed', {
      work: {
        kind: 'install',
        subject: 'drakma',
        part: 'chunga-20241012-git',
        done: 1,
        total: 3,
        words: '20 kB of 50 kB',
      },
    });
    await expect.element(bar).toHaveAttribute('aria-valuetext', '1 of 3 · chunga-20241012-git · 20 kB of 50 kB');
    await choose('yason');
    await expect.element(bar).toBeVisible();
    expect(await faults()).toEqual([]);
    await button('Install yason').click();
    await expect.element(page.getByText(/Other work on libraries is running/)).toBeVisible();
    expect(core.calls.filter(({ name }) => name === 'libraries.install')).toHaveLength(1);
    dist.end();
    await expect.element(page.getByText('drakma: installed.')).toBeVisible();
    await expect.element(bar).not.toBeInTheDocument();
    await choose('drakma');
    await expect.element(panel()).toMatchTextContent('drakma: 3 releases, installed.');
    await expect.element(button('Install drakma')).toBeDisabled();
  });

  it('An installation is cancelled by key, and the library can be installed again [issue 38.4]', async () => {
    openDist(core);
    await listed();
    await choose('drakma');
    await button('Install drakma').click();
    button('Cancel Installing drakma').element().focus();
    await press('Enter');
    await expect.element(page.getByText('The installation was cancelled.')).toBeVisible();
    await expect.element(panel().getByRole('progressbar')).not.toBeInTheDocument();
    await expect.element(button('Install drakma')).toBeEnabled();
  });

  it('Work that an agent started is shown as well [issue 38.4]', async () => {
    openDist(core);
    await listed();
    const work = {
      kind: 'install',
      subject: 'cl-csv',
      part: '',
      done: 0,
      total: 0,
      words: 'Reading the index',
    } as const;
    core.tell('library-work-changed', { work });
    await expect.element(panel().getByRole('progressbar', { name: 'Installing cl-csv' })).toBeVisible();
    core.tell('library-work-changed', { work: null });
    await expect.element(panel().getByRole('progressbar')).not.toBeInTheDocument();
  });

  it('Load installs what is missing, and then loads the library [issue 38.4]', async () => {
    const dist = openDist(core);
    answer({
      'systems.load': ({ evaluation, system }) => ({
        load: { evaluation, system, actor: 'person', state: 'loaded', message: '3 files loaded.' },
        compilation: null,
      }),
    });
    await listed();
    await choose('yason');
    await button('Load yason').click();
    await expect.element(panel().getByRole('progressbar')).toBeVisible();
    dist.end();
    await expect.element(page.getByText('yason: 3 files loaded.')).toBeVisible();
    const made = core.calls.map(({ name }) => name).filter((name) => /install|systems\.load/.test(name));
    expect(made).toEqual(['libraries.install', 'systems.load']);
  });

  it('A library is not loaded if its installation failed [issue 38.4]', async () => {
    const dist = openDist(core);
    await listed();
    await choose('yason');
    await button('Load yason').click();
    await expect.element(panel().getByRole('progressbar')).toBeVisible();
    dist.end('The archive of yason has another digest.');
    await expect.element(page.getByText('The archive of yason has another digest.')).toBeVisible();
    expect(core.calls.some(({ name }) => name === 'systems.load')).toBe(false);
  });

  it('Without an image a library can be installed, but not loaded [issue 38.4]', async () => {
    core = await openWindow(snapshotWith({}, NO_IMAGE));
    openDist(core);
    await listed();
    await choose('yason');
    await expect.element(button('Load yason')).toBeDisabled();
    await expect.element(button('Install yason')).toBeEnabled();
  });

  it('A dependency that no dist has is named [issue 38.4]', async () => {
    openDist(core);
    answer({
      'libraries.plan': () => ({
        systems: ['yason'],
        releases: [
          {
            dist: 'quicklisp',
            version: '2024-10-12',
            project: 'yason',
            release: 'yason-1',
            size: 1,
            md5: '0',
            licence: null,
            installed: false,
          },
        ],
        size: 1,
        missing: ['sb-posix'],
        neededBy: ['shop'],
      }),
    });
    await listed();
    await choose('yason');
    await expect.element(panel()).toMatchTextContent('No dist has sb-posix. The image may have it.');
    await expect.element(panel().getByRole('region', { name: 'Details of yason' })).toMatchTextContent('Needed byshop');
  });
});

describe('names and loads', () => {
  it('A misspelled name offers similar ones, which are searched and selected [issue 38.4]', async () => {
    openDist(core);
    await listed();
    search().element().focus();
    await type('drakam');
    await button('drakma').click();
    await expect.poll(rows).toEqual([expect.stringMatching(/^drakma/)]);
    await expect.element(panel().getByRole('region', { name: 'Details of drakma' })).toBeVisible();
  });

  it('A load by the person shows its progress here, with a button that cancels it [issue 38.4]', async () => {
    openDist(core);
    await listed();
    const load = { evaluation: 'e1', system: 'drakma', actor: 'person', message: null } as const;
    core.tell('loads-changed', [{ ...load, state: 'loading' }]);
    core.tell('system-progress', {
      evaluation: 'e1',
      system: 'drakma',
      done: 3,
      total: 12,
      action: 'compile',
      component: 'drakma/util',
    });
    const progress = panel().getByRole('progressbar', { name: 'Progress of loading drakma' });
    await expect.element(progress).toHaveAttribute('aria-valuenow', '3');
    await expect.element(button('Cancel loading drakma')).toBeVisible();
    expect(await faults()).toEqual([]);
    core.tell('loads-changed', [{ ...load, state: 'loaded' }]);
    await expect.element(progress).not.toBeInTheDocument();
  });
});

describe('dists', () => {
  const update = {
    dist: 'quicklisp',
    before: '2024-10-12',
    after: '2025-06-22',
    added: ['new-project'],
    changed: [
      { project: 'aserve', before: 'aserve-1', after: 'aserve-2' },
      { project: 'alexandria', before: 'alexandria-20241012-git', after: 'alexandria-20250622-git' },
    ],
    removed: [
      { project: 'old-project', neededBy: [] },
      { project: 'bordeaux', neededBy: ['shop'] },
    ],
    used: ['alexandria', 'bordeaux'],
    size: 1_100_000,
  };

  async function openDists(): Promise<void> {
    await listed();
    await button('Dists').click();
  }

  it('An update lists what changes, with the installed libraries first, before it starts [issue 38.4]', async () => {
    const dist = openDist(core);
    let end: (() => void) | null = null;
    answer({
      'libraries.compare': () => ({ update }),
      'libraries.update': () => new Promise((resolve) => (end = () => resolve({}))),
    });
    await openDists();
    await expect.element(panel()).toMatchTextContent('4 systems in 4 projects; 1 installed.');
    await button('Check for Update…').click();
    const dialog = page.getByRole('dialog', { name: 'Update quicklisp' });
    await expect.element(dialog).toMatchTextContent(/2 installed libraries change; 1\.1 MB to download/);
    expect(
      dialog
        .getByRole('treeitem')
        .elements()
        .map((row) => row.getAttribute('aria-label')),
    ).toEqual([
      'Changed 2',
      'alexandria 20241012-git → 20250622-git installed',
      'aserve 1 → 2',
      'New 1',
      'new-project',
      'Removed 2',
      'bordeaux installed, needed by shop',
      'old-project',
    ]);
    expect(await faults()).toEqual([]);
    await button('Update').click();
    await expect.element(dialog).not.toBeInTheDocument();
    await expect
      .poll(() => core.calls.find(({ name }) => name === 'libraries.update')?.input)
      .toEqual({
        dist: 'quicklisp',
        version: '2025-06-22',
      });
    await expect.element(panel().getByRole('progressbar', { name: 'Updating quicklisp to 2025-06-22' })).toBeVisible();
    dist.overview = { ...dist.overview, dists: [{ ...dist.overview.dists[0]!, version: '2025-06-22' }] };
    end!();
    await expect.element(panel()).toMatchTextContent('From quicklisp 2025-06-22');
  });

  it('A dist with the newest version says so [issue 38.4]', async () => {
    openDist(core);
    answer({ 'libraries.compare': () => ({ update: null }) });
    await openDists();
    await button('Check for Update…').click();
    await expect.element(page.getByText('quicklisp has the newest version.')).toBeVisible();
    await expect.element(button('Update')).not.toBeInTheDocument();
    await press('Escape');
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  });

  it('An earlier version is chosen by key and compared first [issue 38.4]', async () => {
    openDist(core);
    answer({
      'libraries.versions': () => ({ versions: ['2024-10-12', '2023-10-21', '2023-06-18'] }),
      'libraries.compare': ({ version }) => ({ update: { ...update, after: version!, removed: [] } }),
    });
    await openDists();
    await button('Other Version…').click();
    const versions = page.getByRole('grid', { name: 'Versions of quicklisp' });
    await expect.element(versions).toMatchTextContent('2024-10-12 current2023-10-212023-06-18');
    expect(await faults()).toEqual([]);
    await press('ArrowDown');
    await press('Enter');
    await expect.element(page.getByRole('dialog', { name: /^Change quicklisp to 2023-/ })).toBeVisible();
    await expect.element(button('Change')).toBeVisible();
    await press('Escape');
  });

  it('Addresses of the settings that are not used yet can be added [issue 38.4]', async () => {
    const address = 'https://dist.ultralisp.org/';
    openDist(core, { unsubscribed: [address] });
    answer({ 'libraries.addDist': () => ({}) });
    await openDists();
    await button(`Add ${address}`).click();
    await expect.element(page.getByText(`The dist was added: ${address}`)).toBeVisible();
    expect(core.calls).toContainEqual({ name: 'libraries.addDist', input: { address } });
  });

  it('A dist that could not be read leaves the others, with the reason [issue 38.4]', async () => {
    openDist(core, { problem: 'The index of ultralisp is incomplete.' });
    await listed();
    await expect.element(page.getByText('The index of ultralisp is incomplete.')).toBeVisible();
    expect(await faults()).toEqual([]);
  });
});

describe('the library tool of the project', () => {
  it('The head names the tool with its locked libraries, and runs its program [issue 38.4]', async () => {
    openDist(core, { project: { kind: 'qlot', path: '/home/ada/shop/qlfile', count: 12, program: '/usr/bin/qlot' } });
    answer({ 'libraries.runTool': () => ({ output: 'Successfully installed.\n' }) });
    await listed();
    await expect.element(panel()).toMatchTextContent('The project’s libraries come from qlot (12 locked).');
    await button('Install Locked').click();
    await expect
      .element(panel().getByRole('group', { name: 'Output of qlot install' }))
      .toMatchTextContent('Successfully installed.');
    expect(core.calls).toContainEqual({ name: 'libraries.runTool', input: { action: 'install', library: null } });
    expect(await faults()).toEqual([]);
  });

  it('Without the program of the tool a sentence says how to get it [issue 38.4]', async () => {
    openDist(core, { project: { kind: 'ocicl', path: '/home/ada/shop/ocicl.csv', count: 3, program: null } });
    answer({ 'app.openAddress': () => ({}) });
    await listed();
    await expect.element(panel()).toMatchTextContent('The project’s libraries come from ocicl (ocicl.csv).');
    await expect.element(button('Install Locked')).not.toBeInTheDocument();
    await button('https://github.com/ocicl/ocicl').click();
    await expect
      .poll(() => core.calls)
      .toContainEqual({ name: 'app.openAddress', input: { address: 'https://github.com/ocicl/ocicl' } });
    expect(await faults()).toEqual([]);
  });

  it('The overview is requested again when another project opens [issue 38.4]', async () => {
    const dist = openDist(core);
    await listed();
    dist.overview = { ...dist.overview, project: { kind: 'qlot', path: '/p/qlfile', count: null, program: null } };
    core.tell('project-changed', { path: '/p', name: 'p', trusted: true });
    await expect.element(panel()).toMatchTextContent('The project’s libraries come from qlot.');
  });
});
