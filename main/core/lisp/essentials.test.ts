/** Functions of Common Lisp that evaluated code breaks: there is an answer, and the image goes on. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestImage, type TestImage } from './image.fixture.ts';

let test: TestImage;
let essential: string[];

beforeAll(async () => {
  test = await openTestImage();
  essential = JSON.parse(
    (await test.value('(format nil "[~{~s~^,~}]" (mapcar (lambda (e) (symbol-name (first e))) lisp-workbench/evaluation::*essentials*))'))
      .slice(1, -1)
      .replaceAll('\\"', '"'),
  ) as string[];
});

afterAll(() => test.close());

/** What a function may be redefined to: garbage, an error, a loop, nothing at all. */
const REPLACEMENTS: Record<string, (name: string) => string> = {
  garbage: (name) => `(setf (fdefinition 'cl:${name}) (lambda (&rest r) r))`,
  'an error': (name) => `(setf (symbol-function 'cl:${name}) (lambda (&rest r) r (error "broken")))`,
  'a function that ends the form by itself': (name) => `(setf (fdefinition 'cl:${name}) (lambda (&rest r) r nil))`,
  nothing: (name) => `(fmakunbound 'cl:${name})`,
};

describe('Redefined functions of Common Lisp', () => {
  it('that the image needs are known, and others are not among them', () => {
    expect(essential.length).toBeGreaterThan(100);
    expect(essential).toEqual(expect.arrayContaining(['PRIN1-TO-STRING', 'PRINC', 'FORMAT', 'GETHASH', 'WRITE-STRING']));
    expect(essential).not.toContain('SEVENTH');
  });

  it.each(Object.keys(REPLACEMENTS))('to %s: each is answered, told, and put back', async (kind) => {
    const silent: string[] = [];
    for (const name of [...essential, 'READ-BYTE', 'MAKE-ARRAY']) {
      const reply = await test.evaluate(`(sb-ext:without-package-locks ${REPLACEMENTS[kind]!(name)}) (list 1 "two")`);
      const said = reply.status === 'ok' ? reply.values[0]?.text : reply.condition?.type;
      if (said === undefined || (essential.includes(name) && !reply.warnings.some(({ message }) => message.startsWith(`CL:${name} was redefined`))))
        silent.push(`${name}: ${said}`);
    }
    expect(silent).toEqual([]);
    expect(await test.value('(list (format nil "~a ~s" 1.5 :x) (gethash 1 (make-hash-table)) (princ-to-string "é"))')).toBe('("1.5 :X" NIL "é")');
  }, 240_000);

  it('keep their redefinition when the image does not need them', async () => {
    await test.value('(sb-ext:without-package-locks (defun cl:seventh (l) (list :mine l)))');
    expect(await test.value("(funcall 'seventh 1)")).toBe('(:MINE 1)');
  });

  it('are traced as any other', async () => {
    expect(await test.value('(trace prin1-to-string)')).toBe('(PRIN1-TO-STRING)');
    expect(await test.value('(trace)')).toBe('(PRIN1-TO-STRING)');
    await test.value('(untrace)');
  });
});
