/** Changing parts of an object in the inspector. */
import { describe, expect, it } from 'vitest';
import { inspectedImage, page, rows } from './inspected.fixture.ts';

const { lisp, inspected } = await inspectedImage();

describe('changing a part', () => {
  async function changed(code: string, part: string, value: string, more: { view?: string; remove?: boolean } = {}) {
    const { handle, page: before } = await inspected(code, { view: more.view ?? null });
    const { path } = before.parts.find(({ label }) => label === part) ?? {};
    if (path === null || path === undefined) throw new Error(`${part} is no place in ${rows(before).join(', ')}`);
    const fields = { ...page, view: more.view ?? null, handle, path, code: value, remove: more.remove ?? false };
    const { result, condition } = await lisp.run('set-part', fields);
    return result ? rows(result) : condition?.message;
  }

  it.each<[string, string, string, object, string[]]>([
    ['(list 1 2)', '1', '(* 5 *)', {}, ['0 = 1', '1 = 10']],
    ["(make-instance 'base)", 'ID', "'x", {}, ['ID = X', 'SHARED = "all"']],
    ['(make-point)', 'X', '5', {}, ['X = 5', 'Y = 2']],
    ['(vector 1 2)', '0', '"a"', {}, ['0 = "a"', '1 = 2']],
    ['(make-array 2 :initial-element 0)', '1', '7', {}, ['0 = 0', '1 = 7']],
    ['(let ((h (make-hash-table))) (setf (gethash 1 h) 2) h)', '1', '(1+ *)', {}, ['1 = 3']],
    ['(let ((h (make-hash-table))) (setf (gethash 1 h) 2) h)', '1', '', { remove: true }, []],
    ['(list :a 1)', ':A', '2', { view: 'property list' }, [':A = 2']],
    ['(list (cons 1 2))', '1', '9', { view: 'association list' }, ['1 = 9']],
    ['(counter)', '1', '50', {}, ['0 = 1', '1 = 50']],
    ['(cons 1 2)', 'CDR', 'nil', {}, ['0 = 1']],
    ["(make-instance 'base)", 'ID', '', { remove: true }, ['ID = #<unbound>', 'SHARED = "all"']],
  ])('A changed part of %s is changed: %s becomes %s [D7]', async (code, part, value, more, expected) => {
    await expect(changed(code, part, value, more)).resolves.toEqual(expected);
  });

  it("A change of a variable's part sets its global value [D7]", async () => {
    await changed("'*settings*", 'Value', '(+ * 1)');
    await expect(lisp.value('inspected::*settings*')).resolves.toBe('2');
  });

  it.each<[string, string, string, string]>([
    ['(make-point)', 'Y', '1', 'The slot Y is read-only.'],
    ['(make-point)', 'X', '"a"', 'The value\n  "a"\nis not of type\n  FIXNUM'],
    ["(make-instance 'broken)", 'WIDE', '10', 'The value\n  10\nis not of type\n  (INTEGER 0 9)'],
    ["'+limit+", 'Value', '1', '+LIMIT+ is a constant.'],
    ["'car", 'Function', "#'cdr", 'The package COMMON-LISP is locked.'],
    ['(counter)', '0', '2', 'The code never assigns this variable'],
    ["(symbol-name 'plain)", '0', '#\\A', 'literal'],
    ["(make-array 2 :element-type 'bit)", '0', '2', 'not of type'],
    ['(list 1)', '0', '(error "Not today.")', 'Not today.'],
    ['(list 1)', '0', '1 2', 'Enter one form. Wrap several forms in PROGN.'],
  ])('A change of a part of %s is refused: %s to %s [D7]', async (code, part, value, reason) => {
    const view = code.startsWith('(symbol-name') ? { view: 'characters' } : {};
    await expect(changed(code, part, value, view)).resolves.toContain(reason);
  });
});
