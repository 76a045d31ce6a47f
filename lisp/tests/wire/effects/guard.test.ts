/**
 * The guard in a real image: which actor it asks, when it asks, and on which grounds it decides. The operators are tested in
 * `table.test.ts`.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AGENT, decide, decideAll } from '../effects.fixture.ts';
import { DENIED, openInFolder, type ImageInFolder } from './folder.fixture.ts';

let image: ImageInFolder['image'];
let folder: ImageInFolder['folder'];
let at: ImageInFolder['at'];
let deleting: ImageInFolder['deleting'];
let close: ImageInFolder['close'];

beforeEach(async () => {
  ({ image, folder, at, deleting, close } = await openInFolder());
});

afterEach(() => close());

describe('effects of agent code', () => {
  it("An effect suspends the thread inside the call, with the real values and the code's own frames [G2]", async () => {
    await image.evaluate('(defun save (file) (with-open-file (s file :direction :output) (write-string "x" s)) file)');
    const reply = image.evaluate('(list (save "out.txt"))', { ...AGENT, evaluation: 'e1' });
    const { effect } = await image.next('effect-requested');
    expect(effect).toMatchObject({
      evaluation: 'e1',
      actor: 'client:tester',
      thread: 'lisp-workbench worker',
      ownThread: true,
      kind: 'write',
      operator: 'OPEN',
      target: at('out.txt'),
      path: at('out.txt'),
      otherPath: null,
      facts: [{ name: 'change', value: 'new file' }],
      system: null,
      before: [],
      beforeTotal: 0,
    });
    expect(effect.frames.map(({ call }) => call)).toEqual(['(SAVE "out.txt")', '(EVAL (LIST (SAVE "out.txt")))']);
    expect(effect.frames[0]!.source?.form).toMatch(/^\(WITH-OPEN-FILE/);
    expect(effect.restarts.map(({ name }) => name)).toEqual(['PROCEED', 'PROCEED-ALWAYS', 'USE-PATH', 'DENY', 'ABORT']);
    expect(existsSync(at('out.txt'))).toBe(false);
    await decide(image, effect, 'proceed');
    expect((await reply).status).toBe('ok');
    expect(await readFile(at('out.txt'), 'utf8')).toBe('x');
  });

  it("A frame of a loaded file has the line that runs, and the form its number; SBCL's frames are apart [G2]", async () => {
    const file = at('exports.lisp');
    await writeFile(
      file,
      '(in-package :cl-user)\n\n(defun prune (files)\n  "Deletes."\n  (dolist (f files)\n    (delete-file f)))\n',
    );
    for (const load of [`(load "${file}")`, `(load (compile-file "${file}"))`]) {
      await image.evaluate(load);
      const reply = image.evaluate(`1 (prune '("file"))`, AGENT);
      const { effect } = await image.next('effect-requested');
      expect(effect.frames.map(({ source, form }) => [source?.file, source?.running?.line, form])).toEqual([
        [file, 6, null],
        [undefined, undefined, { number: 2, total: 2 }],
      ]);
      expect(effect.innerFrames.map(({ call }) => call)).toContain('SB-INT:SIMPLE-EVAL-IN-LEXENV');
      await decide(image, effect, 'deny');
      await reply;
    }
    const code = '\n(defun prune (file)\n  (delete-file file)\n  file)';
    await image.evaluate(code, { source: { file, offset: 0, line: 40 } });
    const reply = image.evaluate('(prune "file")', AGENT);
    const { effect } = await image.next('effect-requested');
    expect(effect.frames[0]?.source).toMatchObject({ file, line: 41, running: { line: 42 } });
    await decide(image, effect, 'deny');
    await reply;
  });

  it('An effect tells size and date of what would be overwritten, and what was done before [G2]', async () => {
    const reply = image.evaluate(
      `(progn ${deleting('none')} (with-open-file (s "${at('file')}" :direction :output :if-exists :supersede)))`,
      AGENT,
    );
    await decide(image, (await image.next('effect-requested')).effect, 'proceed');
    expect((await reply).condition?.type).toBe('DELETE-FILE-ERROR');
    const other = image.evaluate(
      `(progn (ignore-errors ${deleting('none')}) (with-open-file (s "${at('file')}" :direction :output :if-exists :supersede)))`,
      AGENT,
    );
    await decide(image, (await image.next('effect-requested')).effect, 'deny');
    const { effect } = await image.next('effect-requested');
    expect(effect.facts).toEqual([
      { name: 'change', value: 'overwrites' },
      { name: 'size', value: '4' },
      { name: 'modified', value: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) },
      { name: 'inode', value: expect.stringMatching(/^\d+:\d+$/) },
    ]);
    expect(effect.before).toEqual([{ kind: 'delete', operator: 'DELETE-FILE', target: at('none'), outcome: 'denied' }]);
    await decide(image, effect, 'deny');
    await other;
    expect(await readFile(at('file'), 'utf8')).toBe('kept');
  });

  it('An effect is denied with a condition that handlers of file errors see [decision 28]', async () => {
    decideAll(image, 'deny', { reason: 'Keep it.' });
    const message = `Denied: DELETE-FILE ${at('file')}. Keep it. Do not try another way.`;
    const { condition, effects } = await image.evaluate(deleting('file'), AGENT);
    expect(condition).toMatchObject({ type: DENIED, message });
    expect(effects).toEqual([{ kind: 'delete', operator: 'DELETE-FILE', target: at('file'), outcome: 'denied' }]);
    const code = `(handler-case ${deleting('file')}
      (file-error (c) (list (typep c 'lisp-workbench:effect-denied) (namestring (file-error-pathname c)) (princ-to-string c))))`;
    expect(await image.value(code, AGENT)).toBe(`(T "${at('file')}"\n "${message}")`);
    const other = `(handler-case (sb-posix:setenv "A" "b" 1) (lisp-workbench:effect-denied (c) (typep c 'file-error)))`;
    expect(await image.value(other, AGENT)).toBe('NIL');
    expect(await image.value('(find-symbol "EFFECT-DENIED" :cl-user)')).toBe('NIL');
  });

  it('An effect is asked for again when the code tries again [G3]', async () => {
    const asked = decideAll(image, 'deny');
    const code = `(loop repeat 3 do (handler-case ${deleting('file')} (error ())))`;
    expect((await image.evaluate(code, AGENT)).effects.length).toBe(3);
    expect(new Set(asked.map(({ effect }) => effect)).size).toBe(3);
    expect(existsSync(at('file'))).toBe(true);
  });

  it('An effect goes to another path, which is looked at as well [G3]', async () => {
    await mkdir(at('real'));
    await symlink(at('real'), at('linked'));
    const code = `(progn (with-open-file (s "${at('new')}" :direction :output) (write-string "x" s)) 1)`;
    const reply = image.evaluate(code, AGENT);
    const { effect } = await image.next('effect-requested');
    await decide(image, effect, 'use-path', { path: at('linked/new') });
    const { effect: again } = await image.next('effect-requested');
    expect(again.path).toBe(at('real/new'));
    await decide(image, again, 'use-path', { path: at('real/other') });
    expect(await reply).toMatchObject({
      status: 'ok',
      effects: [{ operator: 'OPEN', target: at('real/other'), outcome: 'other-path' }],
    });
    expect([existsSync(at('new')), existsSync(at('real/new')), existsSync(at('real/other'))]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('An effect takes no other path where there is none, and no second decision [G3]', async () => {
    const reply = image.evaluate('(sb-posix:setenv "A" "b" 1)', AGENT);
    const { effect } = await image.next('effect-requested');
    await expect(decide(image, effect, 'use-path', { path: '/tmp/x' })).rejects.toThrow('cannot use another path');
    expect(await decide(image, effect, 'deny')).toEqual({ found: true });
    expect((await reply).condition?.message).toBe('Denied: SETENV A=b. No reason was given. Do not try another way.');
    expect(await decide(image, effect, 'proceed')).toEqual({ found: false });
  });

  it('An effect that is aborted aborts the evaluation past its handlers [G3]', async () => {
    decideAll(image, 'abort', { reason: 'Enough.' });
    const code = `(restart-case (handler-case ${deleting('file')} (error () 1)) (abort () 2))`;
    expect(await image.evaluate(code, AGENT)).toMatchObject({
      status: 'error',
      condition: { type: 'ABORT', message: `Aborted at DELETE-FILE ${at('file')}. Enough. Do not try another way.` },
      effects: [{ outcome: 'aborted' }],
    });
    expect(existsSync(at('file'))).toBe(true);
  });

  it('Reading never asks [G4]', async () => {
    const asked = decideAll(image, 'deny');
    const code = `(list (with-open-file (s "${at('file')}") (read-line s)) (probe-file "${at('none')}")
                        (length (directory "${folder}/*")) (open "${at('none')}" :if-does-not-exist nil)
                        (sb-posix:stat-size (sb-posix:stat "${at('file')}")) (sb-posix:getenv "NONE")
                        (not (ensure-directories-exist "${folder}/")))`;
    expect(await image.value(code, AGENT)).toBe('("kept" NIL 1 NIL 4 NIL NIL)');
    expect(asked).toEqual([]);
  });

  it('An effect shows where links lead, and asks again when they lead elsewhere by then [G2]', async () => {
    await mkdir(at('shown'));
    await mkdir(at('secret'));
    await symlink(at('shown'), at('link'));
    const code = `(with-open-file (s "${at('link')}/new" :direction :output) (write-string "x" s))`;
    const reply = image.evaluate(code, AGENT);
    const { effect } = await image.next('effect-requested');
    expect(effect.path).toBe(at('shown/new'));
    await symlink(at('secret'), at('swapped'));
    await rename(at('swapped'), at('link'));
    await decide(image, effect, 'proceed');
    const { effect: again } = await image.next('effect-requested');
    expect([again.path, again.effect === effect.effect]).toEqual([at('secret/new'), false]);
    await decide(image, again, 'deny');
    expect((await reply).condition?.type).toBe(DENIED);
    expect([existsSync(at('secret/new')), existsSync(at('shown/new'))]).toEqual([false, false]);
  });

  it('An effect does what was shown, though the code changes its arguments meanwhile [G3]', async () => {
    await image.evaluate(`(defvar *name* (copy-seq "${at('shown')}"))`);
    const reply = image.evaluate('(close (open *name* :direction :output))', AGENT);
    const { effect } = await image.next('effect-requested');
    await image.evaluate('(replace *name* "other" :start1 (- (length *name*) 5))');
    await decide(image, effect, 'proceed');
    expect((await reply).status).toBe('ok');
    expect([existsSync(at('shown')), existsSync(at('other'))]).toEqual([true, false]);
  });

  it('An evaluation stays bounded over 10,000 effects [case 40]', async () => {
    await image.evaluate('(defvar *memory* (progn (sb-ext:gc :full t) (sb-kernel:dynamic-usage)))');
    const asked: number[] = [];
    image.image.events.on('event', (event) => {
      if (event.event !== 'effect-requested') return;
      asked.push(event.effect.before.length);
      void decide(image, event.effect, 'proceed');
    });
    const reply = await image.evaluate('(dotimes (i 10000) (sb-posix:setenv "A" "b" 1))', AGENT);
    expect([reply.status, reply.effects.length, reply.effectsMore]).toEqual(['ok', 200, 9800]);
    expect([asked.length, Math.max(...asked)]).toEqual([10_000, 20]);
    const grown = await image.value('(progn (sb-ext:gc :full t) (- (sb-kernel:dynamic-usage) *memory*))');
    expect(Number(grown)).toBeLessThan(10_000_000);
  }, 120_000);

  it('An effect is gone with its image', async () => {
    const reply = image.evaluate(deleting('file'), AGENT);
    await image.next('effect-requested');
    image.image.kill('Killed.');
    await expect(reply).rejects.toThrow('Killed.');
    expect(existsSync(at('file'))).toBe(true);
  });
});
