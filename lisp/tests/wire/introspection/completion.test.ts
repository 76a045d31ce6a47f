/** The answers that an editor needs while the user types: completions, and the lambda list of the enclosing call. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';

let lisp: TestImage;

beforeAll(async () => {
  lisp = await openTestImage();
});

afterAll(() => lisp.close());

const here = { context: 'test', package: null };

describe('completion', () => {
  const complete = (prefix: string, more: { text?: string; offset?: number; package?: string } = {}) =>
    lisp.ask('complete', { ...here, prefix, text: null, offset: null, limit: 3, ...more });

  it('A completion tells what could be inserted and where it matches [D4]', async () => {
    const { completions } = await complete('mvb');
    expect(completions[0]).toMatchObject({
      text: 'multiple-value-bind',
      kinds: ['macro'],
      lambdaList: '(VARS VALUE-FORM &BODY BODY)',
      package: 'COMMON-LISP',
      matches: [
        [0, 1],
        [9, 10],
        [15, 16],
      ],
    });
  });

  it('Completions offer locals first, counting as the editor does [D4]', async () => {
    const text = '(let ((😀 1) (total 2)) (+ tot';
    expect((await complete('tot', { text, offset: text.length })).completions[0]).toMatchObject({
      text: 'total',
      kinds: ['local-variable'],
      package: null,
    });
  });

  it('Completions offer the keywords of the call around first [D4]', async () => {
    const text = '(make-array 3 :in';
    expect((await complete(':in', { text, offset: text.length })).completions.slice(0, 2)).toMatchObject([
      { text: ':initial-element', kinds: ['keyword'] },
      { text: ':initial-contents', kinds: ['keyword'] },
    ]);
  });

  it('After a colon alone only the keywords of the call are offered, not those of the whole image [D4]', async () => {
    const text = '(make-array 3 :';
    const offered = await complete(':', { text, offset: text.length });
    expect(offered.completions.map((each) => each.text)).toContain(':adjustable');
    const none = '(format nil "~a" :';
    expect((await complete(':', { text: none, offset: none.length })).completions).toEqual([]);
  });

  it('The words of LOOP are offered where they are clauses of the innermost list [D4]', async () => {
    const best = async (text: string, prefix: string) =>
      (await complete(prefix, { text, offset: text.length })).completions[0];
    expect(await best('(loop for x in list coll', 'coll')).toMatchObject({ text: 'collect', kinds: ['loop-word'] });
    expect((await best('(loop for x in (lis coll', 'coll'))?.kinds).not.toContain('loop-word');
  });

  it('A completion says which package is unknown [D4]', async () => {
    await expect(complete('x', { package: 'nope' })).rejects.toThrow('"nope" does not designate any package');
  });

  it('Completions never show the engine [D4]', async () => {
    for (const prefix of ['lisp-workbench', 'lisp-workbench/protocol::', ':lisp-workbench'])
      await expect(complete(prefix)).resolves.toEqual({ completions: [] });
  });
});

describe('lambda list', () => {
  const arglist = (text: string) => lisp.ask('arglist', { ...here, text, offset: text.length });

  it('The lambda list is that of the innermost call, with the parameter that is being given [D4]', async () => {
    await lisp.evaluate('(defun pick (item &key (from 0) test) "Picks." (list item from test))');
    await expect(arglist('(let ((s "😀")) (pick #\\a :test ')).resolves.toEqual({
      found: true,
      operator: 'PICK',
      kind: 'function',
      lambdaList: '(ITEM &KEY (FROM 0) TEST)',
      parameters: [
        { text: 'ITEM', start: 1, end: 5 },
        { text: '(FROM 0)', start: 11, end: 19 },
        { text: 'TEST', start: 20, end: 24 },
      ],
      current: 2,
      documentation: 'Picks.',
    });
  });

  it('The lambda list is not there outside of calls [D4]', async () => {
    await expect(arglist('x')).resolves.toMatchObject({ found: false, parameters: [] });
  });
});
