import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ImageEvent } from './messages.ts';
import { openTestImage, type TestImage } from './image.fixture.ts';

let image: TestImage;
beforeAll(async () => {
  image = await openTestImage();
  await Promise.all(
    Object.entries({
      'shop.asd': `(defsystem "shop" :version "1.2" :description "Sells 😀." :author "A" :license "MIT"
        :depends-on ("stock" (:version "alexandria" "0") (:feature :no-such "nothing"))
        :in-order-to ((test-op (test-op "shop/tests")))
        :components ((:file "shop") (:module "parts" :components ((:file "part") (:static-file "notes.txt")))))
      (defsystem "shop/tests" :depends-on ("shop" "fiveam") :components ((:file "tests"))
        :perform (test-op (o c) (symbol-call :fiveam '#:run! (find-symbol* '#:shop-suite :shop-tests))))`,
      'shop.lisp': '(defpackage :shop (:use :cl)) (in-package :shop)\n(defun price (x) (missing-price))\n',
      'parts/part.lisp': '(in-package :shop)\n(defun part () 1)\n',
      'parts/notes.txt': '',
      'tests.lisp': `(defpackage :shop-tests (:use :cl :fiveam)) (in-package :shop-tests)
(def-suite shop-suite) (in-suite shop-suite)
(test fine (is (= 1 1)) (is (= 2 2)))
(test wrong (is (= 1 2)))
(test later (skip "not now"))`,
      'deep/er/stock.asd': '(defsystem "stock" :components ((:file "stock")))',
      'deep/er/stock.lisp': '(defun stock () 1)',
      'empty.asd': ';; nothing',
      'broken.asd': '(defsystem "broken" :components ((:file',
      'needy.asd': '(defsystem "needy" :depends-on ("shop" "not-there" "broken"))',
      'fails.asd': '(defsystem "fails" :components ((:file "fails")))',
      'fails.lisp': '(in-package :cl-user)\n(defun fails () (car 1 2))\n',
      'node_modules/hidden/hidden.asd': '(defsystem "hidden")',
      '.qlot/setup.lisp': '(defvar cl-user::*qlot-was-loaded* t)',
      '.qlot/dists/quicklisp/software/lib-1/lib.asd': '(defsystem "lib")',
      'ocicl/other-2/other.asd': '(defsystem "other")',
      'ocicl/other-2/other.lisp': '',
      'systems.csv': 'other, ghcr.io/ocicl/other, other-2/other.asd\n',
    }).map(async ([name, text]) => {
      const file = path.join(image.directory, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text);
    }),
  );
}, 120_000);
afterAll(() => image.close());

describe('systems', () => {
  it('K7 are listed with who brings them and what is wrong, without running anything', async () => {
    const { systems, libraries, quicklisp } = await image.ask('systems', {});
    const own = new Set(['project', 'qlot', 'ocicl']);
    expect(
      systems.filter(({ origin }) => own.has(origin)).map(({ name, origin, broken }) => [name, origin, broken]),
    ).toEqual([
      ['broken', 'project', null],
      ['empty', 'project', 'The file defines no system.'],
      ['fails', 'project', null],
      ['lib', 'qlot', null],
      ['needy', 'project', null],
      ['other', 'ocicl', null],
      ['shop', 'project', null],
      ['shop/tests', 'project', null],
      ['stock', 'project', null],
    ]);
    expect(libraries.filter(({ path: where }) => where.startsWith(image.directory))).toEqual([
      { kind: 'qlot', path: path.join(image.directory, '.qlot/setup.lisp'), active: false },
      { kind: 'ocicl', path: `${path.join(image.directory, 'ocicl')}/`, active: false },
    ]);
    expect(quicklisp).toBe(false);
    expect(await image.value('(boundp (intern "*QLOT-WAS-LOADED*" :cl-user))')).toBe('NIL');
  });

  it('are described when they are asked about', async () => {
    const { result } = await image.run('describe-system', { name: 'shop' });
    expect(result).toEqual({
      name: 'shop',
      description: 'Sells 😀.',
      longDescription: null,
      longName: null,
      author: 'A',
      maintainer: null,
      license: 'MIT',
      version: '1.2',
      homepage: null,
      dependsOn: ['stock', 'alexandria'],
      weaklyDependsOn: [],
      defsystemDependsOn: [],
      components: [
        { name: 'shop', kind: 'file', file: path.join(image.directory, 'shop.lisp'), depth: 0 },
        { name: 'parts', kind: 'module', file: `${path.join(image.directory, 'parts')}/`, depth: 0 },
        { name: 'part', kind: 'file', file: path.join(image.directory, 'parts/part.lisp'), depth: 1 },
        { name: 'notes.txt', kind: 'static-file', file: path.join(image.directory, 'parts/notes.txt'), depth: 1 },
      ],
      moreComponents: 0,
      file: path.join(image.directory, 'shop.asd'),
      loaded: false,
      dependents: ['shop/tests'],
      problem: null,
    });
    const broken = await image.run('describe-system', { name: 'broken' });
    expect(broken.status).toBe('ok');
    expect(broken.result).toMatchObject({
      file: path.join(image.directory, 'broken.asd'),
      problem: {
        type: 'ASDF:LOAD-SYSTEM-DEFINITION-ERROR',
        message: expect.stringContaining('end of file') as unknown,
      },
    });
    expect(await image.run('describe-system', { name: 'no-such' })).toMatchObject({
      status: 'error',
      condition: { type: 'ASDF:MISSING-COMPONENT', message: 'Component "no-such" not found' },
    });
  });

  it('have a graph in which missing and broken ones are marked', async () => {
    const { result } = await image.run('system-graph', { name: 'needy' });
    expect(result?.nodes.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'needy defined',
      'shop defined',
      'not-there missing',
      'broken broken',
      'stock defined',
      'alexandria defined',
    ]);
    expect(result?.edges.map(({ from, to, kind }) => `${from} ${kind} ${to}`)).toEqual([
      'needy depends shop',
      'needy depends not-there',
      'needy depends broken',
      'shop depends stock',
      'shop depends alexandria',
    ]);
  });
});

