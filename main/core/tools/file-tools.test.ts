import { chmod, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApprovalDecision } from '#contract/approval.ts';
import { decideNext, nextCard } from '#core/approvals/decide.fixture.ts';
import { openTestWorkbench, type Reply, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';

let bench: TestWorkbench;
let client: TestClient;

beforeAll(async () => {
  bench = await openTestWorkbench();
  client = await bench.connect('editor');
  bench.workbench.approvals.setApprover('the test');
}, 120_000);

afterAll(() => bench.close());

afterEach(() => {
  const { approvals, clients } = bench.workbench;
  const { id } = clients.list().find(({ name }) => name === 'editor')!;
  approvals.denyAllOf(id, 'The test is over.');
});

const SHOP = `(in-package :cl-user)

(defun total (cart)
  (reduce #'+ cart))

(defmethod discount ((c integer) x)
  x)

(defmethod discount ((c string) x)
  (* 2 x))
`;

const at = (name: string): string => path.join(bench.project, name);
const text = (name: string): Promise<string> => readFile(at(name), 'utf8');

beforeEach(async () => {
  await mkdir(at('src'), { recursive: true });
  await writeFile(at('src/shop.lisp'), SHOP);
});

async function asked(name: string, args: Record<string, unknown>, decision: ApprovalDecision): Promise<Reply> {
  const reply = client.call(name, args);
  await decideNext(bench.workbench.approvals, decision);
  return reply;
}

const yes = { decision: 'approved' } as const;

describe('X15 propose-file-edit', () => {
  const whole = {
    path: 'src/shop.lisp',
    original: SHOP,
    modified:
      SHOP.replace("#'+ cart", "#'+ cart :initial-value 0").replace('(* 2 x)', '(* 3 x)') + '\n(defvar *x* 1)\n',
    description: 'Sums of nothing.',
  };

  it('D13 shows a hunk a definition, writes the ones that were taken, and tells what became of each', async () => {
    const reply = client.call('propose-file-edit', whole);
    const { change, choosable, claim, editable, headline } = await nextCard(bench.workbench.approvals);
    expect({ choosable, claim, editable, headline }).toEqual({
      choosable: true,
      claim: 'Sums of nothing.',
      editable: 'modified',
      headline: 'Change 3 definitions in src/shop.lisp',
    });
    expect(change!.hunks.map(({ title }) => title)).toEqual([
      'defun total',
      'defmethod discount (string t)',
      'defvar *x*',
    ]);
    await decideNext(bench.workbench.approvals, { decision: 'approved', hunks: [0, 2] });
    expect(await text('src/shop.lisp')).toBe(whole.modified.replace('(* 3 x)', '(* 2 x)'));
    const { text: said, isError } = await reply;
    expect(isError).toBe(false);
    expect(said).toMatch(/^Changed src\/shop\.lisp: the person took 2 of 3 hunks\.\n\[Left out by the person\]\n/);
    expect(said).toMatch(/-  \(\* 2 x\)\)\n\+  \(\* 3 x\)\)/);
  });

  it('D13 is checked: complete forms, their package, and who calls them in the image; a fault is told', async () => {
    await writeFile(
      at('src/calls.lisp'),
      '(in-package :cl-user)\n(defun total (cart) cart)\n(defun pay (cart) (total cart))\n(defun ship (cart) (total cart))\n',
    );
    await writeFile(at('src/calls-tests.lisp'), '(in-package :cl-user)\n(defun costs-nothing () (total nil))\n');
    for (const file of ['src/calls.lisp', 'src/calls-tests.lisp']) await client.call('load-file', { path: file });
    const cardOf = async (modified: string) => {
      const reply = client.call('propose-file-edit', { ...whole, modified });
      const card = await nextCard(bench.workbench.approvals);
      // Not by the person: too many denials in a row would pause the client.
      bench.workbench.approvals.denyAllOf(card.actor.id, 'Later.');
      await reply;
      return card;
    };
    const one = await cardOf(SHOP.replace("#'+ cart", "#'+ cart :initial-value 0"));
    expect([one.headline, one.checked]).toEqual([
      'Change total in src/shop.lisp',
      {
        words: '1 complete form, read in package CL-USER · called by pay, ship and 1 test',
        fault: false,
      },
    ]);
    const added = await cardOf(`${SHOP}\n(defvar *x* 1)\n`);
    expect([added.headline, added.checked?.words]).toEqual([
      'Add *x* to src/shop.lisp',
      '1 complete form, read in package CL-USER',
    ]);
    const open = await cardOf(SHOP.replace("#'+ cart))", "#'+ cart)"));
    expect(open.checked).toEqual({ words: 'does not read: the form in line 3 is never closed', fault: true });
    const other = await cardOf(`${SHOP.replace('(* 2 x)', '(* 3 x)')}\n(print :loaded)\n`);
    expect(other.headline).toBe('Change src/shop.lisp, 3 lines added, 1 removed');
    for (const file of ['src/calls.lisp', 'src/calls-tests.lisp']) await rm(at(file));
  });

  it('says at each hunk whether the image runs it already', async () => {
    await client.evaluate("(defun total (cart) (reduce #'+ cart :initial-value 0))");
    const reply = client.call('propose-file-edit', {
      ...whole,
      modified: whole.modified.replace(
        "(defun total (cart)\n  (reduce #'+ cart :initial-value 0))",
        "(defun total (cart) (reduce #'+ cart :initial-value 0))",
      ),
    });
    const { change } = await nextCard(bench.workbench.approvals);
    expect(change!.hunks.map(({ evidence }) => evidence)).toEqual([
      'Image already runs this',
      'Image does not run this yet',
      'Image does not run this yet',
    ]);
    await decideNext(bench.workbench.approvals, { decision: 'denied', reason: 'Later.' });
    await reply;
  });

  it('X12 runs what the person made of it, and says that it did', async () => {
    const passage = {
      path: 'src/shop.lisp',
      original: "(reduce #'+ cart)",
      modified: '(sum cart)',
      description: 'Sums.',
    };
    const reply = await asked('propose-file-edit', passage, {
      decision: 'modified',
      arguments: { ...passage, modified: '(sum-up cart)' },
    });
    expect(await text('src/shop.lisp')).toBe(SHOP.replace("(reduce #'+ cart)", '(sum-up cart)'));
    expect(reply.text).toMatch(/The person edited this before approving it\.[^]*-\(sum cart\)\n\+\(sum-up cart\)/);
  });

  it.each<[string, Partial<typeof whole>, RegExp]>([
    ['a passage that is not there', { original: "(reduce #'-  cart)" }, /has no such passage/],
    [
      'a passage that differs in white space',
      { original: '(defun  total (cart)' },
      /much like line 3; white space counts/,
    ],
    ['a passage that occurs twice', { original: '(defmethod discount ' }, /occurs 2 times/],
    ['a file that is not there', { path: 'src/none.lisp' }, /does not exist/],
    ['an empty passage of a file', { original: '' }, /must be the passage/],
    ['no change', { modified: SHOP }, /would change nothing/],
    ['a path outside', { path: '../x' }, /lies outside the project/],
  ])('refuses %s without asking', async (_name, change, expected) => {
    const { text: said, isError } = await client.call('propose-file-edit', { ...whole, ...change });
    expect([isError, said]).toEqual([true, expect.stringMatching(expected)]);
    expect(bench.workbench.approvals.view().waiting).toEqual([]);
  });

  it('K3 is drawn again when the file changed since, and then writes what the card shows', async () => {
    const { approvals } = bench.workbench;
    const reply = client.call('propose-file-edit', {
      path: 'src/shop.lisp',
      original: '(* 2 x)',
      modified: '(* 3 x)',
      description: 'Why not.',
    });
    await nextCard(approvals);
    await writeFile(at('src/shop.lisp'), SHOP.replace('cl-user', 'shop'));
    expect(await decideNext(approvals, yes)).toMatchObject({ accepted: false, reason: 'stale' });
    expect(await decideNext(approvals, yes)).toMatchObject({ accepted: true });
    await reply;
    expect(await text('src/shop.lisp')).toBe(SHOP.replace('cl-user', 'shop').replace('(* 2 x)', '(* 3 x)'));
  });

  it('makes a new file, folders on the way too', async () => {
    await asked(
      'propose-file-edit',
      { path: 'new/deep/a.lisp', original: '', modified: '(a)\n', description: 'Why not.' },
      yes,
    );
    expect(await text('new/deep/a.lisp')).toBe('(a)\n');
  });

  it('keeps Latin-1, line ends of Windows, a byte-order mark and the mode', async () => {
    await writeFile(at('latin.lisp'), Buffer.from('(a)\r\n"caf\u00e9"\r\n(b)\r\n', 'latin1'));
    await chmod(at('latin.lisp'), 0o751);
    await asked(
      'propose-file-edit',
      { path: 'latin.lisp', original: '(a)\n"café"', modified: '(c)\n"thé"', description: 'Why not.' },
      yes,
    );
    expect(await readFile(at('latin.lisp'), 'latin1')).toBe('(c)\r\n"th\u00e9"\r\n(b)\r\n');
    expect((await stat(at('latin.lisp'))).mode & 0o777).toBe(0o751);
    // Nobody is asked about what could not be written.
    const wide = await client.call('propose-file-edit', {
      path: 'latin.lisp',
      original: '(c)',
      modified: '(λ)',
      description: 'Why not.',
    });
    expect(wide).toMatchObject({
      isError: true,
      text: expect.stringMatching(/Latin-1, which lacks the character "λ"/) as string,
    });
    await writeFile(at('mark.lisp'), '\uFEFF(a)\n');
    await asked(
      'propose-file-edit',
      { path: 'mark.lisp', original: '(a)', modified: '(b)', description: 'Why not.' },
      yes,
    );
    expect(await text('mark.lisp')).toBe('\uFEFF(b)\n');
  });

  it('asks nobody about a file that is read-only', async () => {
    await writeFile(at('kept.lisp'), '(a)\n', { mode: 0o444 });
    for (const [tool, args] of [
      ['write-file', { path: 'kept.lisp', content: '(b)\n' }],
      ['propose-file-edit', { path: 'kept.lisp', original: '(a)', modified: '(b)', description: 'Why not.' }],
      ['edit-definition', { path: 'kept.lisp', definition: 'a', text: '(b)' }],
    ] as const) {
      const { isError, text: said } = await client.call(tool, args);
      expect([tool, isError, said]).toEqual([tool, true, expect.stringMatching(/read-only|no definition/)]);
    }
    expect(await text('kept.lisp')).toBe('(a)\n');
  });

  it('refuses what is no text', async () => {
    await writeFile(at('image.png'), Buffer.from([0x89, 0, 1, 2]));
    expect(
      (
        await client.call('propose-file-edit', {
          path: 'image.png',
          original: 'a',
          modified: 'b',
          description: 'Why not.',
        })
      ).text,
    ).toMatch(/it is no text/);
  });
});

