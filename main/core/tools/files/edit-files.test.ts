import { lstat, mkdir, readFile, readlink, rm, stat, symlink, writeFile, link } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ApprovalCard } from '#contract/decisions/approval.ts';
import type { Reply } from '#core/workbench.fixture.ts';
import { describe as describeCard } from '#core/approvals/card/card-text.ts';
import { decideNext, nextCard } from '#core/approvals/decide.fixture.ts';
import { projectFiles, SHOP, yes } from './project-files.fixture.ts';

const files = projectFiles();
const at = (name: string): string => path.join(files.bench.project, name);
const text = (name: string): Promise<string> => readFile(at(name), 'utf8');
const gone = (name: string): Promise<boolean> =>
  lstat(at(name)).then(
    () => false,
    () => true,
  );

/** Sends the edits and decides about their card. Returns the answer and the card. */
async function edit(
  edits: readonly object[],
  decision: object = yes,
  more: object = {},
): Promise<{ reply: Reply; card: ApprovalCard }> {
  const reply = files.client.call('edit-files', { edits, ...more });
  const { approvals } = files.bench.workbench;
  const card = await nextCard(approvals);
  await decideNext(approvals, decision as typeof yes);
  return { reply: await reply, card };
}

describe('edit-files', () => {
  it('One call edits, loads, evaluates and runs tests, with all of it on the card, and ends at what fails [issue 35.1]', async () => {
    await writeFile(
      at('sum.asd'),
      '(defsystem "sum" :components ((:file "sum")) :perform (test-op (o c) (assert (= 3 (symbol-call :cl-user :sum 1 2)))))',
    );
    const edits = (body: string) => [{ path: 'sum.lisp', content: `(defun cl-user::sum (a b) ${body})\n` }];
    const more = { load: true, evaluate: '(sum 20 30)', test: 'sum' };
    const { reply, card } = await edit(edits('(+ a b)'), yes, more);
    expect(card.arguments.map(({ name, value }) => [name, value]).slice(1)).toEqual([
      ['load', 'true'],
      ['evaluate', '(sum 20 30)'],
      ['test', 'sum'],
    ]);
    expect(reply).toMatchObject({ isError: false });
    expect(reply.text).toMatch(/^Created sum\.lisp\.\nLoad sum\.lisp: .*\n=> 50\n/);
    const wrong = await edit(edits('(- a b)'), yes, more);
    expect(wrong.reply.isError).toBe(true);
    expect(wrong.reply.text).toMatch(/\n=> -10\n[\s\S]*assertion/i);
    const broken = await edit(edits('(car a'), yes, more);
    expect(broken.reply.text).not.toContain('=>');
    expect(broken.reply.text).toMatch(/\nThe code was not evaluated\.\nThe tests were not run\.$/);
  });

  it('All kinds of edits go over several files in one call with one card [issue 35.1]', async () => {
    await writeFile(at('tests.lisp'), '(test transactions\n  (is (= 1 1)))\n\n(setf (get (quote a) (quote b)) 1)\n');
    await writeFile(at('old.lisp'), '(defun old () 1)\n');
    await writeFile(at('gone.lisp'), '(defun gone () 1)\n');
    const { reply, card } = await edit([
      { path: 'src/shop.lisp', definition: 'total', text: "(defun total (cart)\n  (apply #'+ cart))" },
      { path: 'src/shop.lisp', definition: 'total', place: 'after', text: '(defun one () 1)\n\n(defun two () 2)' },
      { path: 'src/shop.lisp', definition: 'discount (string)', place: 'delete' },
      { path: 'tests.lisp', definition: 'test transactions', old: '(= 1 1)', new: '(= 2 2)' },
      {
        path: 'tests.lisp',
        definition: '(setf (get (quote a) (quote b)))',
        text: '(setf (get (quote a) (quote b)) 2)',
      },
      { path: 'old.lisp', move_to: 'lib/new.lisp' },
      { path: 'lib/new.lisp', old: 'old', new: 'new', replace_all: true },
      { path: 'gone.lisp', delete: true },
      { path: 'made.lisp', content: '(defun made () 1)\n' },
    ]);
    expect(card.headline).toBe(
      'Change src/shop.lisp, tests.lisp and old.lisp, create made.lisp, move old.lisp to lib/new.lisp, delete gone.lisp',
    );
    expect(card.change?.files?.map((file) => file.path)).toEqual([
      'src/shop.lisp',
      'tests.lisp',
      'old.lisp',
      'gone.lisp',
      'made.lisp',
    ]);
    expect(reply).toMatchObject({ isError: false });
    expect(await text('src/shop.lisp')).toBe(
      `(in-package :cl-user)

(defun total (cart)
  (apply #'+ cart))

(defun one () 1)

(defun two () 2)

(defmethod discount ((c integer) x)
  x)
`,
    );
    expect(await text('tests.lisp')).toBe(
      '(test transactions\n  (is (= 2 2)))\n\n(setf (get (quote a) (quote b)) 2)\n',
    );
    expect(await text('lib/new.lisp')).toBe('(defun new () 1)\n');
    expect(await text('made.lisp')).toBe('(defun made () 1)\n');
    expect([await gone('old.lisp'), await gone('gone.lisp')]).toEqual([true, true]);
    expect(reply.text).toMatch(
      /^Changed src\/shop\.lisp, tests\.lisp, lib\/new\.lisp\. Created made\.lisp\. Moved old\.lisp to lib\/new\.lisp\. Deleted gone\.lisp\./,
    );
    const { restored } = await files.bench.workbench.takeBack(card.id);
    expect(restored).toBe(true);
    expect(await text('src/shop.lisp')).toBe(SHOP);
    expect(await text('old.lisp')).toBe('(defun old () 1)\n');
    expect(await text('gone.lisp')).toBe('(defun gone () 1)\n');
    expect([await gone('lib'), await gone('made.lisp')]).toEqual([true, true]);
  });

  it('The person takes hunks of one file and leaves those of another [issue 35.1]', async () => {
    await writeFile(at('b.lisp'), '(defun b () 1)\n');
    await writeFile(at('c.lisp'), '(defun c () 1)\n');
    const { reply, card } = await edit(
      [
        { path: 'src/shop.lisp', definition: 'total', text: '(defun total (cart) cart)' },
        { path: 'b.lisp', old: '1', new: '2' },
        { path: 'c.lisp', delete: true },
        { path: 'd.lisp', content: '(d)\n' },
      ],
      { decision: 'approved', hunks: [1, 3] },
    );
    expect(card.choosable).toBe(true);
    const shown = describeCard(card);
    for (const head of [
      'src/shop.lisp\n[1, defun total',
      'b.lisp\n[2, defun b',
      'c.lisp\n[3, deleted]',
      'd.lisp\n[4, new file]',
    ])
      expect(shown).toContain(head);
    expect(await text('src/shop.lisp')).toBe(SHOP);
    expect(await text('b.lisp')).toBe('(defun b () 2)\n');
    expect(await text('c.lisp')).toBe('(defun c () 1)\n');
    expect(await text('d.lisp')).toBe('(d)\n');
    expect(reply.text).toMatch(
      /^Changed b\.lisp\. Created d\.lisp: the person accepted 2 of 4 hunks\.[^]*\[Left out by the person\]/,
    );
  });

  it.each([
    [
      'a definition that is not there',
      { path: 'src/shop.lisp', definition: 'nothing', text: '(nothing)' },
      /Edit 2 \(src\/shop\.lisp\): src\/shop\.lisp has no definition nothing\./,
    ],
    [
      'a passage that occurs twice',
      { path: 'src/shop.lisp', old: 'defmethod', new: 'x' },
      /Edit 2 \(src\/shop\.lisp\): The passage occurs 2 times in src\/shop\.lisp, in lines \d+ and \d+\./,
    ],
    [
      'text that is not complete',
      { path: 'src/shop.lisp', definition: 'discount (string)', text: '(defun total (' },
      /Edit 2 \(src\/shop\.lisp\): The text is incomplete/,
    ],
    [
      'a path outside',
      { path: '../x.lisp', content: '' },
      /Edit 2 \(\.\.\/x\.lisp\): \.\.\/x\.lisp is outside the project/,
    ],
    [
      'a place without a definition',
      { path: 'a.lisp', place: 'after', text: '(c)' },
      /"place" needs a "definition" that/,
    ],
    [
      'nothing to do',
      { path: 'src/shop.lisp' },
      /Edit 2 \(src\/shop\.lisp\): The edit does not say what to do\. Give one of/,
    ],
    [
      'two things at once',
      { path: 'src/shop.lisp', content: 'x', delete: true },
      /Edit 2 \(src\/shop\.lisp\): The edit does several things at once/,
    ],
    [
      'a file to move that is not there',
      { path: 'none.lisp', move_to: 'x.lisp' },
      /Edit 2 \(none\.lisp\): .*none\.lisp does not exist\./,
    ],
    [
      'a place that is taken',
      { path: 'a.lisp', move_to: 'src/shop.lisp' },
      /Edit 2 \(a\.lisp\): src\/shop\.lisp already exists\./,
    ],
  ])('A list with %s is refused in one sentence and changes nothing [issue 35.1]', async (_what, bad, expected) => {
    const good = { path: 'a.lisp', content: '(a)\n' };
    await writeFile(at('a.lisp'), '(b)\n');
    const reply = await files.client.call('edit-files', { edits: [good, bad] });
    expect(reply).toMatchObject({ isError: true, text: expect.stringMatching(expected) as string });
    expect(reply.text).toMatch(/ Nothing was written\.$/);
    expect(files.bench.workbench.approvals.view().waiting).toEqual([]);
    expect([await text('a.lisp'), await text('src/shop.lisp')]).toEqual(['(b)\n', SHOP]);
  });

  it('When one file cannot be written the others are as they were [issue 35.1]', async () => {
    await writeFile(at('first.lisp'), '(a)\n');
    await writeFile(at('place'), 'a file');
    const { reply } = await edit(
      [
        { path: 'first.lisp', content: '(b)\n' },
        { path: 'new/deep.lisp', content: '(c)\n' },
        { path: 'place', delete: true },
        { path: 'src/shop.lisp', move_to: 'taken.lisp' },
      ],
      {
        decision: 'approved',
        get hunks() {
          return undefined;
        },
      },
    );
    expect(reply.isError).toBe(false);
    await writeFile(at('taken2.lisp'), '(mine)\n');
    const asked = files.client.call('edit-files', {
      edits: [
        { path: 'first.lisp', content: '(c)\n' },
        { path: 'taken.lisp', move_to: 'free.lisp' },
      ],
    });
    const { approvals } = files.bench.workbench;
    await nextCard(approvals);
    await writeFile(at('free.lisp'), '(mine)\n');
    await decideNext(approvals, yes);
    approvals.denyAllOf(files.bench.workbench.clients.list().find(({ name }) => name === 'editor')!.id, 'over');
    expect(await asked).toMatchObject({ isError: true });
    expect([await text('first.lisp'), await text('taken.lisp'), await text('free.lisp')]).toEqual([
      '(b)\n',
      SHOP,
      '(mine)\n',
    ]);
    for (const name of ['first.lisp', 'taken.lisp', 'free.lisp', 'taken2.lisp']) await rm(at(name));
  });

  it('Load loads what changed and answers with the warnings of the compiler [issue 35.1]', async () => {
    const { reply } = await edit(
      [
        { path: 'p.lisp', content: '(defpackage :edited (:use :cl))\n' },
        { path: 'q.lisp', content: '(in-package :edited)\n(defun warned (x) (undefined-here 1))\n' },
        { path: 'r.lisp', content: '(in-package :edited)\n(defun fine () 42)\n' },
      ],
      yes,
      { load: true },
    );
    expect(reply.isError).toBe(false);
    expect(reply.text).toMatch(/^Created p\.lisp, q\.lisp, r\.lisp\.\nLoad p\.lisp: Compiled and loaded/);
    expect(reply.text).toMatch(/Load q\.lisp: [^]*undefined-here/i);
    expect(await files.client.evaluate('(edited::fine)')).toContain('42');
  });
});

