/** Folders in which writing needs no approval. No path may lead out of them. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Effect } from '#contract/decisions/effect.ts';
import { AGENT, decideAll } from '../effects.fixture.ts';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';

let image: TestImage;
let cache: string;
let folder: string;
/** The image's own temporary folder, with a slash at the end. */
let own: string;
let asked: Effect<'waiting'>[];

beforeEach(async () => {
  cache = await realpath(await mkdtemp(path.join(tmpdir(), 'cache-')));
  image = await openTestImage({ environment: { XDG_CACHE_HOME: cache } });
  folder = await realpath(image.directory);
  own = JSON.parse(await image.value('(sb-ext:native-namestring (lisp-workbench:temporary-directory))')) as string;
  asked = decideAll(image, 'deny');
});

afterEach(async () => {
  await image.close();
  await rm(cache, { recursive: true, force: true });
  await rm(own, { recursive: true, force: true });
});

const at = (name: string): string => path.join(folder, name);
const run = (code: string) => image.evaluate(code, AGENT);
const DENIED = 'LISP-WORKBENCH:EFFECT-DENIED';
const writing = (name: string): string =>
  `(with-open-file (s "${name}" :direction :output :if-exists :supersede) (write-string "x" s))`;

describe("the image's own temporary folder", () => {
  it('The temporary folder takes no programs that run with the rights of their owner or group unasked, but other modes', async () => {
    expect((await run(`(progn ${writing(`${own}mode`)} (sb-posix:chmod "${own}mode" #o755))`)).status).toBe('ok');
    for (const mode of ['#o4755', '#o2755'])
      expect((await run(`(sb-posix:chmod "${own}mode" ${mode})`)).condition?.type).toBe(DENIED);
    for (const making of [
      `(sb-posix:open "${own}made" (logior sb-posix:o-wronly sb-posix:o-creat) #o4755)`,
      `(sb-posix:creat "${own}made" #o2755)`,
    ])
      expect((await run(making)).condition?.type).toBe(DENIED);
    expect(asked.map(({ operator, path: name }) => [operator, name])).toEqual([
      ['CHMOD', `${own}mode`],
      ['CHMOD', `${own}mode`],
      ['OPEN', `${own}made`],
      ['CREAT', `${own}made`],
    ]);
    const plain = `(sb-posix:close (sb-posix:open "${own}made" (logior sb-posix:o-wronly sb-posix:o-creat) #o755))`;
    expect((await run(plain)).status).toBe('ok');
  });

  it('The temporary folder takes files and folders unasked, but no links', async () => {
    const code = `(progn (ensure-directories-exist "${own}a/b/") ${writing(`${own}a/b/c`)} (rename-file "${own}a/b/c" "d") (delete-file "${own}a/b/d"))`;
    expect([(await run(code)).status, asked]).toEqual(['ok', []]);
    for (const link of [
      `(sb-posix:symlink "${folder}" "${own}link")`,
      `(sb-posix:symlink "a" "${own}link")`,
      `(progn ${writing(`${own}x`)} (sb-posix:link "${own}x" "${own}link"))`,
    ]) {
      expect((await run(link)).condition?.type).toBe(DENIED);
    }
    expect(asked.map(({ kind }) => kind)).toEqual(['link', 'link', 'link']);
    expect(existsSync(`${own}link`)).toBe(false);
  });

  it('A way that leads through a link in the temporary folder is asked for, even back into it', async () => {
    await mkdir(`${own}real`);
    await symlink(`${own}real`, `${own}link`);
    for (const code of [writing(`${own}link/new`), `(delete-file "${own}link")`, `(rename-file "${own}link" "l2")`]) {
      asked.length = 0;
      expect([code, (await run(code)).condition?.type]).toEqual([code, DENIED]);
      expect(asked.length).toBe(1);
    }
    expect(await readdir(`${own}real`)).toEqual([]);
  });

  it('A name that another thread flips to and fro does not lead out of the temporary folder', async () => {
    await mkdir(`${own}real`);
    await mkdir(at('secret'));
    await symlink(at('secret'), `${own}way-out`);
    // A thread of the person plays an attacker who was able to create the link. It swaps the link faster than any check could notice.
    await image.evaluate(
      `(defvar *flipping* (let ((guard-free t))
         (declare (ignorable guard-free))
         (sb-thread:make-thread (lambda ()
           (loop (sb-posix:rename "${own}real" "${own}lnk") (sb-posix:rename "${own}lnk" "${own}real")
                 (sb-posix:rename "${own}way-out" "${own}lnk") (sb-posix:rename "${own}lnk" "${own}way-out"))))))`,
    );
    const code = `(loop repeat 3000 do (ignore-errors ${writing(`${own}lnk/new`)} (delete-file "${own}lnk/new")))`;
    await run(code);
    await image.evaluate('(sb-thread:terminate-thread *flipping*)');
    expect(await readdir(at('secret'))).toEqual([]);
  });
});