describe('compile-system', () => {
  it('tells what the compiler says of its files, also when it fails', async () => {
    const { status, result } = await image.run('compile-system', { system: 'shop', force: true });
    const file = path.join(image.directory, 'shop.lisp');
    expect({ status, failed: result?.failed, loaded: result?.loaded }).toEqual({
      status: 'ok',
      failed: false,
      loaded: true,
    });
    expect(
      result?.files.map((each) => [each.file, each.diagnostics.map(({ message, line }) => [message, line])]),
    ).toEqual([
      [
        file,
        [
          ['The variable X is defined but never used.', 2],
          ['undefined function: MISSING-PRICE', 2],
        ],
      ],
    ]);
    const failed = await image.run('compile-system', { system: 'fails', force: false });
    expect(failed).toMatchObject({
      status: 'error',
      condition: { type: 'ASDF:COMPILE-FILE-ERROR' },
      result: { failed: true, loaded: false, files: [{ diagnostics: [{ severity: 'warning', line: 2 }] }] },
    });
  });
});

describe('load-system', () => {
  it('tells how far it is, and what it loaded', async () => {
    const before = image.events.length;
    const { result } = await image.run('load-system', { system: 'shop/tests', force: null });
    expect(result?.name).toBe('shop/tests');
    expect(result?.loadedSystems).toEqual(expect.arrayContaining(['fiveam', 'shop/tests']));
    const progress = image.events
      .slice(before)
      .filter((event): event is Extract<ImageEvent, { event: 'system-progress' }> => event.event === 'system-progress');
    const last = progress.at(-1);
    expect(progress.length).toBeGreaterThan(1);
    expect(last).toMatchObject({ system: 'shop/tests', done: result?.actionsDone });
    expect(last?.total).toBeGreaterThanOrEqual(last?.done ?? Infinity);
    const again = await image.run('load-system', { system: 'shop', force: 'system' });
    expect(again.result).toMatchObject({ name: 'shop', version: '1.2', loadedSystems: [] });
  });
});

describe('test-system', () => {
  it('counts what FiveAM checked and tells what failed', async () => {
    const { result } = await image.run('test-system', { system: 'shop' });
    expect(result).toMatchObject({
      hasTests: true,
      success: false,
      framework: 'fiveam',
      passed: 2,
      failed: 1,
      skipped: 1,
      total: 4,
      failures: [
        {
          test: expect.stringMatching(/WRONG$/) as unknown,
          reason: expect.stringContaining('evaluated to') as unknown,
          source: { file: path.join(image.directory, 'tests.lisp'), line: 4 },
        },
      ],
    });
    expect(await image.value("(sb-int:encapsulated-p 'fiveam:run 'lisp-workbench-tests)")).toBe('NIL');
  });

  it('says when a system has no tests', async () => {
    const { result } = await image.run('test-system', { system: 'stock' });
    expect(result).toMatchObject({ hasTests: false, success: true, framework: null, passed: null, failures: [] });
  });
});

describe('activate-libraries', () => {
  it('loads what was asked for', async () => {
    const { libraries } = await image.ask('systems', {});
    for (const { kind, path: where } of libraries.filter((each) => each.path.startsWith(image.directory)))
      expect((await image.run('activate-libraries', { kind, path: where })).status).toBe('ok');
    expect(await image.value('(symbol-value (find-symbol "*QLOT-WAS-LOADED*" :cl-user))')).toBe('T');
    expect((await image.run('load-system', { system: 'other' })).status).toBe('ok');
    expect((await image.ask('systems', {})).libraries).toContainEqual({
      kind: 'ocicl',
      path: `${path.join(image.directory, 'ocicl')}/`,
      active: true,
    });
  });
});