describe('edit-definition', () => {
  const edit = (definition: string, form: string, more = {}) => ({
    path: 'src/shop.lisp',
    definition,
    text: form,
    ...more,
  });

  it.each<[string, string, Record<string, string>, string]>([
    [
      'total',
      '(defun total (c) c)',
      {},
      SHOP.replace("(defun total (cart)\n  (reduce #'+ cart))", '(defun total (c) c)'),
    ],
    [
      'DEFUN TOTAL',
      '(defun total (c) c)',
      {},
      SHOP.replace("(defun total (cart)\n  (reduce #'+ cart))", '(defun total (c) c)'),
    ],
    [
      'defmethod discount (string t)',
      '(defmethod discount ((c string) x) 1)',
      {},
      SHOP.replace('(defmethod discount ((c string) x)\n  (* 2 x))', '(defmethod discount ((c string) x) 1)'),
    ],
    ['total', '(defun more () 1)', { place: 'after' }, SHOP.replace('cart))\n', 'cart))\n\n(defun more () 1)\n')],
    [
      'total',
      '(defun less () 1)',
      { place: 'before' },
      SHOP.replace('(defun total', '(defun less () 1)\n\n(defun total'),
    ],
  ])('%s by %s %j', async (definition, form, more, expected) => {
    await asked('edit-definition', edit(definition, form, more), yes);
    expect(await text('src/shop.lisp')).toBe(expected);
  });

  it.each<[string, string, RegExp]>([
    [
      'discount',
      '(defmethod discount (a) 1)',
      /names 2 forms of src\/shop\.lisp: defmethod discount \(integer t\) \(line 6\)/,
    ],
    ['totl', '(a)', /has no definition totl\. It defines: defun total/],
    ['tot', '(a)', /Near: defun total/],
    ['total', '(defun total (c) c', /lacks 1 closing parenthesis/],
    ['total', '(defun total (c) c))', /a closing parenthesis too many, in line 1/],
    ['total', '(defun total (c) "c)', /lacks/],
    ['total', '(a) (b)', /must be one top-level form; it has 2/],
    ['total', ';; nothing', /it has 0/],
  ])('refuses %s by %s without asking', async (definition, form, expected) => {
    const { text: said, isError } = await client.call('edit-definition', edit(definition, form));
    expect([isError, said]).toEqual([true, expect.stringMatching(expected)]);
  });
});

