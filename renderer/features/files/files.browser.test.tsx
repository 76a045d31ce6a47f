/** The operations of the Files panel by keys, menus and the mouse. The core's side is tested in `file-operations.test.ts`. */
import { beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { type Disk, openDisk, openOnDisk, tabs } from '../../disk.fixture.ts';
import { runCommand } from '../../base/keys/command-registry.ts';
import { buffers, modelOf } from '../../editor/text/buffers.ts';
import { region, shownText } from '../../text.fixture.ts';
import { answer, type FakeCore, faults, openWholeWindow, press, snapshotWith, type } from '../../window.fixture.tsx';
import { ROW_MENU } from './commands.ts';
import { filesView } from './files-store.ts';

const ASD = `(defsystem "shop"
  :serial t
  :components ((:file "package")
               (:file "cart")))
`;

let core: FakeCore;
let disk: Disk;
/** The files that each deletion removed, by the id of its backup. */
let deleted: Map<string, Map<string, string>>;

beforeEach(async () => {
  core = await openWholeWindow();
  filesView.setState({ open: new Set(), filter: '', active: null, chosen: null, naming: null, cut: null });
  disk = openDisk(core, {
    'shop.asd': ASD,
    'package.lisp': '(defpackage #:shop)\n',
    'cart.lisp': '(in-package #:shop)\n',
    'src/till.lisp': '(in-package #:shop/till)\n',
  });
  deleted = new Map();
  answer({
    'files.create': ({ path, text }) => {
      refuseTaken(path);
      disk.write(path, text);
      return { path };
    },
    'files.move': ({ path, to }) => {
      refuseTaken(to);
      for (const [name, text] of take(path)) disk.write(to + name.slice(path.length), text);
      return { from: absolute(path), to: absolute(to) };
    },
    'files.duplicate': ({ path }) => {
      const copy = path.replace(/\.lisp$/, '-copy.lisp');
      disk.write(copy, disk.read(path)!);
      return { path: copy };
    },
    'files.delete': ({ path }) => {
      const undo = String(deleted.size + 1);
      deleted.set(undo, take(path));
      return { deleted: true, file: absolute(path), undo, trashed: true };
    },
    'files.restore': ({ undo }) => {
      for (const [name, text] of deleted.get(undo)!) disk.write(name, text);
      return { restored: true, message: 'Restored.' };
    },
  });
  await press('Control+Shift+E');
  await row('cart.lisp').hover();
});

const absolute = (name: string): string => `/home/ada/shop/${name}`;
const tree = () => page.getByRole('tree', { name: 'Files of shop' });
const row = (name: string) => tree().getByRole('treeitem', { name, exact: true });
const field = () => tree().getByRole('textbox');
const rows = (): string[] =>
  tree()
    .getByRole('treeitem')
    .elements()
    .map((each) => each.textContent ?? '');
/** The editor has alerts of its own for screen readers. */
const fault = () => page.getByRole('alert').filter({ hasText: /Enter|version control|disk/ });
const question = () => page.getByRole('alertdialog');

function refuseTaken(path: string): void {
  if (disk.names().some((name) => name === path || name.startsWith(`${path}/`)))
    throw new Error(`${path} already exists. Choose another name.`);
}

/** Removes a file or a folder, and returns its files. */
function take(path: string): Map<string, string> {
  const names = disk.names().filter((name) => name === path || name.startsWith(`${path}/`));
  if (names.length === 0) throw new Error(`${path} does not exist.`);
  const taken = new Map(names.map((name) => [name, disk.read(name)!]));
  for (const name of names) disk.remove(name);
  return taken;
}

/** Makes a row of the tree active by the mouse. A click on a folder also opens it. */
async function choose(name: string): Promise<void> {
  await row(name).click();
  await expect.element(row(name)).toHaveAttribute('aria-selected', 'true');
  runCommand('view.files');
  await expect.poll(() => document.activeElement?.getAttribute('role')).toBe('tree');
}

describe('new files and folders', () => {
  it('A name typed in the tree makes a file in the folder of the active row, and opens it [issue 39.3]', async () => {
    await choose('src');
    await press('Control+n');
    await expect.element(field()).toHaveFocus();
    expect(rows().slice(0, 2)).toEqual(['src', '']);
    await type('deep/tax.lisp');
    await press('Enter');
    await expect.poll(() => disk.names()).toContain('src/deep/tax.lisp');
    await expect.element(tabs().filter({ hasText: 'tax.lisp' })).toHaveAttribute('aria-selected', 'true');
    await expect
      .poll(() => document.activeElement?.closest('[data-region]')?.getAttribute('data-region'))
      .toBe('Editor');
    await expect.element(row('tax.lisp')).toHaveAttribute('aria-selected', 'true');
  });

  it('Escape and a click elsewhere cancel, and nothing is made [issue 39.3]', async () => {
    const before = disk.names();
    for (const leave of [() => press('Escape'), () => region('Editor').click()]) {
      runCommand('file.newIn');
      await expect.element(field()).toHaveFocus();
      await type('x.lisp');
      await leave();
      await expect.element(field()).not.toBeInTheDocument();
    }
    expect(disk.names()).toEqual(before);
  });

  it('Escape returns the focus to the tree [issue 39.3]', async () => {
    await press('Control+n');
    await expect.element(field()).toHaveFocus();
    await press('Escape');
    await expect.element(tree()).toHaveFocus();
  });

  it('An empty, taken or impossible name is refused with a reason that the field names, and the field stays [issue 39.3]', async () => {
    await press('Control+n');
    for (const [name, reason] of [
      ['', 'Enter a name.'],
      ['cart.lisp', 'cart.lisp already exists. Enter another name.'],
      ['src', 'src already exists. Enter another name.'],
      ['../x', '.. does not name a new file or folder. Enter another name.'],
      ['/etc/x', 'Enter a name inside the project, without a slash at the beginning.'],
      ['.git/x', '.git belongs to version control. Enter another name.'],
      ['src/', 'Enter a name after the slash, or use New Folder….'],
    ] as const) {
      await field().fill(name);
      await press('Enter');
      await expect.element(fault()).toMatchTextContent(reason);
      await expect.element(field()).toHaveAccessibleDescription(reason);
    }
    expect(core.calls.filter(({ name }) => name === 'files.create')).toEqual([]);
    await field().fill('fine.lisp');
    await expect.element(fault()).not.toBeInTheDocument();
  });

  it('A refusal of the core is shown at the field, with the typed name [issue 39.3]', async () => {
    answer({
      'files.create': () => {
        throw new Error('x.lisp cannot be written: the disk is full.');
      },
    });
    await press('Control+n');
    await type('x.lisp');
    await press('Enter');
    await expect.element(fault()).toMatchTextContent('the disk is full');
    await expect.element(field()).toHaveValue('x.lisp');
  });

  it('Keys of the tree type in the field: Delete, F2, arrows and Ctrl+Z change no file [issue 39.3]', async () => {
    await choose('cart.lisp');
    const before = disk.names();
    await press('F2');
    await expect.element(field()).toHaveValue('cart.lisp');
    await press('Home');
    for (const keys of ['Delete', 'F2', 'ArrowDown', 'Control+z', 'Control+d', 'Control+x', 'Home', 'x'])
      await press(keys);
    await expect.element(field()).toHaveFocus();
    expect(disk.names()).toEqual(before);
    expect(core.calls.filter(({ name }) => /^files\.(?:delete|move|duplicate|create)/.test(name))).toEqual([]);
  });

  it('In an empty folder a button starts the first file [issue 39.3]', async () => {
    for (const name of disk.names()) disk.remove(name);
    await region('Files').getByRole('button', { name: 'New file…' }).click();
    await expect.element(field()).toHaveFocus();
    await type('first.lisp');
    await press('Enter');
    await expect.poll(() => disk.names()).toEqual(['first.lisp']);
  });
});

describe('a new component', () => {
  it('It has the package of the file beside it, and its system lists it as an unsaved change that can be undone [issue 39.3]', async () => {
    await choose('cart.lisp');
    await press('Control+Alt+n');
    await expect.element(field()).toHaveAccessibleName('Name of the new component');
    await type('tax');
    await press('Enter');
    await expect.poll(() => disk.read('tax.lisp')).toBe('(in-package #:shop)\n\n');
    await expect.poll(shownText).toContain('(:file "tax")');
    expect(disk.read('shop.asd')).toBe(ASD);
    await expect.element(tabs().filter({ hasText: 'shop.asd' })).toMatchTextContent('not saved');
    await expect.element(tabs().filter({ hasText: 'tax.lisp' })).toBeVisible();
    const asd = buffers.getState().buffers.find(({ title }) => title === 'shop.asd')!;
    expect(modelOf(asd.id)!.getValue()).toBe(
      ASD.replace('(:file "cart")))', '(:file "cart")\n               (:file "tax")))'),
    );
    await press('Control+z');
    await expect.poll(() => modelOf(asd.id)!.getValue()).toBe(ASD);
  });

  it('Without a system definition only the file is made, and a notice says so [issue 39.3]', async () => {
    disk.remove('shop.asd');
    await choose('cart.lisp');
    runCommand('file.newComponent');
    await expect.element(field()).toHaveFocus();
    await type('tax.lisp');
    await press('Enter');
    await expect.poll(() => disk.read('tax.lisp')).toBe('(in-package #:shop)\n\n');
    await expect.element(page.getByText(/No system definition \(\.asd\) is in a folder above/)).toBeVisible();
  });
});

describe('renaming and moving', () => {
  it('An open text follows its file with its unsaved changes and its undo steps [issue 39.3]', async () => {
    disk.remove('shop.asd');
    await openOnDisk(disk, 'cart.lisp', '(in-package #:shop)\n¦');
    await type('; mine');
    await choose('cart.lisp');
    await press('F2');
    const selected = () => {
      const input = field().element() as HTMLInputElement;
      return input.value.slice(input.selectionStart!, input.selectionEnd!);
    };
    await expect.poll(selected).toBe('cart');
    await type('basket');
    await press('Enter');
    await expect.poll(() => disk.names()).toContain('basket.lisp');
    const tab = tabs().filter({ hasText: 'basket.lisp' });
    await expect.element(tab).toMatchTextContent('not saved');
    await tab.click();
    await expect.poll(shownText).toContain('; mine');
    await press('Control+s');
    await expect.poll(() => disk.read('basket.lisp')).toBe('(in-package #:shop)\n; mine');
    expect(disk.names()).not.toContain('cart.lisp');
  });

  it('A system that lists the file is changed on request, as an unsaved change [issue 39.3]', async () => {
    await choose('cart.lisp');
    await press('F2');
    await type('basket');
    await press('Enter');
    await expect.element(question()).toMatchTextContent('Change shop.asd, too?');
    await question().getByRole('button', { name: 'Change shop.asd' }).click();
    await expect.poll(shownText).toContain('(:file "basket")');
    expect(disk.read('shop.asd')).toBe(ASD);
  });

  it('Cut and paste moves a file, and Undo moves it back [issue 39.3]', async () => {
    disk.remove('shop.asd');
    await choose('cart.lisp');
    await press('Control+x');
    await choose('src');
    await press('Control+v');
    await expect.poll(() => disk.names()).toContain('src/cart.lisp');
    await expect.element(row('cart.lisp')).toHaveAttribute('aria-level', '2');
    await press('Control+z');
    await expect.poll(() => disk.names()).toContain('cart.lisp');
    expect(disk.names()).not.toContain('src/cart.lisp');
  });

  it('A row that is dragged onto a folder, or onto a file in it, moves there [issue 39.3]', async () => {
    disk.remove('shop.asd');
    await row('cart.lisp').dropTo(row('src'));
    await expect.poll(() => disk.names()).toContain('src/cart.lisp');
    await row('cart.lisp').dropTo(row('package.lisp'));
    await expect.poll(() => disk.names()).toContain('cart.lisp');
  });

  it('A path of the project can be typed, and a folder moves with its open texts [issue 39.3]', async () => {
    await openOnDisk(disk, 'src/till.lisp', '(in-package #:shop/till)\n');
    await choose('src');
    runCommand('file.move');
    await expect.element(field()).toHaveValue('src');
    await field().fill('code/main');
    await press('Enter');
    await expect.poll(() => disk.names()).toContain('code/main/till.lisp');
    expect(buffers.getState().buffers.map(({ path }) => path)).toEqual([absolute('code/main/till.lisp')]);
  });
});

describe('duplicating and deleting', () => {
  it('A copy is made beside the file, and becomes the active row [issue 39.3]', async () => {
    await choose('cart.lisp');
    await press('Control+d');
    await expect.element(row('cart-copy.lisp')).toHaveAttribute('aria-selected', 'true');
    expect(disk.read('cart-copy.lisp')).toBe('(in-package #:shop)\n');
  });

  it('A deleted file closes its saved text, and Undo restores and opens it again [issue 39.3]', async () => {
    await openOnDisk(disk, 'cart.lisp', '(in-package #:shop)\n');
    await choose('cart.lisp');
    await press('Delete');
    await expect.poll(() => disk.names()).not.toContain('cart.lisp');
    await expect.element(tabs()).toHaveLength(0);
    await expect.element(row('package.lisp')).toHaveAttribute('aria-selected', 'true');
    await expect.element(tree()).toHaveFocus();
    const notice = page.getByText('cart.lisp was moved to the trash.');
    await expect.element(notice).toBeVisible();
    await page.getByRole('button', { name: 'Undo', exact: true }).last().click();
    await expect.poll(() => disk.read('cart.lisp')).toBe('(in-package #:shop)\n');
    await expect.element(tabs().filter({ hasText: 'cart.lisp' })).toBeVisible();
  });

  it('Unsaved text of a deleted file stays open and says so [issue 39.3]', async () => {
    await openOnDisk(disk, 'cart.lisp', '(in-package #:shop)\n¦');
    await type('; mine');
    await choose('cart.lisp');
    await press('Delete');
    await expect
      .element(page.getByText('cart.lisp no longer exists on disk. Its text exists only here.'))
      .toBeVisible();
    await expect.poll(shownText).toContain('; mine');
    await press('Control+z');
    await expect.poll(() => disk.names()).toContain('cart.lisp');
    await expect.element(page.getByText('no longer exists on disk')).not.toBeInTheDocument();
    await expect.poll(shownText).toContain('; mine');
  });

  it('Without a trash the person is asked, and Cancel keeps the file [issue 39.3]', async () => {
    const asked: boolean[] = [];
    answer({
      'files.delete': ({ path, permanently }) => {
        asked.push(permanently);
        if (!permanently) return { deleted: false, undoable: true };
        take(path);
        return { deleted: true, file: absolute(path), undo: null, trashed: false };
      },
    });
    await choose('cart.lisp');
    await press('Delete');
    await expect.element(question()).toMatchTextContent('Delete cart.lisp permanently?');
    await press('Enter');
    await expect.element(question()).not.toBeInTheDocument();
    expect([asked, disk.names().includes('cart.lisp')]).toEqual([[false], true]);
    await press('Delete');
    await question().getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => disk.names()).not.toContain('cart.lisp');
    expect(asked).toEqual([false, false, true]);
  });

  it('What cannot be restored is reported with advice, and can be undone again later [issue 39.3]', async () => {
    await choose('cart.lisp');
    await press('Delete');
    await expect.poll(() => disk.names()).not.toContain('cart.lisp');
    answer({ 'files.restore': () => ({ restored: false, message: 'cart.lisp was changed after that.' }) });
    await press('Control+z');
    await expect
      .element(page.getByText('cart.lisp was changed after that. Move or rename it, then undo again.'))
      .toBeVisible();
    answer({
      'files.restore': ({ undo }) => {
        for (const [name, text] of deleted.get(undo)!) disk.write(name, text);
        return { restored: true, message: '' };
      },
    });
    await press('Control+z');
    await expect.poll(() => disk.names()).toContain('cart.lisp');
  });
});

