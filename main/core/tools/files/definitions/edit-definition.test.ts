/** The tool edit-definition, and what the answer to an edit says about the image. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ApprovalDecision } from '#contract/decisions/approval.ts';
import { decideNext } from '#core/approvals/decide.fixture.ts';
import type { Reply } from '#core/workbench.fixture.ts';
import { projectFiles, SHOP, yes } from '../project-files.fixture.ts';

const files = projectFiles();

const at = (name: string): string => path.join(files.bench.project, name);
const text = (name: string): Promise<string> => readFile(at(name), 'utf8');

async function asked(name: string, args: Record<string, unknown>, decision: ApprovalDecision): Promise<Reply> {
  const reply = files.client.call(name, args);
  await decideNext(files.bench.workbench.approvals, decision);
  return reply;
}

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
  ])('The tool edit-definition finds %s by %s %j', async (definition, form, more, expected) => {
    await asked('edit-definition', edit(definition, form, more), yes);
    expect(await text('src/shop.lisp')).toBe(expected);
  });

  it.each<[string, string, RegExp]>([
    [
      'discount',
      '(defmethod discount (a) 1)',
      /names 2 forms of src\/shop\.lisp: defmethod discount \(integer t\) \(line 6\)/,
    ],
    ['totl', '(a)', /has no definition totl\. Near: defun total\./],
    ['defun zebra', '(a)', /has no definition defun zebra\. No name is similar\. The file defines: defun total/],
    ['tot', '(a)', /Near: defun total/],
    ['total', '(defun total (c) c', /lacks 1 closing parenthesis/],
    ['total', '(defun total (c) c))', /an extra closing parenthesis in line 1/],
    ['total', '(defun total (c) "c)', /lacks/],
    ['total', '(a) (b)', /must be one top-level form; it has 2/],
    ['total', ';; nothing', /it has 0/],
  ])('The tool edit-definition refuses %s by %s without asking', async (definition, form, expected) => {
    const { text: said, isError } = await files.client.call('edit-definition', edit(definition, form));
    expect([isError, said]).toEqual([true, expect.stringMatching(expected)]);
  });
});

describe('an edit and the image', () => {
  it('The answer to an edit says whether the image lacks the definition, has the old one, or has the same one', async () => {
    await files.client.evaluate('(defpackage :kiosk (:use :cl))');
    await writeFile(at('kiosk.lisp'), '(in-package :kiosk)\n\n(defun price () 1)\n');
    await files.client.call('load-file', { path: 'kiosk.lisp' });
    const edit = async (form: string, more = {}) => {
      const args = { path: 'kiosk.lisp', definition: 'price', text: form, ...more };
      return (await asked('edit-definition', args, yes)).text.split('\n').at(-1);
    };
    expect(await edit('(defun rebate () 2)', { place: 'after' })).toMatch(/^The image does not have it yet: load-file/);
    expect(await edit('(defun price () 3)')).toMatch(/^The image still has the old definition: load-file/);
    const unknown = { path: 'kiosk.lisp', definition: 'price', text: '(defun kiosc::price () 4)' };
    expect(await files.client.call('edit-definition', unknown)).toMatchObject({
      isError: true,
      text: 'Tool error: The text defines kiosc::price. Package kiosc does not exist. Did you mean KIOSK?',
    });
  });
});