describe('moving and deleting', () => {
  it.each([
    ['delete-file', { path: 'src/shop.lisp' }],
    ['move-file', { path: 'src/shop.lisp', to: 'src/other.lisp' }],
  ])('G2 %s shows which file it is, its size and when it was written', async (name, args) => {
    const { size, mtimeMs } = await stat(at('src/shop.lisp'));
    const reply = client.call(name, args);
    const { target, actor } = await nextCard(bench.workbench.approvals);
    expect(target).toEqual({ absolutePath: at('src/shop.lisp'), size, modified: mtimeMs });
    bench.workbench.approvals.denyAllOf(actor.id, 'Later.');
    await reply;
  });
});

describe('P6 approved changes of files', () => {
  const undoOf = (): string => bench.workbench.approvals.view().decided[0]!.id;

  it('can be taken back: a write with its mode, a new file, a move, a delete', async () => {
    const { workbench } = bench;
    await chmod(at('src/shop.lisp'), 0o640);
    await asked('write-file', { path: 'src/shop.lisp', content: 'x' }, yes);
    expect(workbench.approvals.view().decided[0]?.undo).toBe('Puts the file back as it was');
    const write = undoOf();
    expect(await workbench.takeBack(write)).toMatchObject({ restored: true });
    expect([await text('src/shop.lisp'), (await stat(at('src/shop.lisp'))).mode & 0o777]).toEqual([SHOP, 0o640]);
    expect(workbench.approvals.view().decided[0]?.undo).toBeNull();
    await expect(workbench.takeBack(write)).rejects.toThrow(/not kept any more/);

    await asked('write-file', { path: 'fresh.txt', content: 'x' }, yes);
    await workbench.takeBack(undoOf());
    await expect(stat(at('fresh.txt'))).rejects.toThrow(/ENOENT/);

    await asked('move-file', { path: 'src/shop.lisp', to: 'lib/shop.lisp' }, yes);
    expect(await text('lib/shop.lisp')).toBe(SHOP);
    await workbench.takeBack(undoOf());
    expect(await text('src/shop.lisp')).toBe(SHOP);

    await asked('delete-file', { path: 'src/shop.lisp' }, yes);
    await expect(stat(at('src/shop.lisp'))).rejects.toThrow(/ENOENT/);
    await workbench.takeBack(undoOf());
    expect(await text('src/shop.lisp')).toBe(SHOP);
  });

  it('are not when the file was changed since: the texts of before and now are shown', async () => {
    await asked('write-file', { path: 'src/shop.lisp', content: 'agent' }, yes);
    await writeFile(at('src/shop.lisp'), 'the person');
    expect(await bench.workbench.takeBack(undoOf())).toMatchObject({
      restored: false,
      texts: { before: SHOP, written: 'agent', now: 'the person' },
    });
    expect(await text('src/shop.lisp')).toBe('the person');
  });

  it.each([
    ['move-file', { path: 'src/shop.lisp', to: 'src/shop.lisp' }, /exists already/],
    ['move-file', { path: 'src', to: 'other' }, /is a folder/],
    ['move-file', { path: 'none', to: 'other' }, /does not exist/],
    ['move-file', { path: 'src/shop.lisp', to: '../out' }, /lies outside/],
    ['delete-file', { path: 'src' }, /is a folder/],
    ['delete-file', { path: 'none' }, /does not exist/],
  ])('%s %j is refused without asking', async (name, args, expected) => {
    const { text: said, isError } = await client.call(name, args);
    expect([isError, said]).toEqual([true, expect.stringMatching(expected)]);
  });

  it('K3 a place that was taken meanwhile is not overwritten', async () => {
    const reply = client.call('move-file', { path: 'src/shop.lisp', to: 'taken.lisp' });
    await nextCard(bench.workbench.approvals);
    await writeFile(at('taken.lisp'), 'mine');
    await decideNext(bench.workbench.approvals, yes);
    expect(await reply).toMatchObject({ isError: true });
    expect([await text('taken.lisp'), await text('src/shop.lisp')]).toEqual(['mine', SHOP]);
  });
});