describe('the menu of a row', () => {
  const menu = () => page.getByRole('menu', { name: 'cart.lisp' });
  /** The names of entries also contain their keys. */
  const entry = (title: string) => page.getByRole('menuitem', { name: new RegExp(`^${title}`) });

  it('The right button, the menu key and Shift+F10 open it, and it names the keys [issue 39.3]', async () => {
    await row('cart.lisp').click({ button: 'right' });
    await expect.element(menu()).toBeVisible();
    await press('Escape');
    await choose('cart.lisp');
    for (const keys of ['ContextMenu', 'Shift+F10']) {
      await press(keys);
      await expect.element(menu()).toBeVisible();
      expect(menu().getByRole('menuitem').elements()).toHaveLength(ROW_MENU.flat().length);
      await press('Escape');
      await expect.element(menu()).not.toBeInTheDocument();
    }
    await expect.element(tree()).toHaveFocus();
    await press('Shift+F10');
    for (const title of [
      'New File…',
      'New Folder…',
      'New Component…',
      'Open Beside',
      'Reveal in File Manager',
      'Cut',
      'Paste',
    ])
      await expect.element(entry(title)).toBeVisible();
    await press('Escape');
    await expect.element(menu()).not.toBeInTheDocument();
  });

  it('Rename of the menu keeps the focus in the field when the menu closes [issue 39.3]', async () => {
    await row('cart.lisp').click({ button: 'right' });
    await entry('Rename…').click();
    await expect.element(menu()).not.toBeInTheDocument();
    await expect.element(field()).toHaveFocus();
    await type('basket');
    await expect.element(field()).toHaveValue('basket.lisp');
  });

  it('Paths are copied, and the file is shown in the file manager and beside [issue 39.3]', async () => {
    const copied: string[] = [];
    const revealed: string[] = [];
    answer({
      'app.copy': ({ text }) => {
        copied.push(text);
        return {};
      },
      'files.reveal': ({ path }) => {
        revealed.push(path);
        return {};
      },
    });
    await row('src').click();
    for (const title of ['Copy Path', 'Copy Relative Path', 'Reveal in File Manager']) {
      await row('till.lisp').click({ button: 'right' });
      await entry(title).click();
    }
    await expect
      .poll(() => [copied, revealed])
      .toEqual([[absolute('src/till.lisp'), 'src/till.lisp'], ['src/till.lisp']]);
    await openOnDisk(disk, 'cart.lisp', '(in-package #:shop)\n');
    await row('till.lisp').click({ button: 'right' });
    await entry('Open Beside').click();
    await expect
      .poll(() =>
        page
          .getByRole('tablist')
          .elements()
          .map((each) => each.textContent),
      )
      .toEqual(expect.arrayContaining([expect.stringMatching(/^cart\.lisp/), expect.stringMatching(/^till\.lisp/)]));
    const groups = buffers.getState().groups.groups;
    expect(groups.map(({ tabs: own }) => own.length)).toEqual([1, 1]);
    runCommand('split.closeOthers');
  });
});

