/**
 * Files that agents wrote without a request. The agent stays the author of the code in these files, no matter who loads it and from which
 * image.
 */
import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';

let bench: TestWorkbench;
let client: TestClient;
let cards: string[];

const at = (name: string): string => path.join(bench.project, name);

beforeEach(async () => {
  bench = await openTestWorkbench({ effects: null });
  const { approvals } = bench.workbench;
  approvals.setApprover('the test');
  client = await bench.connect('codex');
  bench.workbench.session.events.on('effect-settled', ({ operator, outcome, definedBy }) => {
    if (outcome === 'denied') cards.push(`${operator} of ${definedBy?.actor ?? 'nobody'}`);
  });
  cards = [];
  const seen = new Set<string>();
  approvals.events.on('changed', ({ waiting }) => {
    for (const { id, actor } of waiting) {
      if (seen.has(id)) continue;
      seen.add(id);
      approvals.denyAllOf(actor.id, 'Denied by the test');
    }
  });
  await writeFile(at('kept.txt'), 'kept');
  await mkdir(at('out'));
  await bench.workbench.changeSettings({ writableFolders: ['out'] });
});

afterEach(() => bench.close());

const asPerson = (code: string) => bench.asPerson(code);

const put = (name: string, text: string): string =>
  `(with-open-file (s "${at(name)}" :direction :output :if-exists :supersede) (prin1 '${text} s))`;

/** Makes the agent write a system without a request. */
const system = (): Promise<string> =>
  client.evaluate(
    `(progn ${put('out/unasked.asd', '(asdf:defsystem "unasked" :components ((:file "part")))')}
            ${put('out/part.lisp', `(defun unasked () (delete-file "${at('kept.txt')}"))`)} 1)`,
  );

const load = (): string => `(progn (asdf:load-asd "${at('out/unasked.asd')}") (asdf:load-system "unasked") (unasked))`;

describe('files that an agent wrote in a folder where nobody is asked', () => {
  it('A system that an agent wrote unasked is asked about when the person loads and calls it [issue 34.2]', async () => {
    expect(await system()).toBe('=> 1');
    expect(cards).toEqual([]);
    await asPerson(load());
    await expect.poll(() => [cards, existsSync(at('kept.txt'))]).toEqual([['DELETE-FILE of client:unknown'], true]);
  });

  it('A system that an agent wrote unasked is asked about in another life of the image, and from the cache [issue 34.2]', async () => {
    await system();
    await asPerson(load().replace(' (unasked))', ')'));
    await bench.workbench.session.restart();
    await asPerson(load());
    await expect.poll(() => [cards, existsSync(at('kept.txt'))]).toEqual([['DELETE-FILE of client:unknown'], true]);
  });

  it('A source file that an agent wrote unasked is asked about where the person loads it or has moved it [issue 34.2]', async () => {
    await client.evaluate(put('out/part.lisp', `(delete-file "${at('kept.txt')}")`));
    await rename(at('out/part.lisp'), at('moved.lisp'));
    await asPerson(`(load "${at('moved.lisp')}")`);
    await expect.poll(() => [cards, existsSync(at('kept.txt'))]).toEqual([['DELETE-FILE of client:unknown'], true]);
  });

  it('A file that the person put in the place of an agent’s is the person’s [issue 34.2]', async () => {
    await client.evaluate(put('out/part.lisp', '(defun unasked () 1)'));
    await writeFile(at('out/new.lisp'), `(delete-file "${at('kept.txt')}")`);
    await rename(at('out/new.lisp'), at('out/part.lisp'));
    await asPerson(`(load "${at('out/part.lisp')}")`);
    expect([cards, existsSync(at('kept.txt'))]).toEqual([[], false]);
  });
});