describe('what a loaded change leaves in the image', () => {
  it('Definitions that are gone from a file and still in the image are named, moved ones are not [issue 35.1]', async () => {
    const code = '(defpackage :left (:use :cl))\n(in-package :left)\n(defun one () 1)\n(defun two () (one))\n';
    await edit([{ path: 'left.lisp', content: code }], yes, { load: true });
    const gone = await edit([{ path: 'left.lisp', definition: 'one', place: 'delete' }], yes, { load: true });
    expect(gone.reply.text).toMatch(/The image still has definitions that the file no longer has: ONE \(function\)\./);
    const moved = await edit(
      [
        { path: 'left.lisp', definition: 'two', place: 'delete' },
        { path: 'right.lisp', content: '(in-package :left)\n(defun one () 1)\n(defun two () (one))\n' },
      ],
      yes,
      { load: true },
    );
    expect(moved.reply.text).not.toContain('still has');
    const deleted = await edit([{ path: 'right.lisp', delete: true }], yes, { load: true });
    const needs = [{ path: 'needs.lisp', content: '(defpackage :needs (:use :cl :no-such-library))\n' }];
    expect((await edit(needs, yes, { load: true })).reply.text).toMatch(/\nIf a library defines it, load-system loads/);
    expect(deleted.reply.text).toMatch(/ONE \(function\), TWO \(function\)/);
  });
});

