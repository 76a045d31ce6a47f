/** Names in the editor: completion, templates and local names, from the window's own data or from the image. */
import type { Settings } from '#contract/settings.ts';
import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { mirror } from '../../base/mirror.ts';
import { type Disk, openDisk, openOnDisk } from '../../disk.fixture.ts';
import { editorRegion, region, shownText } from '../../text.fixture.ts';
import { answer, openWholeWindow, press, type, type FakeCore } from '../../window.fixture.tsx';

let core: FakeCore;
let disk: Disk;

beforeEach(async () => {
  core = await openWholeWindow();
  disk = openDisk(core);
});

/** Returns the labels of the listed completions; none if there is no list. */
const listed = (): string[] =>
  [...document.querySelectorAll('.suggest-widget.visible [role="option"]')].map(
    (each) => each.getAttribute('aria-label') ?? each.textContent,
  );
const input = () => page.getByRole('textbox', { name: 'REPL input' });
const place = () => region('Status bar').element().textContent;

const EVALUATOR_MODE = {
  text: 'sb-ext:*evaluator-mode*',
  kinds: ['variable'],
  lambdaList: null,
  package: 'SB-EXT',
  documentation: null,
  score: 1,
  matches: [],
};

/** Moves the caret to a line and a column. */
async function goTo(wanted: string): Promise<void> {
  await press('Control+g');
  await type(wanted);
  await press('Enter');
  await expect.poll(place).toContain(`Ln ${wanted.replace(':', ', Col ')}`);
}

it('Names of systems and packages are completed where they are meant, in strings as well, and no symbols there [issue 36.4]', async () => {
  const armoury = { name: 'armoury', version: '1.0', file: '/home/ada/shop/armoury.asd', origin: 'project' as const };
  const systems = [{ ...armoury, loaded: false, changed: 0, broken: null }];
  answer({ 'systems.list': () => ({ systems, quicklisp: false, libraries: [] }) });
  await openOnDisk(disk, 'shop.lisp', '(defpackage #:armour (:use #:cl))\n¦');
  await type('(asdf:load-system "armo');
  await expect.poll(listed).toContainEqual(expect.stringMatching(/armoury/));
  expect(listed()).not.toContainEqual(expect.stringMatching(/armour\b/));
  await press('Tab');
  await press('End');
  await expect.poll(shownText).toContain('(asdf:load-system "armoury")');
  await press('Enter');
  await type('(in-package :arm');
  await expect.poll(() => listed()[0]).toMatch(/^armour/);
  await press('Tab');
  await press('End');
  await expect.poll(shownText).toContain('(in-package :armour)');
  await press('Enter');
  // In other strings, completions appear only if the user requests them.
  await type('(print "multiple-value-b');
  await expect.poll(listed).toEqual([]);
  await press('Control+Space');
  await expect.poll(listed).toContainEqual(expect.stringMatching(/multiple-value-bind/));
  await input().click();
  await type('(require "armo');
  await press('Tab');
  await expect.element(input()).toHaveValue('(require "armoury")');
  await input().fill('');
});

it('Libraries of the dists are completed where a system is meant, and only there [issue 38.4]', async () => {
  const yason = { project: 'yason', dist: 'quicklisp', release: 'yason-1', installed: false, licence: null };
  answer({
    'libraries.search': ({ words }) => ({
      found: 'yason'.includes(words) ? [{ ...yason, system: 'yason', description: 'JSON parser/encoder' }] : [],
      more: 0,
      similar: [],
    }),
  });
  const searches = (): number => core.calls.filter(({ name }) => name === 'libraries.search').length;
  await openOnDisk(disk, 'shop.asd', '(defsystem "shop"\n  :depends-on (¦))\n');
  await type('"yas');
  await expect.poll(listed).toContainEqual(expect.stringMatching(/yason.*JSON parser\/encoder.*quicklisp/));
  await press('Tab');
  await expect.poll(shownText).toContain(':depends-on ("yason")');
  await openOnDisk(disk, 'load.lisp', '¦');
  await type('(ql:quickload :yas');
  await expect.poll(() => listed()[0]).toMatch(/^yason/);
  await press('Tab');
  await expect.poll(shownText).toContain('(ql:quickload :yason');
  await press('End');
  await press('Enter');
  const before = searches();
  await type('(print "yas');
  await input().click();
  await type('(asdf:load-system "yas');
  await press('Tab');
  await expect.element(input()).toHaveValue('(asdf:load-system "yason")');
  expect(searches()).toBe(before + 1);
  await input().fill('');
});

