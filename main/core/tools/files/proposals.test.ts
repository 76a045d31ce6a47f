/** The tool propose-file-edit: its hunks, its checks, and which hunks are written. */
import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ApprovalDecision } from '#contract/decisions/approval.ts';
import { decideNext, nextCard } from '#core/approvals/decide.fixture.ts';
import type { Reply } from '#core/workbench.fixture.ts';
import { projectFiles, SHOP, yes } from './project-files.fixture.ts';

const files = projectFiles();

const at = (name: string): string => path.join(files.bench.project, name);
const text = (name: string): Promise<string> => readFile(at(name), 'utf8');

async function asked(name: string, args: Record<string, unknown>, decision: ApprovalDecision): Promise<Reply> {
  const reply = files.client.call(name, args);
  await decideNext(files.bench.workbench.approvals, decision);
  return reply;
}

describe('propose-file-edit', () => {
  const whole = {
    path: 'src/shop.lisp',
    original: SHOP,
    modified:
      SHOP.replace("#'+ cart", "#'+ cart :initial-value 0").replace('(* 2 x)', '(* 3 x)') + '\n(defvar *x* 1)\n',
    description: 'Sums of nothing.',
  };

  it('The tool propose-file-edit shows a hunk for each definition, writes the ones that were taken, and tells what became of each [D13, X15]', async () => {
    const reply = files.client.call('propose-file-edit', whole);
    const { change, choosable, claim, editable, headline } = await nextCard(files.bench.workbench.approvals);
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
    await decideNext(files.bench.workbench.approvals, { decision: 'approved', hunks: [0, 2] });
    expect(await text('src/shop.lisp')).toBe(whole.modified.replace('(* 3 x)', '(* 2 x)'));
    const { text: said, isError } = await reply;
    expect(isError).toBe(false);
    expect(said).toMatch(/^Changed src\/shop\.lisp: the person accepted 2 of 3 hunks\.\n\[Left out by the person\]\n/);
    expect(said).toMatch(/-  \(\* 2 x\)\)\n\+  \(\* 3 x\)\)/);
  });

  it('An edit is checked for complete forms, their package and their callers in the image, and a fault is told [D13, X15]', async () => {
    await writeFile(
      at('src/calls.lisp'),
      '(in-package :cl-user)\n(defun total (cart) cart)\n(defun pay (cart) (total cart))\n(defun ship (cart) (total cart))\n',
    );
    await writeFile(at('src/calls-tests.lisp'), '(in-package :cl-user)\n(defun costs-nothing () (total nil))\n');
    for (const file of ['src/calls.lisp', 'src/calls-tests.lisp']) await files.client.call('load-file', { path: file });
    const cardOf = async (modified: string) => {
      const reply = files.client.call('propose-file-edit', { ...whole, modified });
      const card = await nextCard(files.bench.workbench.approvals);
      // Uses `denyAllOf`, because it does not count as a denial by the person: too many of those in a row would pause the client.
      files.bench.workbench.approvals.denyAllOf(card.actor.id, 'Later.');
      await reply;
      return card;
    };
    const one = await cardOf(SHOP.replace("#'+ cart", "#'+ cart :initial-value 0"));
    expect([one.headline, one.facts.checked]).toEqual([
      'Change total in src/shop.lisp',
      {
        words: '1 complete form, read in package CL-USER · called by pay, ship and 1 test',
        fault: false,
      },
    ]);
    const added = await cardOf(`${SHOP}\n(defvar *x* 1)\n`);
    expect([added.headline, added.facts.checked?.words]).toEqual([
      'Add *x* to src/shop.lisp',
      '1 complete form, read in package CL-USER',
    ]);
    const open = await cardOf(SHOP.replace("#'+ cart))", "#'+ cart)"));
    expect(open.facts.checked).toEqual({
      words: 'cannot be read: Line 3, column 1: (defun total (cart) is never closed. Insert ) at the end of line 4.',
      fault: true,
    });
    const other = await cardOf(`${SHOP.replace('(* 2 x)', '(* 3 x)')}\n(print :loaded)\n`);
    expect(other.headline).toBe('Change src/shop.lisp, 3 lines added, 1 removed');
    for (const file of ['src/calls.lisp', 'src/calls-tests.lisp']) await rm(at(file));
  });

  it('The card says at each hunk whether the image runs it already [X15]', async () => {
    await files.client.evaluate("(defun total (cart) (reduce #'+ cart :initial-value 0))");
    const reply = files.client.call('propose-file-edit', {
      ...whole,
      modified: whole.modified.replace(
        "(defun total (cart)\n  (reduce #'+ cart :initial-value 0))",
        "(defun total (cart) (reduce #'+ cart :initial-value 0))",
      ),
    });
    const { change } = await nextCard(files.bench.workbench.approvals);
    expect(change!.hunks.map(({ evidence }) => evidence?.words ?? null)).toEqual([
      'Image already runs this',
      'Image does not run this yet',
      'Image does not run this yet',
    ]);
    await decideNext(files.bench.workbench.approvals, { decision: 'denied', reason: 'Later.' });
    await reply;
  });

  it('The tool propose-file-edit runs what the person made of it, and says that it did [X12, X15]', async () => {
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
    ['a passage that is not there', { original: "(reduce #'-  cart)" }, /does not occur in/],
    [
      'a passage that differs in white space',
      { original: '(defun  total (cart)' },
      /resembles line 3; white space must match/,
    ],
    ['a passage that occurs twice', { original: '(defmethod discount ' }, /occurs 2 times/],
    ['a file that is not there', { path: 'src/none.lisp' }, /does not exist/],
    ['an empty passage of a file', { original: '' }, /Give the passage to replace/],
    ['no change', { modified: SHOP }, /changes nothing/],
    ['a path outside', { path: '../x' }, /is outside the project/],
  ])('The tool propose-file-edit refuses %s without asking [X15]', async (_name, change, expected) => {
    const { text: said, isError } = await files.client.call('propose-file-edit', { ...whole, ...change });
    expect([isError, said]).toEqual([true, expect.stringMatching(expected)]);
    expect(files.bench.workbench.approvals.view().waiting).toEqual([]);
  });

  it('An edit is drawn again when the file has changed since, and then writes what the card shows [K3, X15]', async () => {
    const { approvals } = files.bench.workbench;
    const reply = files.client.call('propose-file-edit', {
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

  it('The tool propose-file-edit makes a new file, and the folders on its way too [X15]', async () => {
    await asked(
      'propose-file-edit',
      { path: 'new/deep/a.lisp', original: '', modified: '(a)\n', description: 'Why not.' },
      yes,
    );
    expect(await text('new/deep/a.lisp')).toBe('(a)\n');
  });

  it('An edit keeps Latin-1, line ends of Windows, a byte-order mark and the mode [X15]', async () => {
    await writeFile(at('latin.lisp'), Buffer.from('(a)\r\n"caf\u00e9"\r\n(b)\r\n', 'latin1'));
    await chmod(at('latin.lisp'), 0o751);
    await asked(
      'propose-file-edit',
      { path: 'latin.lisp', original: '(a)\n"café"', modified: '(c)\n"thé"', description: 'Why not.' },
      yes,
    );
    expect(await readFile(at('latin.lisp'), 'latin1')).toBe('(c)\r\n"th\u00e9"\r\n(b)\r\n');
    expect((await stat(at('latin.lisp'))).mode & 0o777).toBe(0o751);
    // An edit that cannot be written causes no request.
    const wide = await files.client.call('propose-file-edit', {
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

  it('Nobody is asked about an edit of a read-only file [X15]', async () => {
    await writeFile(at('kept.lisp'), '(a)\n', { mode: 0o444 });
    for (const [tool, args] of [
      ['write-file', { path: 'kept.lisp', content: '(b)\n' }],
      ['propose-file-edit', { path: 'kept.lisp', original: '(a)', modified: '(b)', description: 'Why not.' }],
      ['edit-definition', { path: 'kept.lisp', definition: 'a', text: '(b)' }],
    ] as const) {
      const { isError, text: said } = await files.client.call(tool, args);
      expect([tool, isError, said]).toEqual([tool, true, expect.stringMatching(/read-only|no definition/)]);
    }
    expect(await text('kept.lisp')).toBe('(a)\n');
  });

  it('The tool propose-file-edit refuses what is no text [X15]', async () => {
    await writeFile(at('image.png'), Buffer.from([0x89, 0, 1, 2]));
    expect(
      (
        await files.client.call('propose-file-edit', {
          path: 'image.png',
          original: 'a',
          modified: 'b',
          description: 'Why not.',
        })
      ).text,
    ).toMatch(/it is not text/);
  });
});

describe('write-file over a file that exists', () => {
  const content =
    SHOP.replace("#'+ cart", "#'+ cart :initial-value 0").replace('(* 2 x)', '(* 3 x)') + '\n(defvar *x* 1)\n';

  it('The tool write-file shows a hunk for each definition, writes those that were taken, and reports the others [D13, X15]', async () => {
    const reply = files.client.call('write-file', { path: 'src/shop.lisp', content });
    const { change, choosable, headline, facts } = await nextCard(files.bench.workbench.approvals);
    expect([choosable, headline]).toEqual([true, `Write ${content.length} bytes to src/shop.lisp`]);
    expect(change!.hunks.map(({ title }) => title)).toEqual([
      'defun total',
      'defmethod discount (string t)',
      'defvar *x*',
    ]);
    expect(facts.checked?.words).toMatch(/^3 complete forms/);
    await decideNext(files.bench.workbench.approvals, { decision: 'approved', hunks: [0, 2] });
    const { text: said, isError } = await reply;
    expect(isError).toBe(false);
    expect(await text('src/shop.lisp')).toBe(content.replace('(* 3 x)', '(* 2 x)'));
    expect(said).toMatch(
      /^Wrote \d+ bytes to src\/shop\.lisp: the person accepted 2 of 3 hunks\.\n\[Left out by the person\]\n/,
    );
    expect(said).toMatch(/-  \(\* 2 x\)\)\n\+  \(\* 3 x\)\)\n.*Do not propose these again/s);
  });

  it('All hunks write the content as it is, and text that is no Lisp has hunks as well', async () => {
    await writeFile(at('notes.txt'), `one\n${'same\n'.repeat(20)}two\n`);
    const wanted = `ONE\n${'same\n'.repeat(20)}TWO\n`;
    const reply = files.client.call('write-file', { path: 'notes.txt', content: wanted });
    expect((await nextCard(files.bench.workbench.approvals)).change!.hunks).toHaveLength(2);
    await decideNext(files.bench.workbench.approvals, yes);
    expect((await reply).text).toBe('Wrote 108 bytes to notes.txt.');
    expect(await text('notes.txt')).toBe(wanted);
  });

  it('A new file is written whole', async () => {
    const reply = files.client.call('write-file', { path: 'src/fresh.lisp', content: SHOP });
    expect((await nextCard(files.bench.workbench.approvals)).choosable).toBe(false);
    await decideNext(files.bench.workbench.approvals, { decision: 'denied', reason: 'No' });
    await reply;
  });
});
