/** The workbench's own work for the person, which causes no request even while the person's code does. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { PERSON } from '#contract/clients/known-actors.ts';
import { decideNext } from '#core/approvals/decide.fixture.ts';
import { asking } from '#core/approvals/asking.fixture.ts';

const { bench, client, at } = await asking();
const { workbench } = bench;
const { session } = workbench;

const asPerson = () => ({ evaluation: randomUUID(), actor: PERSON, context: PERSON.id });
const inPackage = { context: PERSON.id, package: null };
const page = { holder: 'the test', offset: 0, limit: 10, package: null, view: null };

/** Writes a project of the person: a system with tests. */
async function writeShop(): Promise<void> {
  await writeFile(
    at('shop.asd'),
    `(defsystem "shop" :components ((:file "shop")))
     (defsystem "shop/tests" :depends-on ("shop" "fiveam") :components ((:file "tests")))`,
  );
  await writeFile(at('shop.lisp'), "(defpackage :shop (:use :cl)) (in-package :shop) (defun total (l) (reduce #'+ l))");
  await writeFile(
    at('tests.lisp'),
    "(defpackage :shop/tests (:use :cl :fiveam)) (in-package :shop/tests) (test adds (is (= 3 (shop::total '(1 2)))))",
  );
}

const WORK: Record<string, () => Promise<unknown>> = {
  'loading a system': () => workbench.loads.load({ system: 'shop/tests', evaluation: randomUUID() }),
  'loading it again from nothing': () => session.compileSystem({ ...asPerson(), system: 'shop', force: 'all' }),
  'compiling a text': () =>
    session.compileText({
      ...asPerson(),
      text: '(defun own () 1)',
      package: null,
      source: { file: at('own.lisp'), offset: 0, line: 1 },
      title: 'own',
    }),
  'completing a name': () =>
    session.lookUp('complete', { ...inPackage, prefix: 'make-', text: null, offset: null, limit: 20 }),
  'describing a function': () => session.lookUp('describe-symbol', { ...inPackage, symbol: 'shop::total' }),
  'finding a definition': () => session.lookUp('find-definition', { ...inPackage, symbol: 'shop::total' }),
  'expanding a macro': () =>
    session.lookUp('macroexpand', {
      ...inPackage,
      form: '(loop for x in y collect x)',
      mode: 'fully',
      path: null,
    }),
  'inspecting a value': () => session.run('inspect-expression', asPerson(), { code: '(list 1 2)', ...page }, 'inspect'),
  'covering a system': () => session.run('cover-system', asPerson(), { system: 'shop', counts: true }, 'cover'),
  'running tests': () =>
    workbench.tests.run({ tests: ['fiveam SHOP/TESTS::ADDS'], debug: false, title: 'adds', evaluation: randomUUID() }),
  'making a checkpoint': () => session.checkpoint('mine', PERSON),
  'going back to it': () => session.rewind(session.view().checkpoints.at(-1)!.id, PERSON),
  'saving the world': () => session.saveWorld('mine'),
  'saving an executable': () =>
    session.saveExecutable({ file: at('program'), function: null, package: 'COMMON-LISP-USER', hooks: [] }),
  'opening the world': () => session.openWorld('mine'),
};

it('The work of the workbench for the person asks for nothing while an agent’s change is unreviewed [issue 34.3]', async () => {
  await writeShop();
  await session.changes.choose(true);
  await client.evaluate('(defvar *an-agents* 1)');
  const asked: string[] = [];
  const seen = new Set<string>();
  const end = workbench.approvals.events.on('changed', ({ waiting }) => {
    for (const { id, facts } of waiting) {
      if (seen.has(id)) continue;
      seen.add(id);
      asked.push(`${current}: ${facts.target?.text}`);
      void decideNext(workbench.approvals, { decision: 'denied', reason: 'Nothing should ask' });
    }
  });
  let current = '';
  for (const [name, work] of Object.entries(WORK)) {
    current = name;
    await work();
  }
  end();
  expect(asked).toEqual([]);
  expect(existsSync(at('program'))).toBe(true);
  expect(session.view()).toMatchObject({ asksPerson: true, unreviewed: true });
});
