import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BuildComparison } from '#contract/image/builds.ts';
import { PERSON } from '#contract/clients/known-actors.ts';
import { openTestWorkbench, type TestWorkbench } from '../workbench.fixture.ts';

const SHOP = `(defpackage :shop (:use :cl))
(in-package :shop)
(defstruct basket items)
(defun total (basket) (reduce #'+ (basket-items basket)))
(defun refund (basket) (- (total basket)))
(defun greet (name) (format nil "Hello, ~a" name))
(defgeneric discount (thing) (:method ((thing basket)) 10))
`;

let bench: TestWorkbench;
let file: string;

beforeAll(async () => {
  bench = await openTestWorkbench({ checkpoints: false });
  await mkdir(path.join(bench.project, 'src'));
  file = path.join(bench.project, 'src', 'shop.lisp');
  await writeFile(
    path.join(bench.project, 'shop.asd'),
    '(defsystem "shop" :depends-on ("alexandria") :pathname "src" :components ((:file "shop")))',
  );
  await writeFile(file, SHOP);
}, 120_000);

afterAll(() => bench.close());

async function evaluate(code: string, inPackage: string | null = null): Promise<void> {
  const who = { evaluation: randomUUID(), actor: PERSON, context: PERSON.id, interactive: false };
  const { report } = await bench.workbench.session.evaluate({ ...who, code, package: inPackage, source: null });
  expect(report).toMatchObject({ status: 'ok' });
}

const compare = (): Promise<BuildComparison | null> => bench.workbench.build.compare();
const shown = (comparison: BuildComparison | null): string[] =>
  comparison!.differences.map(
    ({ state, package: name, definition, words }) => `${state} ${name} ${definition.kind} ${definition.name}: ${words}`,
  );

describe('build of the project that the image is compared with', () => {
  it('Without an image there is no comparison, and none without a loaded system of the folder', async () => {
    expect(await compare()).toBeNull();
    await evaluate('(asdf:load-system "alexandria")');
    await expect(compare()).rejects.toThrow('No system of this folder is loaded.');
  });

  it('An image that was just loaded is as its build, however much else is loaded in it', async () => {
    await bench.workbench.loads.load({ system: 'shop', evaluation: randomUUID() });
    await evaluate('(asdf:load-system "cl-ppcre")');
    const comparison = await compare();
    expect(comparison).toMatchObject({ systems: ['shop'], failed: [], differences: [], more: 0 });
    expect(comparison!.compared).toBeGreaterThan(5);
  });

  it('What drifted is told: ghosts, what is not loaded yet, and what is another', async () => {
    await evaluate('(defun scratch () 1)');
    await evaluate('(defun greet (name &key loud) (list name loud))', 'SHOP');
    await evaluate('(defmethod discount ((thing string)) 5)', 'SHOP');
    const text = SHOP.replace(/\(defun refund.*\n/, '')
      .replace("#'+ (basket", "#'+ (basket")
      .replace('(:method ((thing basket)) 10)', '(:method ((thing basket)) 20)')
      .concat('(defun receipt (basket) (list :total (total basket)))\n');
    await writeFile(file, text);
    expect(shown(await compare())).toEqual([
      'only-in-image COMMON-LISP-USER function SCRATCH: in no file',
      'only-in-image SHOP method DISCOUNT (STRING): in no file',
      'only-in-image SHOP function REFUND: no longer in its file',
      'different SHOP generic-function DISCOUNT: its file was edited since it was evaluated',
      'different SHOP function GREET: takes (name &key loud) in the image, (name) when built',
      'only-in-files SHOP function RECEIPT: not in the image',
    ]);
    expect(bench.workbench.sessions.all).toHaveLength(1);
  });

  it('A system that builds only in the image that it grew in is told with why', async () => {
    await evaluate('(defmacro twice (form) `(progn ,form ,form))', 'SHOP');
    const text = await readFile(file, 'utf8');
    await writeFile(file, `${text}(defun again () (twice (undefined-everywhere)))\n(error "Not in this image.")\n`);
    const comparison = await compare();
    expect(comparison!.failed).toMatchObject([{ system: 'shop', message: expect.stringContaining('shop.lisp') }]);
  });

  it('A build is cancelled, and only one is made at a time', async () => {
    await writeFile(file, `${SHOP}(loop)\n`);
    const first = compare();
    await expect.poll(() => compare().then(() => 'done', String)).toContain('A build is already running.');
    bench.workbench.build.cancel();
    expect(await first).toBeNull();
    // A build that is cancelled before the image has listed its systems does not start.
    const second = compare();
    bench.workbench.build.cancel();
    expect(await second).toBeNull();
    expect(bench.workbench.sessions.all).toHaveLength(1);
    await writeFile(file, SHOP);
    expect((await compare())!.failed).toEqual([]);
  });
});
