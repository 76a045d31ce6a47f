import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ImageEvent } from '#core/lisp/messages.ts';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';

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
      '.qlot/dists/quicklisp/installed/systems/lib.txt': 'dists/quicklisp/software/lib-1/lib.asd\n',
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
  it('Systems are listed with who brings them and what is wrong, without running anything [K7]', async () => {
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
      { kind: 'ocicl', path: path.join(image.directory, 'systems.csv'), active: false },
    ]);
    expect(quicklisp).toBe(false);
    expect(await image.value('(boundp (intern "*QLOT-WAS-LOADED*" :cl-user))')).toBe('NIL');
  });

  it('Systems and files that depend on each other are told by their names', async () => {
    const texts = {
      'hen.asd': '(defsystem "hen" :depends-on ("egg"))',
      'egg.asd': '(defsystem "egg" :depends-on ("nest"))',
      'nest.asd': '(defsystem "nest" :depends-on ("hen"))',
      'knot.asd': `(defsystem "knot" :components ((:file "a" :depends-on ("m"))
        (:module "m" :depends-on ("a") :components ((:file "b" :pathname "../b")))))`,
      'a.lisp': '',
      'b.lisp': '',
    };
    const files = Object.entries(texts).map(([name, text]) => [path.join(image.directory, name), text] as const);
    await Promise.all(files.map(([file, text]) => writeFile(file, text)));
    const messageOf = async (system: string) =>
      (await image.run('load-system', { system, force: null })).condition?.message;
    expect(await messageOf('hen')).toMatch(
      /^These systems depend on each other: (hen → egg → nest|nest → hen → egg|egg → nest → hen) → \w+\.$/,
    );
    expect(await messageOf('knot')).toMatch(/^Files of the system knot depend on each other: .*\bm\/b\b.*\.$/);
    await Promise.all(files.map(([file]) => rm(file)));
  });

  it('Systems are listed whole while code has ASDF look for them anew', async () => {
    const before = (await image.ask('systems', {})).systems.length;
    const began = image.next('output');
    const looking = image.value(`(progn
      (defun slow-registry () (princ "looking") (finish-output) (sleep 1) '(:source-registry :inherit-configuration))
      (push 'slow-registry asdf:*default-source-registries*)
      (asdf:initialize-source-registry)
      (pop asdf:*default-source-registries*)
      1)`);
    await began;
    expect((await image.ask('systems', {})).systems).toHaveLength(before);
    expect(await looking).toBe('1');
  });

  it('Systems are described when they are asked about', async () => {
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
        { name: 'shop', kind: 'file', file: path.join(image.directory, 'shop.lisp'), depth: 0, state: 'new' },
        { name: 'parts', kind: 'module', file: `${path.join(image.directory, 'parts')}/`, depth: 0, state: null },
        { name: 'part', kind: 'file', file: path.join(image.directory, 'parts/part.lisp'), depth: 1, state: 'new' },
        {
          name: 'notes.txt',
          kind: 'static-file',
          file: path.join(image.directory, 'parts/notes.txt'),
          depth: 1,
          state: null,
        },
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

  it('Systems have a graph in which missing and broken ones are marked', async () => {
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
  it('The operation compile-system tells what the compiler says of its files, also when it fails', async () => {
    const { status, result } = await image.run('compile-system', { system: 'shop', force: 'system' });
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
    const failed = await image.run('compile-system', { system: 'fails', force: null });
    expect(failed).toMatchObject({
      status: 'error',
      condition: { type: 'ASDF:COMPILE-FILE-ERROR' },
      result: { failed: true, loaded: false, files: [{ diagnostics: [{ severity: 'warning', line: 2 }] }] },
    });
  });

  it('With keepGoing the faults of every file are told, however many of them fail', async () => {
    const files = ['one', 'two', 'three', 'four'];
    const texts = [
      '(defun one () (car 1))',
      '(defun two () (list',
      '(defun three () 3)\n(error "at load time")',
      '(defun four (unused) 4)',
    ];
    await writeFile(
      path.join(image.directory, 'many.asd'),
      `(defsystem "many" :serial t :components (${files.map((name) => `(:file "many-${name}")`).join(' ')}))`,
    );
    for (const [index, name] of files.entries())
      await writeFile(path.join(image.directory, `many-${name}.lisp`), `${texts[index]}\n`);
    const { status, result } = await image.run('compile-system', { system: 'many', force: null, keepGoing: true });
    expect({ status, failed: result?.failed, loaded: result?.loaded }).toEqual({
      status: 'ok',
      failed: true,
      loaded: false,
    });
    expect(result?.files.map(({ file }) => path.basename(file ?? '', '.lisp'))).toEqual([
      'many-one',
      'many-two',
      'many-three',
      'many-four',
    ]);
    expect(result?.files.map(({ diagnostics }) => diagnostics.map(({ severity }) => severity).toSorted())).toEqual([
      ['note', 'warning'],
      ['read-error'],
      ['error'],
      ['style-warning'],
    ]);
    expect(result?.files[2]?.diagnostics).toMatchObject([{ severity: 'error', message: 'at load time', line: 2 }]);
    // A file that was skipped does not count as loaded in the next load. Once it is fixed, the file is loaded.
    const again = await image.run('compile-system', { system: 'many', force: null, keepGoing: true });
    expect(again.result).toMatchObject({ failed: true, loaded: false });
    expect(again.result?.files.flatMap(({ diagnostics }) => diagnostics)).toContainEqual(
      expect.objectContaining({ severity: 'error', message: 'at load time', line: 2 }),
    );
    const mended = ['(defun one () 1)', '(defun two () (list))', '(defun three () 3)', '(defun four () 4)'];
    for (const [index, name] of files.entries())
      await writeFile(path.join(image.directory, `many-${name}.lisp`), `${mended[index]}\n`);
    const last = await image.run('compile-system', { system: 'many', force: null, keepGoing: true });
    expect(last.result).toMatchObject({ failed: false, loaded: true });
  });
});

describe('compile-system of a system whose definitions warn', () => {
  it('Warnings of definitions and of loading, of the system and of what it depends on, are no failure', async () => {
    const files = {
      // ASDF warns about a second system in a file unless the system's name is the first system's name followed by a slash and more.
      'warner.asd': `(defsystem "warner" :depends-on ("warner-inner") :components ((:file "warner")))
        (defsystem "warner-test" :depends-on ("warner"))`,
      'warner-inner.asd': `(warn "as it is defined")
        (defsystem "warner-inner" :components ((:file "warner-inner")))
        (defsystem "warner-inner-test" :depends-on ("warner-inner"))`,
      'warner.lisp': '(warn "as it is loaded") (defun warner () 1)',
      'warner-inner.lisp': '(warn "inside") (defun warner-inner () 1)',
    };
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(image.directory, name), text);
    const { status, result } = await image.run('compile-system', { system: 'warner', force: null, keepGoing: true });
    expect({ status, failed: result?.failed, loaded: result?.loaded, files: result?.files }).toEqual({
      status: 'ok',
      failed: false,
      loaded: true,
      files: [],
    });
  });
});

describe('compile-system of a file with code that runs while it is compiled', () => {
  it('A warning of such code is at its form', async () => {
    await writeFile(path.join(image.directory, 'early.asd'), '(defsystem "early" :components ((:file "early")))');
    const text = '(defun before () 1)\n(eval-when (:compile-toplevel) (warn "too early"))\n';
    await writeFile(path.join(image.directory, 'early.lisp'), text);
    const { result } = await image.run('compile-system', { system: 'early', force: null, keepGoing: true });
    expect(result).toMatchObject({
      failed: true,
      files: [
        {
          file: path.join(image.directory, 'early.lisp'),
          diagnostics: [{ severity: 'warning', message: 'too early', line: 2 }],
        },
      ],
    });
  });
});

describe('load-system', () => {
  it('The operation load-system tells how far it is, and what it loaded', async () => {
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
  it('The operation test-system counts what FiveAM checked and tells what failed', async () => {
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
          reason: expect.stringMatching(/^\S.* evaluated to .* which is not .* to .*$/) as unknown,
          source: { file: path.join(image.directory, 'tests.lisp'), line: 4 },
        },
      ],
    });
    expect(await image.value("(sb-int:encapsulated-p 'fiveam:run 'lisp-workbench-tests)")).toBe('NIL');
  });

  it('A system that signals an error since its checks failed has still told which, and waits in no debugger', async () => {
    const text =
      '(defsystem "strict" :depends-on ("shop/tests") :perform (test-op (o c) (unless (symbol-call :fiveam \'#:run! (find-symbol* \'#:shop-suite :shop-tests)) (error "Some failed."))))';
    await writeFile(path.join(image.directory, 'strict.asd'), text);
    const { status, result } = await image.run('test-system', { system: 'strict', onError: 'debug' });
    expect(status).toBe('error');
    expect(result).toMatchObject({ success: false, passed: 2, failed: 1, total: 4 });
  });

  it('The operation test-system says when a system has no tests', async () => {
    const { result } = await image.run('test-system', { system: 'stock' });
    expect(result).toMatchObject({ hasTests: false, success: true, framework: null, passed: null, failures: [] });
  });
});