describe('links', () => {
  it('A link has a mark, its target is in the tooltip, and what cannot be opened is explained [issue 39.2]', async () => {
    answer({
      'project.files': () => ({
        files: ['real.lisp'],
        linked: ['code/till.lisp'],
        links: [
          { path: 'code', target: 'src', leads: 'folder' },
          { path: 'link.lisp', target: 'real.lisp', leads: 'file' },
          { path: 'vendor', target: '../shared', leads: 'folder outside' },
          { path: 'broken', target: 'nowhere', leads: 'nothing' },
        ],
        empty: ['empty'],
        left: [],
      }),
    });
    core.tell('files-changed', { paths: [], more: false, listing: true });
    await expect.element(row('link.lisp, link to real.lisp')).toHaveAttribute('title', 'link.lisp: link to real.lisp');
    await expect
      .element(row('broken, link to nowhere'))
      .toHaveAttribute('title', 'broken: link to nowhere, which does not exist');
    expect(row('link.lisp, link to real.lisp').element().querySelectorAll('svg')).toHaveLength(2);
    await row('code, link to src').click();
    await expect.element(row('till.lisp')).toHaveAttribute('aria-level', '2');
    await row('vendor, link to ../shared').click();
    await expect
      .element(
        page.getByText('vendor is a link to ../shared, a folder outside the project. Open Folder… opens that folder.'),
      )
      .toBeVisible();
  });
});

it('The tree with a field, a fault and a menu has no fault of accessibility in either theme [issue 39.3]', async () => {
  await choose('cart.lisp');
  await press('F2');
  await field().fill('package.lisp');
  await expect.element(fault()).toBeVisible();
  expect(await faults()).toEqual([]);
  await press('Escape');
  await row('cart.lisp').click({ button: 'right' });
  expect(await faults()).toEqual([]);
  await userEvent.keyboard('{Escape}');
});

it('Without a folder nothing can be made [issue 39.3]', async () => {
  core = await openWholeWindow(snapshotWith({ project: null }));
  await press('Control+Shift+E');
  await expect.element(region('Files').getByText('No folder is open.')).toBeVisible();
  runCommand('file.newIn');
  await expect.element(region('Files').getByRole('textbox')).not.toBeInTheDocument();
});
