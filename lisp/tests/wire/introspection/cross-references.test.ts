/** The operation `cross-references`, which returns the places that mention a definition. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OperationRequest } from '#core/lisp/messages.ts';
import { SHOP, shopImage } from './shop.fixture.ts';

const { lisp } = await shopImage();

type Relation = OperationRequest<'cross-references'>['relation'];

const here = { context: 'test', package: null };

describe('cross-references', () => {
  const references = async (relation: Relation, symbol: string, pkg: string | null = 'shop') => {
    const { references: found } = await lisp.ask('cross-references', {
      context: 'test',
      package: pkg,
      symbol,
      relation,
      limit: 50,
    });
    return found.map(({ kind, name, source, end }) => {
      if (source === null) return `${kind} ${name}`;
      const text = SHOP.slice(0, source.offset!);
      const column = source.offset! - text.lastIndexOf('\n') - 1;
      return `${kind} ${name} ${source.line}:${column} ${SHOP.slice(source.offset!, end!)}`;
    });
  };

  it('Cross-references point at the mention itself [D4, D10]', async () => {
    expect(await references('called-by', 'price')).toEqual([
      'method DISCOUNT (STRING T) 12:37 price',
      'method DISCOUNT :AROUND (SYMBOL T) 14:27 price',
      'method DISCOUNT (SYMBOL T) 15:58 price',
      'method DISCOUNT (SYMBOL T) 15:65 price',
      'function SELL 26:60 price',
      'function TOTAL 9:81 price',
    ]);
    expect(await references('references', '*tax*')).toEqual([
      'function PRICE 9:30 *tax*',
      "function SELL 26:15 (with-till (tax) (let ((*tax* 1)) (list tax (price 2) (make-instance 'tool))))",
    ]);
    expect(await references('binds', '*tax*')).toEqual(['function SELL 26:39 *tax*']);
    expect(await references('sets', '*tax*')).toEqual(['method DISCOUNT (SYMBOL T) 15:51 *tax*']);
    expect(await references('macroexpands', 'with-till')).toEqual(['function SELL 26:16 with-till']);
    expect(await references('specializes', 'item')).toEqual([
      'method WEIGH (ITEM) 27:25 item',
      'reader-method WEIGHT (ITEM) 17:19 (weight :initarg :weight :accessor weight)',
      'writer-method (SETF WEIGHT) (T ITEM) 17:19 (weight :initarg :weight :accessor weight)',
    ]);
    expect(await references('calls', 'sell')).toEqual(['function PRICE 26:60 price']);
    expect(await references('callers-by-object', 'price')).toEqual([
      'method DISCOUNT (STRING T) 12:37 price',
      'method DISCOUNT :AROUND (SYMBOL T) 14:27 price',
      'method DISCOUNT (SYMBOL T) 15:58 price',
      'function SELL 26:60 price',
      'function TOTAL 9:81 price',
    ]);
  });

  it('Cross-references point at the mention in what was evaluated from a file [D4, D10]', async () => {
    const text = '(defun callee ()) (defun twice (callee) (list (callee) callee (callee)))';
    const other = path.join(lisp.directory, 'twice.lisp');
    await writeFile(other, `;; 😀\n${text}`);
    await lisp.evaluate(text, { source: { file: other, offset: 6, line: 2 }, evaluation: 'twice' });
    const { references: found } = await lisp.ask('cross-references', {
      ...here,
      symbol: 'callee',
      relation: 'called-by',
      limit: 5,
    });
    expect(found).toEqual(
      [53, 69].map((offset) => ({
        kind: 'function',
        name: 'TWICE',
        source: { file: other, offset, line: 2 },
        end: offset + 6,
        snippet: text,
        evaluation: 'twice',
        actor: 'person',
        why: null,
      })),
    );
  });

  it('Cross-references are bounded, and those of SBCL say why they have no source location [D4, D10]', async () => {
    const reply = await lisp.ask('cross-references', { ...here, symbol: 'car', relation: 'called-by', limit: 2 });
    expect(reply.total).toBeGreaterThan(100);
    expect(reply.references).toHaveLength(2);
    expect(JSON.stringify(reply)).not.toMatch(/lisp-workbench/i);
    await expect(
      lisp.ask('cross-references', { ...here, symbol: 'no-such-name', relation: 'calls', limit: 2 }),
    ).resolves.toEqual({ found: false, symbol: 'no-such-name', references: [], total: 0, implementation: 0 });
  });

  it('Callers in code of the user come first, those of the implementation last and counted, whatever they are named after', async () => {
    const file = path.join(lisp.directory, 'first.lisp');
    await writeFile(
      file,
      `(defclass ring () ())
(defmethod print-object ((ring ring) stream) (write-string (reverse "gnir") stream))
(defun backwards (list) (reverse list))
`,
    );
    await lisp.value(`(load (compile-file "${file}"))`);
    const reply = await lisp.ask('cross-references', { ...here, symbol: 'reverse', relation: 'called-by', limit: 3 });
    expect(reply.references.map(({ name, source }) => `${name} ${source?.line}`)).toEqual([
      'BACKWARDS 3',
      'PRINT-OBJECT (RING T) 2',
      expect.stringMatching(/^(?:SB-|ASDF|UIOP)/) as unknown,
    ]);
    expect(reply.implementation).toBe(reply.total - 2);
  });
});