describe('a library that does not compile', () => {
  it('The load of a project says at which places of the library its errors are, and nothing of its warnings [issue 38.1]', async () => {
    const outside = await mkdtemp(path.join(tmpdir(), 'library-'));
    const file = path.join(outside, 'bad.lisp');
    await Promise.all(
      Object.entries({
        'brittle.asd': '(defsystem "brittle" :components ((:file "fine") (:file "bad")))',
        'fine.lisp': '(defpackage :brittle (:use :cl))\n(in-package :brittle)\n(defun fine (x) 1)\n',
        'bad.lisp':
          '(in-package :brittle)\n(defun broken (x)\n  (let ((y 1) (y 2)) x))\n(defun more () (no-such-package::foo))\n',
      }).map(([name, text]) => writeFile(path.join(outside, name), text)),
    );
    await writeFile(path.join(image.directory, 'user.asd'), '(defsystem "user" :depends-on ("brittle"))');
    await image.value(`(progn (push #p"${outside}/" asdf:*central-registry*) nil)`);
    const { status, result } = await image.run('compile-system', { system: 'user', force: null, keepGoing: true });
    expect(status).toBe('ok');
    expect(
      result!.files.map(({ file: where, diagnostics }) => [
        where,
        diagnostics.map(({ severity, line, message }) => [severity, line, message.split('\n')[0]]),
      ]),
    ).toEqual([
      [
        file,
        [
          ['error', 2, 'The variable Y occurs more than once in the LET.'],
          ['read-error', 4, 'Package NO-SUCH-PACKAGE does not exist.'],
        ],
      ],
    ]);
    await rm(outside, { recursive: true });
  });
});

