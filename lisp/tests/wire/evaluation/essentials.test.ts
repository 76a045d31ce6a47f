/** Essential functions of Common Lisp that evaluated code breaks. The image must continue to run and answer. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engineSymbol, openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';

let test: TestImage;
let essential: string[];

beforeAll(async () => {
  test = await openTestImage();
  essential = await essentialNames();
});

async function essentialNames(): Promise<string[]> {
  const names = `(mapcar (lambda (each) (symbol-name (first each))) (symbol-value ${engineSymbol('*ESSENTIALS*')}))`;
  return (await test.value(`(format nil "~{~a~^ ~}" ${names})`)).slice(1, -1).split(' ');
}

/**
 * Redefines an essential function. Resolves with the outcome: the change is reported and reverted, the image ends and is replaced with a
 * new one, or there is no reaction.
 */
async function redefined(form: string, name: string): Promise<'told' | 'ended' | 'silent'> {
  try {
    const reply = await test.evaluate(`(sb-ext:without-package-locks ${form}) (list 1 "two")`);
    return reply.warnings.some(({ message }) => message.startsWith(`CL:${name} was redefined`)) ? 'told' : 'silent';
  } catch {
    await test.close();
    test = await openTestImage();
    return 'ended';
  }
}

afterAll(() => test.close());

/** The replacements for a function: garbage, an error, a function that returns NIL, and no definition. */
const REPLACEMENTS: Record<string, (name: string) => string> = {
  garbage: (name) => `(setf (fdefinition 'cl:${name}) (lambda (&rest r) r))`,
  'an error': (name) => `(setf (symbol-function 'cl:${name}) (lambda (&rest r) r (error "broken")))`,
  'a function that ends the form by itself': (name) => `(setf (fdefinition 'cl:${name}) (lambda (&rest r) r nil))`,
  nothing: (name) => `(fmakunbound 'cl:${name})`,
};

/** Functions that the image itself does not need. */
const OTHERS = ['TENTH', 'SEVENTH', 'Y-OR-N-P'];

/** Milliseconds after which a test counts as hung. Each test tries dozens of functions, some of which end the image. */
const GUARD_MS = 240_000;

describe('redefined functions of Common Lisp', () => {
  it('The functions of Common Lisp that the image needs are known, and others are not among them', () => {
    expect(essential.length).toBeGreaterThan(100);
    expect(essential).toEqual(
      expect.arrayContaining(['PRIN1-TO-STRING', 'PRINC', 'FORMAT', 'GETHASH', 'MAKE-ARRAY', 'READ-BYTE']),
    );
    expect(essential).not.toContain('SEVENTH');
  });

  it.each(Object.keys(REPLACEMENTS))(
    "Redefinitions of Common Lisp's functions to %s are answered at once, told, and put back",
    async (kind) => {
      const came: Record<string, string[]> = { told: [], ended: [], silent: [] };
      for (const name of OTHERS) expect(await redefined(REPLACEMENTS[kind]!(name), name)).not.toBe('ended');
      for (const name of essential) came[await redefined(REPLACEMENTS[kind]!(name), name)]!.push(name);
      expect(came['silent']).toEqual([]);
      // Redefining a function that SBCL itself needs constantly ends the process, as in plain SBCL.
      expect(came['ended']!.length).toBeLessThan(6);
      const value = await test.value(
        '(list (format nil "~a ~s" 1.5 :x) (gethash 1 (make-hash-table)) (princ-to-string "é"))',
      );
      expect(value).toBe('("1.5 :X" NIL "é")');
    },
    GUARD_MS,
  );

  it('Functions of Common Lisp that the image does not need keep their redefinition', async () => {
    await test.value('(sb-ext:without-package-locks (defun cl:seventh (l) (list :mine l)))');
    expect(await test.value('(funcall (intern "SEVENTH" :cl) (list 1))')).toBe('(:MINE (1))');
  });

  it('Functions of Common Lisp that the image needs are traced as any other', async () => {
    expect(await test.value('(trace prin1-to-string)')).toBe('(PRIN1-TO-STRING)');
    expect(await test.value('(trace)')).toBe('(PRIN1-TO-STRING)');
    await test.value('(untrace)');
  });
});
