/** Folders in which code may write without an approval. No link may lead out of them. */
import { existsSync } from 'node:fs';
import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AGENT, decideAll } from '../effects.fixture.ts';
import { DENIED, openInFolder, type ImageInFolder } from './folder.fixture.ts';

let image: ImageInFolder['image'];
let folder: ImageInFolder['folder'];
let cache: ImageInFolder['cache'];
let at: ImageInFolder['at'];
let deleting: ImageInFolder['deleting'];
let close: ImageInFolder['close'];

beforeEach(async () => {
  ({ image, folder, cache, at, deleting, close } = await openInFolder());
});

afterEach(() => close());

describe('where writing is allowed', () => {
  it('The cache of compiled files is recorded once, not asked for [G4]', async () => {
    await writeFile(at('shop.asd'), '(defsystem "shop" :components ((:file "a") (:file "b")))');
    await writeFile(at('a.lisp'), '(defun a () 1)');
    await writeFile(at('b.lisp'), '(defun b () 2)');
    const asked = decideAll(image, 'deny');
    const { status, effects } = await image.evaluate('(asdf:load-system "shop")', AGENT);
    expect([status, asked]).toEqual(['ok', []]);
    expect(effects).toMatchObject([{ kind: 'write', outcome: 'recorded' }]);
    expect(effects[0]!.target.startsWith(`${cache}/common-lisp/`)).toBe(true);
    expect(await image.next('effect-recorded')).toMatchObject({ outcome: 'recorded', kind: 'write' });
    expect(await image.value('(b)')).toBe('2');
  });

  it('An effect of a system while it is loaded is asked for, and names the system [G1]', async () => {
    await writeFile(at('shop.asd'), '(defsystem "shop" :components ((:file "a")))');
    await writeFile(at('a.lisp'), `(defun a () 1) ${deleting('file')}`);
    const asked = decideAll(image, 'deny');
    const reply = await image.image.request('load-system', {
      system: 'shop',
      evaluation: 'loading',
      context: 'agent',
      actor: 'client:tester',
      outputLimit: 1000,
      onError: 'report',
      guard: true,
    });
    expect(reply.condition?.type).toBe(DENIED);
    expect(asked.map(({ system, target }) => [system, target])).toEqual([['shop', at('file')]]);
    expect(reply.effects.map(({ outcome }) => outcome)).toContain('denied');
  });

  it('The cache is no way out: links in it are followed, and it stays where it was [G4]', async () => {
    const inCache = path.join(cache, 'common-lisp');
    decideAll(image, 'deny');
    await image.evaluate('(ensure-directories-exist (asdf:apply-output-translations "/x/y.fasl"))');
    const compiled = JSON.parse(
      await image.value('(namestring (asdf:apply-output-translations "/x/y.fasl"))'),
    ) as string;
    expect(compiled.startsWith(inCache)).toBe(true);
    await symlink(at('file'), path.join(path.dirname(compiled), 'link'));
    const through = `(with-open-file (s "${path.dirname(compiled)}/link" :direction :output :if-exists :append) (write-string "x" s))`;
    expect((await image.evaluate(through, AGENT)).condition?.type).toBe(DENIED);
    const moved = `(progn (setf uiop:*user-cache* #p"${folder}/") (asdf:clear-configuration) ${deleting('file')})`;
    expect((await image.evaluate(moved, AGENT)).condition?.type).toBe(DENIED);
    const linked = `(sb-posix:link "${at('file')}" "${path.dirname(compiled)}/hard")`;
    expect((await image.evaluate(linked, AGENT)).condition?.type).toBe(DENIED);
    expect(await readFile(at('file'), 'utf8')).toBe('kept');
  });

  it("The image's own temporary directory is recorded, not asked for, and private [G4]", async () => {
    const asked = decideAll(image, 'deny');
    const code = `(uiop:with-temporary-file (:stream s :pathname p) (write-string "x" s) (finish-output s) (namestring p))`;
    const file = JSON.parse(await image.value(code, AGENT)) as string;
    const own = JSON.parse(await image.value('(namestring (lisp-workbench:temporary-directory))', AGENT)) as string;
    expect([file.startsWith(own), existsSync(file), asked]).toEqual([true, false, []]);
    expect(await image.value(`(logand #o777 (sb-posix:stat-mode (sb-posix:stat "${own}")))`)).toBe('448');
    await rm(own, { recursive: true });
  });

  it('What the engine does for an agent is neither asked for nor told [G4]', async () => {
    const asked = decideAll(image, 'deny');
    const reply = await image.image.request('compile-text', {
      text: '(defun compiled () 3)',
      package: null,
      source: null,
      load: true,
      policy: null,
      evaluation: 'compiling',
      context: 'agent',
      actor: 'client:tester',
      outputLimit: 1000,
      onError: 'report',
      guard: true,
    });
    expect([reply.status, reply.effects, asked]).toEqual(['ok', [], []]);
    expect(await image.value('(compiled)')).toBe('3');
  });
});
