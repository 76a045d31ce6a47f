/** Diagnostics of files that the person's code compiles. They appear in the window. */
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';
import { AGENT, decideAll } from '../effects.fixture.ts';

let image: TestImage;
let folder: string;

beforeEach(async () => {
  image = await openTestImage();
  folder = path.join(await realpath(image.directory), 'cart');
  await mkdir(folder);
  const components = '(:file "first") (:file "second")';
  await writeFile(path.join(folder, 'cart.asd'), `(defsystem "cart" :serial t :components (${components}))`);
  await writeFile(path.join(folder, 'first.lisp'), '(defun first-f (x)\n  (undefined-here x))\n');
  await writeFile(path.join(folder, 'second.lisp'), '(defun second-f () (car 3))\n');
  await image.value(`(progn (asdf:load-asd "${folder}/cart.asd") 1)`);
});

afterEach(() => image.close());

/** Returns the reported diagnostics of each file, by the file's name without its folder: the severity and the line of each problem. */
function told(): unknown[] {
  return image.events.flatMap((event) =>
    event.event === 'files-compiled'
      ? [
          event.files.map(({ file, diagnostics }) => [
            path.basename(file ?? ''),
            diagnostics.map(({ severity, line }) => `${severity} ${String(line)}`),
          ]),
        ]
      : [],
  );
}

describe("compilations that the person's code asks for", () => {
  it('The faults of a system that is loaded by ASDF in an evaluation are told by file, and those of its next load in their place', async () => {
    await image.evaluate('(asdf:load-system "cart")');
    expect(told()).toEqual([
      [
        ['second.lisp', ['note 1', 'warning 1']],
        ['first.lisp', ['style-warning 2']],
      ],
    ]);
    await writeFile(path.join(folder, 'first.lisp'), '(defun first-f (x) x)\n');
    await image.evaluate('(asdf:load-system "cart" :force t)');
    expect(told()[1]).toEqual([
      ['second.lisp', ['note 1', 'warning 1']],
      ['first.lisp', []],
    ]);
  });

  it('The faults of a system that is loaded for its tests are told; for the tests that an agent runs they are not', async () => {
    await image.run('test-system', { system: 'cart' });
    expect(told()).toEqual([
      [
        ['second.lisp', ['note 1', 'warning 1']],
        ['first.lisp', ['style-warning 2']],
      ],
    ]);
    await writeFile(path.join(folder, 'first.lisp'), '(defun first-f (x) x)\n');
    decideAll(image, 'proceed');
    await image.run('test-system', { system: 'cart', ...AGENT });
    expect(told()).toHaveLength(1);
  });

  it('The faults of systems of the project that a system needs are told, too, those of libraries in its folders are not', async () => {
    const project = path.dirname(folder);
    await image.ask('trust-project', { trusted: true, directory: project });
    for (const [place, name] of [
      ['base', 'base'],
      ['ocicl/library', 'library'],
    ] as const) {
      await mkdir(path.join(project, place), { recursive: true });
      await writeFile(
        path.join(project, place, `${name}.asd`),
        `(defsystem "${name}" :components ((:file "${name}")))`,
      );
      await writeFile(path.join(project, place, `${name}.lisp`), `(defun ${name}-f (x)\n  (let ((y 1)) x))\n`);
      await image.value(`(progn (asdf:load-asd "${project}/${place}/${name}.asd") 1)`);
    }
    const needs = ':depends-on ("base" "library") :components ((:file "first"))';
    await writeFile(path.join(folder, 'shop.asd'), `(defsystem "shop" ${needs})`);
    await image.value(`(progn (asdf:load-asd "${folder}/shop.asd") 1)`);
    await image.evaluate('(asdf:load-system "shop")');
    expect(told()).toEqual([
      [
        ['base.lisp', ['style-warning 2']],
        ['first.lisp', ['style-warning 2']],
      ],
    ]);
  });

  it('The faults of COMPILE-FILE in an evaluation are told, those of code that an agent compiles are its own', async () => {
    await image.evaluate(`(compile-file "${folder}/second.lisp")`);
    expect(told()).toEqual([[['second.lisp', ['note 1', 'warning 1']]]]);
    decideAll(image, 'proceed');
    expect((await image.evaluate(`(compile-file "${folder}/second.lisp")`, AGENT)).condition).toBeNull();
    await image.evaluate('(compile nil (quote (lambda () (car 3))))');
    expect(told()).toHaveLength(1);
  });
});
