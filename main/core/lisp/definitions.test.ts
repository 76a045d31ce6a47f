/** Definition events, their undo, their state against files and their export, in a real image. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestImage, type TestImage } from './image.fixture.ts';

let test: TestImage;
beforeAll(async () => {
  test = await openTestImage();
});
afterAll(() => test.close());

const history = async (name: string) =>
  (await test.ask('definition-history', { package: 'COMMON-LISP-USER', name, evaluation: null, limit: 10 })).events;

describe('definition-history', () => {
  it('P1 tells each definition with its author, place and text', async () => {
    await test.evaluate('(defun area (r) (* r r))\n(defun area (r) (* 3 r r))', {
      actor: 'client:a',
      evaluation: 'first',
      source: { file: '/shop/area.lisp', offset: 10, line: 3 },
    });
    const told = await test.next('definition-events');
    expect(told).toMatchObject({ evaluation: 'first', more: 0, events: [{ name: 'AREA' }, { name: 'AREA' }] });
    const [latest, first] = await history('area');
    expect(latest).toEqual({
      id: first!.id + 1,
      kind: 'function',
      name: 'AREA',
      package: 'COMMON-LISP-USER',
      operation: 'redefined',
      actor: 'client:a',
      evaluation: 'first',
      time: expect.any(Number),
      source: { file: '/shop/area.lisp', offset: 35, line: 4 },
      hasText: true,
      undoes: null,
      text: '(defun area (r) (* 3 r r))',
      readPackage: 'COMMON-LISP-USER',
    });
    const { definitions } = await test.ask('list-definitions', { context: 'test', package: null });
    expect(definitions.find(({ name }) => name === 'AREA')).toMatchObject({
      actor: 'client:a',
      event: latest!.id,
      evaluation: 'first',
      time: latest!.time,
    });
  });
});

describe('undo-definitions', () => {
  it('P3 says before and does after, and its undo is a redo', async () => {
    await test.evaluate('(defun price () 1)');
    await test.evaluate('(defun price () 2)', { actor: 'client:a' });
    const [latest] = await history('price');
    const undo = async (dry: boolean, id: number) => {
      const { result } = await test.run('undo-definitions', { events: [id], of: null, dry });
      return result!.undone[0]!;
    };
    const label = await undo(true, latest!.id);
    expect(label).toEqual({
      id: latest!.id,
      name: 'PRICE',
      kind: 'function',
      package: 'COMMON-LISP-USER',
      label: 'exact',
      why: null,
      callers: [],
      instances: null,
      changedSince: null,
      done: false,
      message: null,
      event: null,
    });
    expect(await test.value('(price)')).toBe('2');
    const done = await undo(false, latest!.id);
    expect(done).toEqual({ ...label, done: true, event: latest!.id + 1 });
    expect(await test.value('(price)')).toBe('1');
    const [event] = await history('price');
    expect(event).toMatchObject({ undoes: latest!.id, actor: 'person', text: '(defun price () 1)' });
    expect(await undo(false, event!.id)).toMatchObject({ done: true });
    expect(await test.value('(price)')).toBe('2');
  });

  it('P3 tells what it no longer knows', async () => {
    const { result } = await test.run('undo-definitions', { events: [999_999], of: null, dry: false });
    expect(result!.undone).toMatchObject([{ id: 999_999, label: 'impossible', done: false, kind: null }]);
  });
});
