/** Finding the parts of an object that contain a text. The image performs the search. */
import { describe, expect, it } from 'vitest';
import type { OperationReply } from '#core/lisp/messages.ts';
import { inspectedImage, page } from './inspected.fixture.ts';

const { lisp, inspected } = await inspectedImage();

const WANTED = { view: null, from: 0, milliseconds: 1000, package: 'INSPECTED' };

/** Searches for a text until all parts have been examined. */
async function found(code: string, text: string, view: string | null = null) {
  const { handle } = await inspected(code, { view });
  const indexes: number[] = [];
  for (let from: number | null = 0; from !== null;) {
    const look: OperationReply<'find-parts'> = await lisp.ask('find-parts', { ...WANTED, handle, view, text, from });
    expect([look.expired, look.problem]).toEqual([false, null]);
    indexes.push(...look.found);
    from = look.next;
  }
  const { parts } = await lisp.ask('inspect-parts', {
    handle,
    holder: page.holder,
    view,
    indexes: indexes.slice(0, 20),
    package: 'INSPECTED',
  });
  return { handle, indexes, rows: parts.map((part) => part && `${part.label} = ${part.text}`) };
}

describe('finding parts', () => {
  it.each<[string, string, string | null, string[]]>([
    ['(list :tea "Cup" 12 #\\c)', 'C', null, ['1 = "Cup"', '3 = #\\c']],
    ['(vector 7 -70 1/7 0.7 8)', '7', null, ['0 = 7', '1 = -70', '2 = 1/7', '3 = 0.7']],
    ['(vector most-negative-fixnum)', String(-(2n ** 62n)), null, ['0 = -4611686018427387904']],
    ['(make-instance (quote broken))', 'id', null, ['ID = 7', 'WIDE = 3']],
    ['(make-instance (quote broken))', 'error', null, ['BAD = #<error SIMPLE-ERROR>']],
    ['(make-instance (quote broken))', 'unbound', null, ['EMPTY = #<unbound>']],
    ['(list (make-instance (quote rude)) 1)', 'rude', null, ['0 = #<error SIMPLE-ERROR printing RUDE: No.>']],
    ['(format nil "one~%two~%three")', 't', 'lines', ['2 = two', '3 = three']],
    ['(list :a 1 :b 21)', '1', 'property list', [':A = 1', ':B = 21']],
    ['(vector "Äpfel" (coerce "base" (quote simple-base-string)) "𝒳")', 'äPF', null, ['0 = "Äpfel"']],
    [
      '(vector (make-array 3 :element-type (quote character) :adjustable t :initial-contents "abc"))',
      'BC',
      null,
      ['0 = "abc"'],
    ],
    ['(list "a\\"b")', '\\"', null, ['0 = "a\\"b"']],
    ['(list 1 2)', 'nothing', null, []],
  ])('The parts of %s that have %s in them are found [D7]', async (code, text, view, expected) => {
    const { rows } = await found(code, text, view);
    expect(rows).toEqual(expected);
  });

  it('A look into a million entries ends in time, tells how far it came, and goes on to the end [D7]', async () => {
    const { handle } = await inspected(
      '(let ((h (make-hash-table :size 1000000))) (dotimes (i 1000000 h) (setf (gethash i h) (* 2 i))))',
    );
    const look = (from: number, text: string, milliseconds: number) =>
      lisp.ask('find-parts', { ...WANTED, handle, text, from, milliseconds });
    const first = await look(0, '1999998', 1);
    expect([first.total, first.next !== null && first.next < 1_000_000]).toEqual([1_000_000, true]);
    const indexes = [...first.found];
    let looks = 0;
    for (let from = first.next; from !== null; looks += 1) {
      const { found: more, next } = await look(from, '1999998', 1000);
      expect(next === null || next > from).toBe(true);
      indexes.push(...more);
      from = next;
    }
    const { parts } = await lisp.ask('inspect-parts', { handle, holder: 'p', view: null, indexes, package: null });
    expect(parts.map((part) => part && [part.label, part.text])).toEqual([['999999', '1999998']]);
    const many = await look(0, '1', 1000);
    expect(many.found.length).toBeLessThanOrEqual(10_000);
    expect(many.next).not.toBeNull();
  });

  it('The parts of a list are counted up to a million, and only beyond that there are said to be more [D7]', async () => {
    const exact = await inspected('(make-list 1000000)');
    expect([exact.page.total, exact.page.inexact]).toEqual([1_000_000, false]);
    const longer = await inspected('(make-list 1000001)');
    expect([longer.page.total, longer.page.inexact]).toEqual([1_000_000, true]);
  });

  it('Nothing is held for parts that were looked at, and a handle that is gone says so [D7]', async () => {
    const { handle } = await inspected('(loop for i below 3000 collect (list i))');
    await lisp.ask('find-parts', { ...WANTED, handle, text: '29' });
    const { handle: next } = await inspected('1');
    expect(next - handle).toBeLessThan(200);
    expect(await lisp.ask('find-parts', { ...WANTED, handle: 1, text: '29' })).toMatchObject({ expired: true });
    expect(
      await lisp.ask('inspect-parts', { handle: 1, holder: 'p', view: null, indexes: [0], package: null }),
    ).toEqual({ expired: true, parts: [] });
  });

  it('A part that is not there any more when it is asked for by its number is none [D7]', async () => {
    const { handle } = await inspected('(defvar *shrinking* (make-array 3 :fill-pointer 3 :initial-element 5))');
    const list = await inspected('*shrinking*');
    await lisp.value('(setf (fill-pointer inspected::*shrinking*) 1)');
    const { parts } = await lisp.ask('inspect-parts', {
      handle: list.handle,
      holder: 'p',
      view: 'elements',
      indexes: [0, 2],
      package: null,
    });
    expect(handle).not.toBe(list.handle);
    expect(parts.map((part) => part?.text ?? null)).toEqual(['5', null]);
  });
});