describe('a rule that the person gave on a card', () => {
  it('X37 answers for that file, for ten minutes, and each write can still be taken back', async () => {
    const { approvals, rules } = bench.workbench;
    await asked('write-file', { path: 'src/shop.lisp', content: '1' }, { decision: 'approved', remember: 'target' });
    expect(await client.call('write-file', { path: 'src/shop.lisp', content: '2' })).toMatchObject({ isError: false });
    expect(await text('src/shop.lisp')).toBe('2');
    expect(rules.granted.length).toBe(1);
    const other = client.call('write-file', { path: 'src/other.lisp', content: '2' });
    await decideNext(approvals, { decision: 'denied', reason: 'Not this.' });
    expect(await other).toMatchObject({ isError: true });
    rules.revoke(null);
  });
});

describe('looking at files', () => {
  it('list-directory lists down to a depth, and no link is followed out', async () => {
    await symlink('/etc', at('link')).catch(() => {});
    const { text: said } = await client.call('list-directory', { depth: 3 });
    expect(said).toMatch(/^src\/\n/m);
    expect(said).toMatch(new RegExp(`src/shop.lisp  ${SHOP.length} bytes`));
    expect(said).not.toMatch(/link\/./);
    expect((await client.call('list-directory', { path: '..' })).text).toMatch(/lies outside/);
  });

  it.each<[Record<string, unknown>, RegExp]>([
    [{ pattern: 'DISCOUNT' }, /^No line/],
    [{ pattern: 'discount', glob: '*.lisp' }, /^2 lines in 1 file\nsrc\/shop\.lisp:6: \(defmethod discount/],
    [
      { pattern: 'def(un|method)', regex: true, path: 'src', count: 1 },
      /^3 lines in 1 file\nsrc\/shop\.lisp:3: [^\n]*\n… 2 more, from start 1$/,
    ],
    [{ pattern: '(unclosed', regex: true }, /is no regular expression/],
    [{ pattern: 'x', glob: 'src/**/*.asd' }, /^There are no text files named src/],
  ])('search-files %j', async (args, expected) => {
    await writeFile(at('notes.txt'), 'nothing');
    expect((await client.call('search-files', args)).text).toMatch(expected);
  });

  it('K6 a pattern that backtracks without end is stopped', async () => {
    await writeFile(at('aaa.txt'), `${'a'.repeat(40)}!`);
    expect((await client.call('search-files', { pattern: '(a+)+$', regex: true })).text).toMatch(/takes too long/);
  });

  it('read-buffer and search-in-buffer take a file of the project where no window is', async () => {
    expect((await client.call('read-buffer', { buffer: 'src/shop.lisp', start: 3, end: 4 })).text).toBe(
      "src/shop.lisp, lines 3 to 4 of 11\n3\t(defun total (cart)\n4\t  (reduce #'+ cart))",
    );
    expect((await client.call('search-in-buffer', { buffer: 'src/shop.lisp', pattern: 'discount' })).text).toBe(
      'src/shop.lisp:6: (defmethod discount ((c integer) x)\n… 1 more: all_matches shows them',
    );
    expect((await client.call('read-buffer')).text).toMatch(/No buffer of the project is in front\. None is open/);
  });

  it.each<[string, string, Record<string, unknown>, RegExp]>([
    ['a folder', 'list-directory', { path: 'srcs' }, /srcs does not exist\. Near names: src\.$/],
    ['a file as a folder', 'list-directory', { path: 'src/shop.lisp' }, /is a file of \d+ bytes\. read-file shows/],
    ['a folder to search', 'search-files', { pattern: 'x', path: 'nowhere' }, /nowhere does not exist\.$/],
    ['a file by its name alone', 'read-file', { path: 'shop.lisp' }, /does not exist\. Near names: src\/shop\.lisp\.$/],
    ['a file of another system', 'read-file', { path: 'src\\shop.lisp' }, /Near names: src\/shop\.lisp\.$/],
    ['a file to load', 'load-file', { path: 'src/shp.lisp' }, /Near names: src\/shop\.lisp\.$/],
    ['a folder as a file', 'load-file', { path: 'src' }, /src is a folder\. list-directory shows what it holds\.$/],
    ['a buffer', 'read-buffer', { buffer: 'shop.lisp' }, /Near names: src\/shop\.lisp\.$/],
    [
      'lines in the wrong order',
      'read-buffer',
      { buffer: 'src/shop.lisp', start: 4, end: 2 },
      /comes before the first, 4/,
    ],
  ])('%s that is not there is an error with what was meant: %s', async (_what, name, args, expected) => {
    expect(await client.call(name, args)).toMatchObject({
      isError: true,
      text: expect.stringMatching(expected) as unknown,
    });
  });

  it('search-files looks into one file, and says what it passed over', async () => {
    await writeFile(at('huge.txt'), 'needle\n'.repeat(700_000));
    const found = async (args: Record<string, unknown>) => (await client.call('search-files', args)).text;
    expect(await found({ pattern: 'cart', path: 'src/shop.lisp' })).toMatch(/^2 lines in 1 file\nsrc\/shop\.lisp:3: /);
    expect(await found({ pattern: 'needle' })).toMatch(
      /matches needle; 1 file is too large to be searched \(huge\.txt\)\.$/,
    );
    expect(await found({ pattern: 'cart', glob: '*.cl' })).toBe('There are no text files named *.cl to search.');
    expect(await found({ pattern: 'discount', start: 9 })).toBe('There are 2 and none from 9 on.');
  });

  it('K1 read-buffer gives a page of a long file, and says where to read on', async () => {
    await writeFile(at('long.txt'), Array.from({ length: 120_000 }, (_, index) => `line ${index + 1}`).join('\n'));
    const next = 90_001;
    const { text: page } = await client.call('read-buffer', { buffer: 'long.txt', start: next });
    expect(page).toMatch(
      new RegExp(`^long.txt, lines ${next} to ${next + 1999} of 120000\\n${next}\\tline ${next}\\n`),
    );
    expect(page).toMatch(/\n… \d+ more lines, from start \d+$/);
  });

  it('a byte-order mark is not shown, kept by an edit, and named where it keeps a file from being loaded', async () => {
    await writeFile(at('marked.lisp'), '\uFEFF(defun marked () 1)\n');
    const { text: read } = await client.call('read-file', { path: 'marked.lisp' });
    expect(read).toBe('(defun marked () 1)\n');
    const edit = { path: 'marked.lisp', original: read, modified: '(defun marked () 2)\n', description: 'Two.' };
    expect((await asked('propose-file-edit', edit, yes)).text).toBe('Changed marked.lisp.');
    expect(await text('marked.lisp')).toBe('\uFEFF(defun marked () 2)\n');
    expect((await client.call('load-file', { path: 'marked.lisp' })).text).toMatch(
      /\n\nmarked\.lisp begins with a byte-order mark, which SBCL reads as a symbol: [^\n]*$/,
    );
  });
});