describe('definitions inside other forms', () => {
  const NESTED =
    '(in-package :cl-user)\n\n(let ((count 0))\n  (defun next-id () (incf count)))\n\n(eval-when (:load-toplevel)\n  (defun one () 1)\n  (defun two () 2))\n';

  it.each([
    [
      'the definition itself',
      { definition: 'next-id', text: '(defun next-id () (incf count 2))' },
      /\(let \(\(count 0\)\)\n {2}\(defun next-id \(\) \(incf count 2\)\)\)/,
    ],
    [
      'its outer form',
      { definition: 'next-id', text: '(let ((count 9))\n  (defun next-id () (incf count)))' },
      /^[^]*:cl-user\)\n\n\(let \(\(count 9\)\)/,
    ],
    ['a passage of the outer form', { definition: 'next-id', old: '(count 0)', new: '(count 7)' }, /\(count 7\)/],
    ['one of several that goes', { definition: 'one', place: 'delete' }, /\(:load-toplevel\)\n {2}\(defun two/],
    [
      'the only one that goes with its outer form',
      { definition: 'next-id', place: 'delete' },
      /^\(in-package :cl-user\)\n\n\(eval-when/,
    ],
  ])('A definition inside another form is edited: %s [issue 35.1]', async (_what, one, expected) => {
    await writeFile(at('nested.lisp'), NESTED);
    const { reply } = await edit([{ path: 'nested.lisp', ...one }]);
    expect(reply.text).toMatch(/^Changed nested\.lisp\./);
    expect(await text('nested.lisp')).toMatch(expected);
  });

  it.each([
    ['test borrow', '(fiveam:test borrow\n  (is t))\n', '(fiveam:test borrow\n  (is nil))'],
    ['borrowing works', '(subtest "borrowing works"\n  (ok t))\n', '(subtest "borrowing works"\n  (ok nil))'],
    ['defsystem y/tests', '(defsystem "y/tests")\n', '(defsystem "y/tests" :depends-on ("y"))'],
    ['y/tests', '(asdf:defsystem :y/tests)\n', '(asdf:defsystem :y/tests :depends-on (:y))'],
    ['defpackage larder', '(defpackage #:larder (:use :cl))\n', '(defpackage #:larder (:use))'],
  ])('The tool edit-definition finds %s [issue 35.1]', async (definition, before, after) => {
    await writeFile(at('forms.lisp'), `${before}(other)\n`);
    const reply = files.client.call('edit-definition', { path: 'forms.lisp', definition, text: after });
    await decideNext(files.bench.workbench.approvals, yes);
    expect(await reply).toMatchObject({ isError: false });
    expect(await text('forms.lisp')).toBe(`${after}\n(other)\n`);
  });
});

describe('names of files', () => {
  it.each([
    ['delete-file', { path: 'link.lisp' }, 'Delete the link link.lisp, not its target real.lisp'],
    [
      'move-file',
      { path: 'link.lisp', to: 'other.lisp' },
      'Move the link link.lisp, not its target real.lisp, to other.lisp',
    ],
  ])('The tool %s acts on a link and not on the file to which it leads [issue 35.1]', async (tool, args, headline) => {
    for (const name of ['real.lisp', 'link.lisp', 'other.lisp']) await rm(at(name), { force: true });
    await writeFile(at('real.lisp'), '(real)\n');
    await symlink('real.lisp', at('link.lisp'));
    const reply = files.client.call(tool, args);
    const { approvals } = files.bench.workbench;
    const card = await nextCard(approvals);
    expect(card.headline).toBe(headline);
    await decideNext(approvals, yes);
    expect(await reply).toMatchObject({ isError: false });
    expect([await text('real.lisp'), await gone('link.lisp')]).toEqual(['(real)\n', true]);
    expect(await readlink(at('other.lisp')).catch(() => null)).toBe(tool === 'move-file' ? 'real.lisp' : null);
    await files.bench.workbench.takeBack(card.id);
    expect(await readlink(at('link.lisp'))).toBe('real.lisp');
  });

  it('A link to nothing and a link to a folder can be deleted, and no file moves to the place of a link [issue 35.1]', async () => {
    await mkdir(at('folder'), { recursive: true });
    await writeFile(at('folder/kept.txt'), 'kept');
    await symlink('nowhere', at('dangling'));
    await symlink('folder', at('to-folder'));
    const { text: refused } = await files.client.call('move-file', { path: 'src/shop.lisp', to: 'dangling' });
    expect(refused).toMatch(/dangling already exists/);
    const { reply } = await edit([
      { path: 'dangling', delete: true },
      { path: 'to-folder', delete: true },
    ]);
    expect(reply.text).toMatch(/^Deleted dangling, to-folder\./);
    expect([await gone('dangling'), await gone('to-folder'), await text('folder/kept.txt')]).toEqual([
      true,
      true,
      'kept',
    ]);
  });

  it('The tool write-file keeps the line ends and the byte-order mark of a file [issue 35.1]', async () => {
    await writeFile(at('crlf.lisp'), '\uFEFF(defun a () 1)\r\n(defun b () 2)\r\n');
    const reply = files.client.call('write-file', { path: 'crlf.lisp', content: '(defun a () 1)\n(defun b () 3)\n' });
    const { approvals } = files.bench.workbench;
    const { change } = await nextCard(approvals);
    expect([change?.added, change?.removed]).toEqual([1, 1]);
    await decideNext(approvals, yes);
    await reply;
    expect(await text('crlf.lisp')).toBe('\uFEFF(defun a () 1)\r\n(defun b () 3)\r\n');
  });

  it('An edit takes a byte-order mark away when it names it, and a file in the place of a deleted one has none [issue 35.1]', async () => {
    await writeFile(at('marked.lisp'), '\uFEFF(defun marked () 1)\n(defun other () 1)\n');
    const { card } = await edit([
      { path: 'marked.lisp', definition: 'other', text: '(defun other () 2)' },
      { path: 'marked.lisp', old: '\uFEFF', new: '' },
    ]);
    expect([card.change?.added, card.change?.removed]).toEqual([2, 2]);
    expect(await text('marked.lisp')).toBe('(defun marked () 1)\n(defun other () 2)\n');
    await writeFile(at('marked.lisp'), '\uFEFF(defun marked () 1)\r\n');
    await edit([
      { path: 'marked.lisp', delete: true },
      { path: 'marked.lisp', content: '(defun marked () 2)\n' },
    ]);
    expect(await text('marked.lisp')).toBe('(defun marked () 2)\n');
  });

  it('A passage that makes a file unreadable is written, and the answer says where it cannot be read [issue 35.1]', async () => {
    await writeFile(at('plain.lisp'), '(defun aa (x)\n  (+ x 1))\n\n(defun gg (x)\n  (list (+ x 1)))\n');
    const { reply, card } = await edit([{ path: 'plain.lisp', old: '(list (+ x 1)))', new: '(list (+ x 1))' }]);
    expect(card.facts.checked).toMatchObject({ fault: true });
    expect(reply.text).toContain(
      '\nplain.lisp:4:1 does not read as Lisp: (defun gg (x) is never closed. Insert ) at the end of line 5.',
    );
  });

  it('An emptied or deleted file is said to leave its definitions in the image, and no file is offered to be loaded [issue 35.1]', async () => {
    await writeFile(at('emptied.lisp'), '(in-package :cl-user)\n(defun emptied-one () 1)\n(defun emptied-two () 2)\n');
    await files.client.call('load-file', { path: 'emptied.lisp' });
    const shorter = await edit([{ path: 'emptied.lisp', definition: 'emptied-two', place: 'delete' }]);
    expect(shorter.reply.text).toMatch(
      /^Changed emptied\.lisp\.\nThe image still has definitions that the file no longer has: EMPTIED-TWO \(function\)\.[^\n]*$/,
    );
    const emptied = await edit([{ path: 'emptied.lisp', content: '(in-package :cl-user)\n' }]);
    expect(emptied.reply.text).toMatch(
      /^Changed emptied\.lisp\.\nThe image still has definitions that the file no longer has: EMPTIED-ONE \(function\), EMPTIED-TWO \(function\)\.[^\n]*$/,
    );
    const deleted = await edit([{ path: 'emptied.lisp', delete: true }]);
    expect(deleted.reply.text).toMatch(
      /^Deleted emptied\.lisp\.\nThe image still has definitions that the file no longer has: /,
    );
    await writeFile(at('unloaded.lisp'), '(defun never-loaded () 1)\n');
    expect((await edit([{ path: 'unloaded.lisp', content: '' }])).reply.text).toBe('Changed unloaded.lisp.');
  });

  it('An edit leaves the other names of a file that are outside the project as they are [issue 35.1]', async () => {
    const outside = path.join(files.bench.home, 'outside.lisp');
    await writeFile(outside, '(a)\n');
    await link(outside, at('inside.lisp'));
    const { card } = await edit([{ path: 'inside.lisp', content: '(b)\n' }]);
    expect(card.facts.undo.why).toMatch(/keep the old text, because not all of them are in the project$/);
    expect([await text('inside.lisp'), await readFile(outside, 'utf8')]).toEqual(['(b)\n', '(a)\n']);
  });

  it('An edit keeps the other names of a file [issue 35.1]', async () => {
    await writeFile(at('one.lisp'), '(a)\n');
    await link(at('one.lisp'), at('another.lisp'));
    const { card } = await edit([{ path: 'one.lisp', content: '(b longer)\n' }]);
    expect(card.facts.undo.why).toMatch(/its other names in the project \(hard links\) have the new text, too$/);
    expect([await text('another.lisp'), (await stat(at('one.lisp'))).nlink]).toEqual(['(b longer)\n', 2]);
  });
});

it('The card says which packages a form names that the image does not have [issue 35.1]', async () => {
  await files.client.evaluate('(defpackage :larder (:use :cl))');
  await writeFile(at('larder.lisp'), '(in-package :larder)\n(defun price () 1)\n');
  const { card, reply } = await edit([
    { path: 'larder.lisp', definition: 'price', text: '(defun price () (foo:price-of 1))' },
  ]);
  expect(card.facts.checked).toEqual({ words: '1 complete form, but the image has no package FOO', fault: true });
  expect(reply.text).toContain('The image has no package FOO.');
});
