/** Quick fixes at the caret: parentheses, misspelled and undefined names, imports, and packages that are not loaded. */
import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Diagnostic } from '#contract/image/compilation.ts';
import { type Disk, openDisk, openOnDisk } from '../../disk.fixture.ts';
import { editorRegion, placeCaret, shownText } from '../../text.fixture.ts';
import { answer, openWholeWindow, press, type FakeCore } from '../../window.fixture.tsx';
import { systemOf } from '../libraries/dist.fixture.ts';
import { refreshSystems } from '../systems/systems-store.ts';
import { tellCompilation } from './problems.ts';

let core: FakeCore;
let disk: Disk;

beforeEach(async () => {
  core = await openWholeWindow();
  disk = openDisk(core);
});

async function marked(): Promise<void> {
  await expect.poll(() => editorRegion().element().querySelector('.squiggly-error, .squiggly-warning')).not.toBeNull();
}
const fix = (title: string) => page.getByRole('option', { name: `${title}, Quick Fix` });

/** Shows a warning of the compiler about the form on a line. */
function warn(line: number, message: string, type = 'STYLE-WARNING'): void {
  const file = '/home/ada/shop/shop.lisp';
  const place = { file, start: null, end: null, line, column: 0, context: null };
  const diagnostic: Diagnostic = { severity: 'warning', type, message, ...place };
  tellCompilation('file shop.lisp', [{ file, diagnostics: [diagnostic] }]);
}

it('The missing parenthesis is inserted where the indentation asks for it, and an extra one is removed [issue 39.3]', async () => {
  await openOnDisk(disk, 'shop.lisp', '¦(defun total (items)\n  (list items)\n\n(defun pay ())\n');
  await marked();
  await press('Alt+Shift+Period');
  await expect.element(fix('Insert ) at the end of line 2')).toBeVisible();
  await press('Enter');
  await expect.poll(shownText).toBe('(defun total (items)\n  (list items))\n\n(defun pay ())\n');
  await openOnDisk(disk, 'extra.lisp', '(list 1)¦)\n');
  await marked();
  await press('Alt+Shift+Period');
  await expect.element(fix('Remove the closing parenthesis')).toBeVisible();
  await press('Enter');
  await expect.poll(shownText).toBe('(list 1)\n');
});

it('An undefined function is corrected, imported or defined [issue 39.3]', async () => {
  answer({
    'names.describe': () => ({
      described: {
        found: false,
        symbol: 'FLATEN',
        package: 'SHOP',
        unknownPackage: false,
        meanings: [],
        near: ['FLATTEN'],
      },
      genericFunction: null,
    }),
    'names.apropos': ({ pattern }) => ({
      symbols: [
        {
          name: pattern.toUpperCase(),
          printed: 'ALEXANDRIA:FLATEN',
          package: 'ALEXANDRIA',
          external: true,
          kinds: ['function'],
          lambdaList: '(tree)',
          documentation: null,
        },
      ],
      total: 1,
    }),
  });
  const text = '(defpackage :shop (:use :cl))\n(in-package :shop)\n(defun total (tree)\n  (flaten tree))\n';
  await openOnDisk(disk, 'shop.lisp', text);
  warn(4, 'undefined function: SHOP::FLATEN');
  await marked();
  await placeCaret('(defpackage :shop (:use :cl))\n(in-package :shop)\n(defun total (tree)\n  (¦flaten tree))\n');
  await press('Alt+Shift+Period');
  await expect.element(fix('Import flaten from alexandria')).toBeVisible();
  await expect.element(fix('Define flaten')).toBeVisible();
  await fix('Change to flatten').click();
  await expect.poll(shownText).toContain('(flatten tree)');
  await press('Control+z');
  await press('Alt+Shift+Period');
  await fix('Import flaten from alexandria').click();
  await expect.poll(shownText).toContain('(defpackage :shop (:use :cl)\n  (:import-from #:alexandria #:flaten))');
  await press('Control+z');
  await press('Alt+Shift+Period');
  await fix('Define flaten').click();
  await expect.poll(shownText).toContain('(defun flaten (tree)\n  (declare (ignore tree))');
});

it('A missing package of the project is loaded [issue 39.3]', async () => {
  const loaded: string[] = [];
  answer({
    'systems.list': () => ({ systems: [systemOf('cart')], quicklisp: false, libraries: [] }),
    'systems.load': ({ evaluation, system }) => {
      loaded.push(system);
      return { load: { evaluation, system, actor: 'person', state: 'loaded', message: 'loaded.' }, compilation: null };
    },
  });
  await refreshSystems();
  await openOnDisk(disk, 'shop.lisp', '¦(cart:add 1)\n');
  warn(1, 'Package CART does not exist.', 'SB-INT:SIMPLE-READER-PACKAGE-ERROR');
  await marked();
  await press('Alt+Shift+Period');
  await fix('Load cart').click();
  await expect.poll(() => loaded).toEqual(['cart']);
});