describe('cache of compiled files', () => {
  const system = async (name: string, form: string): Promise<void> => {
    await writeFile(at(`${name}.asd`), `(defsystem "${name}" :components ((:file "${name}-a")))`);
    await writeFile(at(`${name}-a.lisp`), form);
  };
  const load = (name: string, more = ''): string =>
    `(progn (asdf:load-asd "${at(`${name}.asd`)}") (asdf:load-system "${name}" ${more}))`;
  const compiled = async (name: string): Promise<string> =>
    JSON.parse(
      await image.value(
        `(sb-ext:native-namestring (asdf:output-file 'asdf:compile-op (asdf:find-component "${name}" "${name}-a")))`,
      ),
    ) as string;

  it('The cache takes what the compiler makes of a source, again and again', async () => {
    await system('shop', '(defun shop () 1)');
    expect((await run(load('shop'))).status).toBe('ok');
    await writeFile(at('shop-a.lisp'), '(defun shop () 2)');
    expect((await run(load('shop', ':force t'))).status).toBe('ok');
    expect([asked.map(({ operator, target }) => `${operator} ${target}`), await image.value('(shop)')]).toEqual([
      [],
      '2',
    ]);
    expect(existsSync(await compiled('shop'))).toBe(true);
  });

  it('The cache takes what a client has compiled by its tool, and a path that it names is asked for', async () => {
    await writeFile(at('tool.lisp'), '(defun by-tool () 1)');
    const compile = (output: string | null) =>
      image.run('compile-file', { file: at('tool.lisp'), load: true, externalFormat: null, output, ...AGENT });
    const { status, result } = (await compile(null)) as { status: string; result: { fasl: string } };
    expect([status, asked.map(({ target }) => target)]).toEqual(['ok', []]);
    expect(result.fasl.startsWith(cache)).toBe(true);
    await compile(at('elsewhere.fasl'));
    expect(asked.map(({ kind }) => kind)).toEqual(['write']);
    expect(existsSync(at('elsewhere.fasl'))).toBe(false);
  });

  it('The cache takes nothing else: neither copies nor renamed, opened or deleted files, nor what was compiled of another source', async () => {
    await system('victim', '(defun victim () :right)');
    await image.evaluate(load('victim'));
    const victim = await compiled('victim');
    const right = await readFile(victim);
    for (const name of ['evil.lisp', 'victim-a.asd']) await writeFile(at(name), '(defun victim () :wrong)');
    const inCache = path.dirname(victim);
    for (const code of [
      `(uiop:copy-file (compile-file "${at('evil.lisp')}" :output-file "${own}evil.fasl") "${victim}")`,
      `(rename-file (compile-file "${at('evil.lisp')}" :output-file "${own}evil.fasl") "${victim}")`,
      `(compile-file "${at('evil.lisp')}" :output-file "${victim}")`,
      `(compile-file "${at('victim-a.asd')}" :output-file "${victim}")`,
      `(rename-file (compile-file "${at('evil.lisp')}" :output-file "${inCache}/evil-tmp1.fasl") "${victim}")`,
      `(progn (compile-file "${at('evil.lisp')}" :output-file "${inCache}/evil-tmp2.fasl") ${writing(`${inCache}/evil-tmp2.fasl`)})`,
      writing(victim),
      writing(`${inCache}/later.fasl`),
      `(delete-file "${victim}")`,
      `(sb-posix:chmod "${victim}" 0)`,
      `(sb-posix:symlink "${at('evil.lisp')}" "${inCache}/link.fasl")`,
    ]) {
      asked.length = 0;
      expect([code, (await run(code)).condition?.type]).toEqual([code, DENIED]);
      expect([code, asked.length]).toEqual([code, 1]);
    }
    expect((await readFile(victim)).equals(right)).toBe(true);
  });
});
