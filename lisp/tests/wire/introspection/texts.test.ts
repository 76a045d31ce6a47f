/** Texts about a name. Texts and lists about a name must not mention the engine. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';

let lisp: TestImage;

beforeAll(async () => {
  lisp = await openTestImage();
});

afterAll(() => lisp.close());

const here = { context: 'test', package: null };

describe('texts about a name', () => {
  beforeAll(async () => {
    await lisp.evaluate(
      `(defun told (x) "A function." x) (defvar told 1 "A variable.") (defun (setf told) (v x) "Sets." (list v x))
       (defclass rude () ()) (defmethod print-object ((it rude) stream) (error "No.")) (defvar *rude* (make-instance 'rude))`,
    );
  });

  it('A disassembly is given, bounded [D10, D11]', async () => {
    const ask = (symbol: string, limit: number) => lisp.ask('disassemble', { ...here, symbol, limit });
    const whole = await ask('told', 100_000);
    expect(whole).toMatchObject({ found: true, cut: 0 });
    expect(whole.text).toContain('; disassembly for TOLD');
    expect(whole.size).toBeGreaterThan(10);
    await expect(ask('told', 20)).resolves.toEqual({
      ...whole,
      text: whole.text.slice(0, 20),
      cut: whole.text.length - 20,
    });
    await expect(ask('if', 20)).resolves.toEqual({ found: false, text: '', size: null, cut: 0 });
  });

  it('A description is given, also of what cannot be printed [D10, D11]', async () => {
    const ask = (symbol: string) => lisp.ask('describe', { ...here, symbol, limit: 5000 });
    expect((await ask('told')).text).toContain('A variable.');
    expect((await ask('*rude*')).text).toContain('#<error SIMPLE-ERROR printing RUDE');
    await expect(ask('no-such-name')).resolves.toEqual({ found: false, text: '', cut: 0 });
  });

  it('The documentation of everything that a symbol names is given [D10, D11]', async () => {
    const { meanings } = await lisp.ask('describe-symbol', { ...here, symbol: 'told' });
    expect(meanings.map(({ kind, documentation }) => [kind, documentation])).toEqual([
      ['function', 'A function.'],
      ['setf function', 'Sets.'],
      ['variable', 'A variable.'],
    ]);
  });
});

describe('nothing of the engine', () => {
  it.each(['print-object', 'find-symbol', 'make-instance', 't', 'structure-object', '*package*'])(
    'Nothing of the engine shows in what is told about %s',
    async (symbol) => {
      const place = { ...here, symbol };
      const limit = 1000;
      const replies = [
        await lisp.ask('find-definition', place),
        await lisp.ask('class', place),
        await lisp.ask('generic-function', { ...place, setf: false }),
        await lisp.ask('describe', { ...place, limit: 100_000 }),
        await lisp.ask('cross-references', { ...place, relation: 'called-by', limit }),
        await lisp.ask('cross-references', { ...place, relation: 'callers-by-object', limit }),
        await lisp.ask('cross-references', { ...place, relation: 'references', limit }),
        await lisp.ask('cross-references', { ...place, relation: 'binds', limit }),
        await lisp.ask('cross-references', { ...place, relation: 'specializes', limit }),
        await lisp.ask('apropos', {
          pattern: symbol,
          package: null,
          externalOnly: false,
          kinds: null,
          documentation: true,
          limit,
        }),
      ];
      expect(JSON.stringify(replies)).not.toMatch(/lisp-workbench|\/introspection\//i);
    },
  );
});
