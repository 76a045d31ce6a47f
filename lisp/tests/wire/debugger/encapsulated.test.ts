/** Functions with a breakpoint or a trace. SBCL reports the same facts about them as without one. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';

let test: TestImage;

beforeEach(async () => {
  test = await openTestImage();
}, 120_000);

afterEach(() => test.close());

/**
 * Returns SBCL's facts about a function and about calls of it, and the engine's facts about its arguments. Omits details that identify the
 * individual function object.
 */
async function told(name: string): Promise<string> {
  const { warnings } = await test.evaluate(`(defun caller-of-${name} () (list (${name}) (${name} 1 2)))`);
  const facts = await test.value(
    `(list (sb-introspect:function-type '${name}) (sb-introspect:function-lambda-list '${name})
       (documentation '${name} 'function) (remove-duplicates (mapcar #'first (sb-introspect:who-calls '${name})))
       (with-output-to-string (*standard-output*) (describe '${name}))
       (not (search "ENCAPSULATION" (with-output-to-string (*standard-output*) (disassemble '${name})))))`,
  );
  const parameters = await test.ask('arglist', {
    text: `(${name} `,
    offset: name.length + 2,
    package: 'CL-USER',
    context: 'test',
  });
  return JSON.stringify([warnings.map(({ message }) => message), facts, parameters.lambdaList]).replaceAll(
    new RegExp(name, 'gi'),
    'F',
  );
}

describe('a function with something around it', () => {
  it.each([
    ['a breakpoint', () => test.ask('set-breakpoint', { function: 'told', set: true })],
    ['a trace', () => test.ask('trace', { functions: ['told'], package: 'CL-USER', context: 'test', methods: false })],
  ])(
    'With %s a function is to SBCL what it is without: its type, and the warnings about its calls [D6]',
    async (_, put) => {
      await test.value('(require :sb-introspect)');
      for (const name of ['told', 'bare']) await test.value(`(defun ${name} (x &key (y 1)) "Tells." (list x y))`);
      const bare = await told('bare');
      expect(bare).toContain('is called with zero arguments, but wants at least one');
      expect(bare).toContain('odd number of keyword arguments');
      await put();
      expect(await told('told')).toBe(bare);
      const again = ['told', 'bare'].map((name) => test.value(`(defun ${name} (x y z) (list x y z))`));
      await Promise.all(again);
      const bareAgain = await told('bare');
      expect(bareAgain).toContain('is called with two arguments, but wants exactly three');
      expect(await told('told')).toBe(bareAgain);
    },
  );
});
