import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';

let bench: TestWorkbench;
let client: TestClient;

beforeAll(async () => {
  bench = await openTestWorkbench();
  client = await bench.connect();
  await client.evaluate(`
    (defclass item () ((price :initform 7) (tags :initform (list :a :b)) missing))
    (defvar *item* (make-instance 'item))
    (defvar *numbers* (loop for i below 120 collect i))
    (defvar *table* (let ((table (make-hash-table))) (setf (gethash :key table) "value") table))
    (defclass endless () ()) (defmethod print-object ((it endless) stream) (loop))
    (defvar *endless* (make-instance 'endless))
    (define-symbol-macro *trap* (error "evaluated"))`);
}, 120_000);

afterAll(() => bench.close());

async function inspect(args: Record<string, unknown>) {
  const reply = await client.client.callTool({
    name: 'inspect-object',
    arguments: args,
    _meta: { 'lisp-workbench/data': true },
  });
  return {
    text: (reply.content as { text: string }[])[0]!.text,
    isError: reply.isError,
    data: reply.structuredContent as {
      handle: number;
      kind: string;
      total: number;
      more: boolean;
      parts: { label: string; text: string; handle: number | null }[];
    },
  };
}

describe('inspect-object', () => {
  it("The tool inspect-object shows the slots of a variable's value, with handles to go on [D7]", async () => {
    const { text, data } = await inspect({ expression: '*item*' });
    expect(text).toMatch(/^An ITEM \(handle \d+\)\nType: ITEM\nPrinted: #<ITEM/);
    expect(text).toMatch(/- PRICE: 7 \(FIXNUM, handle \d+\)/);
    expect(text).toMatch(/- MISSING: #<unbound>/);
    const tags = data.parts.find(({ label }) => label === 'TAGS')!;
    const inner = await inspect({ handle: tags.handle });
    expect(inner.data).toMatchObject({ kind: 'list', total: 2, parts: [{ text: ':A' }, { text: ':B' }] });
  });

  it('The printed text of an object is short beside its parts, and is not said again with the next ones [issue 35.1]', async () => {
    await client.evaluate('(defvar *wide* (loop repeat 110 collect "abcdefghij"))');
    const first = await inspect({ expression: '*wide*' });
    expect(/^Printed: ([^]*) … \d+ characters not shown$/m.exec(first.text)![1]!.length).toBeLessThanOrEqual(300);
    expect((await inspect({ handle: first.data.handle, start: 100, count: 3 })).text).not.toContain('Printed:');
    expect((await inspect({ expression: '*endless*' })).text).toContain('Printed:');
  });

  it('The tool inspect-object pages, and says how to get the rest [D7]', async () => {
    const first = await inspect({ expression: '*numbers*' });
    expect(first.text).toContain('[elements] 0 to 49 of 120');
    const { handle } = first.data;
    expect(first.text).toMatch(new RegExp(`\\n… more: call again with handle ${handle} and start 50$`));
    const last = await inspect({ handle, start: 100 });
    expect(last.data.parts.map(({ text }) => text)).toEqual(Array.from({ length: 20 }, (_, i) => String(100 + i)));
    expect(last.text).not.toContain('more:');
    expect((await inspect({ handle, start: 500 })).text).toContain('No parts from 500; the object has 120.');
  });

  it('The tool inspect-object takes the last value of the connection as * [D7]', async () => {
    await client.evaluate('(vector 1 2 3)');
    expect((await inspect({ expression: '*' })).data).toMatchObject({ kind: 'array', total: 3 });
    expect((await (await bench.connect()).call('inspect-object', { expression: '*' })).text).toMatch(/Type: NULL/);
  });

  it('The tool inspect-object takes symbols and functions [D7]', async () => {
    expect((await inspect({ expression: "'item" })).data.kind).toBe('symbol');
    expect((await inspect({ expression: "#'car" })).data.kind).toBe('function');
    expect((await inspect({ expression: '*table*', count: 1 })).text).toMatch(
      /:KEY: "value" \(.*key handle \d+, handle \d+\)/,
    );
  });

  it('The tool inspect-object evaluates nothing: a symbol macro is a symbol, and a form is refused [D7]', async () => {
    expect((await inspect({ expression: '*trap*' })).data.kind).toBe('symbol');
    for (const expression of ['(error "evaluated")', '#.(error "evaluated")', "'(1 2)", '"text"'])
      expect(await inspect({ expression })).toMatchObject({ isError: true });
    expect((await inspect({ expression: '(list 1)' })).text).toBe(
      '(list 1) is not a name, and this tool evaluates nothing. Evaluate it with evaluate-lisp, then inspect `*`.',
    );
    expect((await client.call('eval-form', { form: '(find-symbol "NEVER-SEEN")' })).text).toBe('nil');
  });

  it('A print method that loops does not hinder inspect-object [D7]', async () => {
    expect((await inspect({ expression: '*endless*' })).text).toMatch(/^An ENDLESS \(handle \d+\)/);
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    [
      'a name that is not there [X42]',
      { expression: '*itme*' },
      /^Symbol \*ITME\* not found in package COMMON-LISP-USER\. Did you mean \*ITEM\*/,
    ],
    [
      'a prefix that is not there',
      { expression: 'cl-usr:*x*' },
      /^Package cl-usr does not exist\. Did you mean CL-USER/,
    ],
    ['a package that is not there', { expression: '*item*', package: 'nowhere' }, /nowhere/],
    ['a function that is not there', { expression: "#'*item*" }, /\*ITEM\* does not name a function/],
    ['a handle of nobody', { handle: 999_999 }, /^The handle 999999 is unknown or no longer valid on this connection/],
    ['nothing to inspect', {}, /^Tool error: Give either/],
    ['both', { expression: '*item*', handle: 1 }, /^Tool error: Give either/],
    [
      'a view that is not there',
      { expression: '*item*', view: 'nonsense' },
      /^There is no view nonsense\. Views: slots/,
    ],
  ])('The tool inspect-object fails for %s', async (_, args, answer) => {
    expect(await inspect(args)).toMatchObject({ isError: true, text: expect.stringMatching(answer) as unknown });
  });

  it('A handle belongs to its connection, and goes with the image [K6, D7]', async () => {
    const { handle } = (await inspect({ expression: '*item*' })).data;
    const other = await bench.connect();
    expect(await other.call('inspect-object', { handle })).toMatchObject({ isError: true });
    await client.call('reset-session');
    expect((await inspect({ handle })).text).toMatch(/^The handle \d+ is unknown or no longer valid/);
  });

  it('Only the latest handles of inspect-object are kept [K6, D7]', async () => {
    await client.evaluate('(defvar *many* (loop for i below 200 collect i))');
    const { handle } = (await inspect({ expression: '*many*', count: 200 })).data;
    for (let count = 0; count < 12; count += 1) await inspect({ expression: '*many*', count: 200 });
    expect((await inspect({ handle })).text).toMatch(/^The handle \d+ is unknown or no longer valid/);
  });
});