it('Where the image answers nothing the standard is completed, and nothing is claimed of the image [issue 36.4]', async () => {
  await openOnDisk(disk, 'shop.lisp', '(in-package #:shop)\n\n¦');
  await type('(multiple-value-b');
  await expect.poll(listed).toContainEqual(expect.stringMatching(/multiple-value-bind/));
  await press('Escape');
});

it('Completions of an image that was slow appear when its answer comes, unless the person closed the list [issue 36.4]', async () => {
  const waiting: (() => void)[] = [];
  answer({
    'names.complete': ({ prefix }) =>
      new Promise((resolve) => {
        const completions = prefix.startsWith('sb-ext:') ? [EVALUATOR_MODE] : [];
        waiting.push(() => resolve({ completions }));
      }),
  });
  const isListed = () => listed().some((each) => each.includes('sb-ext:*evaluator-mode*'));
  await openOnDisk(disk, 'late.lisp', '¦\n');
  // No name that the window itself knows has this prefix.
  await type('sb-ext:*evaluator-m');
  await expect.poll(shownText).toContain('evaluator-m');
  await expect.poll(() => waiting.length).toBeGreaterThan(0);
  expect(isListed()).toBe(false);
  await expect
    .poll(() => {
      for (const end of waiting.splice(0)) end();
      return isListed();
    })
    .toBe(true);
  await press('Escape');
});

it('A template is filled in from field to field, at the indentation of its form [issue 36.4]', async () => {
  await openOnDisk(disk, 'filled.lisp', '(in-package #:cl-user)\n\n¦');
  await type('(progn (with-open-f');
  const template = page.getByRole('option', { name: /with-open-file …/ });
  await expect.element(template).toBeVisible();
  await template.click();
  await expect.poll(listed).toEqual([]);
  for (const field of ['in', '"notes.txt"', ':input']) {
    await type(field);
    await press('Tab');
  }
  await type('(read-line in)');
  await press('Control+s');
  const expected = '(progn (with-open-file (in "notes.txt" :direction :input)\n         (read-line in)))';
  await expect.poll(() => disk.read('filled.lisp')).toContain(expected);
});

it('Parentheses have one quiet colour, or one for each depth, by a setting [issue 36.4]', async () => {
  answer({
    'settings.change': (change) => {
      core.choose(change as Partial<Settings>);
      return mirror.getState().settings;
    },
  });
  await openOnDisk(disk, 'deep.lisp', '(a (b (c (d (e (f))))))\n');
  const colours = (): number => {
    const line = editorRegion().element().querySelector('.view-line')!;
    const parentheses = [...line.querySelectorAll('[class*="bracket-highlighting"]')];
    return new Set(parentheses.map((each) => getComputedStyle(each).color)).size;
  };
  await expect.poll(colours).toBe(1);
  await press('Control+,');
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByRole('radiogroup', { name: 'Colour of parentheses' }).getByText('By depth').click();
  await expect.poll(colours).toBe(6);
  await press('Escape');
});

it('A local name is gone to, explained and renamed where it is bound, and nothing else of that name [pain 9, issue 36.4]', async () => {
  await openOnDisk(
    disk,
    'local.lisp',
    '(defun list-all (list &key size)\n  (labels ((size-of (list)\n             (list list size)))\n    (size-of (cons size list))))\n\n(defun other ()\n  (list 1))\n',
  );
  await goTo('4:6');
  await press('F12');
  await expect.poll(place).toContain('Ln 2, Col 13');
  await goTo('3:20');
  await press('F12');
  await expect.poll(place).toContain('Ln 2, Col 22');
  await press('F2');
  const name = page.getByRole('textbox', { name: /^Rename input/ });
  await expect.element(name).toHaveFocus();
  await expect.element(name).toHaveValue('list');
  await type('things');
  await press('Enter');
  await expect.element(page.getByText('Renamed 2 places of the local name.')).toBeVisible();
  await goTo('4:20');
  await press('F2');
  await expect.element(name).toHaveFocus();
  await expect.element(name).toHaveValue('size');
  await type('count');
  await press('Enter');
  await expect.element(page.getByText('Renamed 3 places of the local name.')).toBeVisible();
  await press('Control+s');
  await expect
    .poll(() => disk.read('local.lisp'))
    .toBe(
      '(defun list-all (list &key ((:size count)))\n  (labels ((size-of (things)\n             (list things count)))\n    (size-of (cons count list))))\n\n(defun other ()\n  (list 1))\n',
    );
});