describe('activate-libraries', () => {
  it('The operation activate-libraries loads what was asked for', async () => {
    const { libraries } = await image.ask('systems', {});
    for (const { kind, path: where } of libraries.filter((each) => each.path.startsWith(image.directory)))
      expect((await image.run('activate-libraries', { kind, path: where })).status).toBe('ok');
    expect(await image.value('(symbol-value (find-symbol "*QLOT-WAS-LOADED*" :cl-user))')).toBe('T');
    expect((await image.run('load-system', { system: 'other' })).status).toBe('ok');
    expect((await image.ask('systems', {})).libraries).toContainEqual({
      kind: 'ocicl',
      path: path.join(image.directory, 'systems.csv'),
      active: true,
    });
  });
});

describe('trust-project', () => {
  it('The project moves to another folder: its systems are found there, and names begin there [B5]', async () => {
    const other = path.join(image.directory, 'moved to é');
    await mkdir(other, { recursive: true });
    await writeFile(path.join(other, 'moved.asd'), '(defsystem "moved" :components ())');
    await image.ask('trust-project', { trusted: true, directory: other });
    const { systems } = await image.ask('systems', {});
    expect(systems.find(({ name }) => name === 'moved')).toMatchObject({ origin: 'project' });
    expect((await image.run('load-system', { system: 'moved', force: null })).status).toBe('ok');
    expect(await image.value('(file-namestring (probe-file "moved.asd"))')).toBe('"moved.asd"');
    expect(await image.value('(sb-posix:getcwd)')).toContain('moved to é');
  });

  it('A system in a folder of the project is found before an installed one of the same name', async () => {
    const copy = await mkdtemp(path.join(tmpdir(), 'copies-'));
    await mkdir(path.join(copy, 'libraries'));
    await writeFile(path.join(copy, 'libraries', 'alexandria.asd'), '(defsystem "alexandria" :version "99")');
    await image.ask('trust-project', { trusted: true, directory: copy });
    const { systems } = await image.ask('systems', {});
    expect(systems.filter(({ name }) => name === 'alexandria').map(({ origin }) => origin)).toEqual(['project']);
    const version = '(asdf:component-version (asdf:find-system "alexandria"))';
    expect(await image.value(version)).toBe('"99"');
    await image.ask('trust-project', { trusted: true, directory: image.directory });
    expect(await image.value(version)).not.toBe('"99"');
    await rm(copy, { recursive: true });
  });
});
