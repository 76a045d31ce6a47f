/** The guard inside a real image: who is asked, where, and what decides. The operators are in `effect-table.test.ts`. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AGENT, decide, decideAll } from './effects.fixture.ts';
import { openTestImage, type TestImage } from './image.fixture.ts';

let image: TestImage;
let cache: string;
/** The image's directory with links followed, as records name it. Holds `file`. */
let folder: string;

beforeEach(async () => {
  cache = await realpath(await mkdtemp(path.join(tmpdir(), 'cache-')));
  image = await openTestImage({ environment: { XDG_CACHE_HOME: cache } });
  folder = await realpath(image.directory);
  await writeFile(at('file'), 'kept');
});

afterEach(async () => {
  await image.close();
  await rm(cache, { recursive: true, force: true });
});

const at = (name: string): string => path.join(folder, name);
const deleting = (name: string): string => `(delete-file "${at(name)}")`;
const DENIED = 'LISP-WORKBENCH:EFFECT-DENIED';

describe('an effect of agent code', () => {
  it("G2 parks the thread inside the call, with the real values and the code's own frames", async () => {
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

  it("G2 a frame of a loaded file has the line that runs, and the form its number; SBCL's frames are apart", async () => {
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
    const code = '\n(defun prune (file)\n  (delete-file file))';
    await image.evaluate(code, { source: { file, offset: 0, line: 40 } });
    const reply = image.evaluate('(prune "file")', AGENT);
    const { effect } = await image.next('effect-requested');
    expect(effect.frames[0]?.source).toMatchObject({ file, line: 41, running: { line: 42 } });
    await decide(image, effect, 'deny');
    await reply;
  });

  it('G2 tells size and date of what would be overwritten, and what was done before', async () => {
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
    ]);
    expect(effect.before).toEqual([{ kind: 'delete', operator: 'DELETE-FILE', target: at('none'), outcome: 'denied' }]);
    await decide(image, effect, 'deny');
    await other;
    expect(await readFile(at('file'), 'utf8')).toBe('kept');
  });

  it('decision 28: is denied with a condition that handlers of file errors see', async () => {
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

  it('G3 is asked for again when the code tries again', async () => {
    const asked = decideAll(image, 'deny');
    const code = `(loop repeat 3 do (handler-case ${deleting('file')} (error ())))`;
    expect((await image.evaluate(code, AGENT)).effects.length).toBe(3);
    expect(new Set(asked.map(({ effect }) => effect)).size).toBe(3);
    expect(existsSync(at('file'))).toBe(true);
  });

  it('G3 goes to another path, which is looked at as well', async () => {
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

  it('G3 takes no other path where there is none, and no second decision', async () => {
    const reply = image.evaluate('(sb-posix:setenv "A" "b" 1)', AGENT);
    const { effect } = await image.next('effect-requested');
    await expect(decide(image, effect, 'use-path', { path: '/tmp/x' })).rejects.toThrow('takes no other path');
    expect(await decide(image, effect, 'deny')).toEqual({ found: true });
    expect((await reply).condition?.message).toBe('Denied: SETENV A=b. No reason was given. Do not try another way.');
    expect(await decide(image, effect, 'proceed')).toEqual({ found: false });
  });

  it('G3 aborts the evaluation past its handlers', async () => {
    decideAll(image, 'abort', { reason: 'Enough.' });
    const code = `(restart-case (handler-case ${deleting('file')} (error () 1)) (abort () 2))`;
    expect(await image.evaluate(code, AGENT)).toMatchObject({
      status: 'error',
      condition: { type: 'ABORT', message: `Aborted at DELETE-FILE ${at('file')}. Enough. Do not try another way.` },
      effects: [{ outcome: 'aborted' }],
    });
    expect(existsSync(at('file'))).toBe(true);
  });

  it('G4 reading never asks', async () => {
    const asked = decideAll(image, 'deny');
    const code = `(list (with-open-file (s "${at('file')}") (read-line s)) (probe-file "${at('none')}")
                        (length (directory "${folder}/*")) (open "${at('none')}" :if-does-not-exist nil)
                        (sb-posix:stat-size (sb-posix:stat "${at('file')}")) (sb-posix:getenv "NONE")
                        (not (ensure-directories-exist "${folder}/")))`;
    expect(await image.value(code, AGENT)).toBe('("kept" NIL 1 NIL 4 NIL NIL)');
    expect(asked).toEqual([]);
  });

  it('G2 shows where links lead, and asks again when they lead elsewhere by then', async () => {
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

  it('G3 does what was shown, though the code changes its arguments meanwhile', async () => {
    await image.evaluate(`(defvar *name* (copy-seq "${at('shown')}"))`);
    const reply = image.evaluate('(close (open *name* :direction :output))', AGENT);
    const { effect } = await image.next('effect-requested');
    await image.evaluate('(replace *name* "other" :start1 (- (length *name*) 5))');
    await decide(image, effect, 'proceed');
    expect((await reply).status).toBe('ok');
    expect([existsSync(at('shown')), existsSync(at('other'))]).toEqual([true, false]);
  });

  it('case 40: stays bounded over 10,000 effects', async () => {
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

  it('is gone with its image', async () => {
    const reply = image.evaluate(deleting('file'), AGENT);
    await image.next('effect-requested');
    image.image.kill('Killed.');
    await expect(reply).rejects.toThrow('Killed.');
    expect(existsSync(at('file'))).toBe(true);
  });
});

describe('waiting for a decision', () => {
  it('G2 the person evaluates, and the image makes no checkpoint', async () => {
    const reply = image.evaluate(deleting('file'), AGENT);
    const { effect } = await image.next('effect-requested');
    expect(await image.value('(defparameter *mine* 7)')).toBe('*MINE*');
    expect(await image.value('(list *mine* (length (sb-thread:list-all-threads)))')).toMatch(/^\(7 /);
    expect(await image.image.checkpoint()).toEqual({ reason: '1 evaluation waits in the middle of its work.' });
    await decide(image, effect, 'proceed');
    expect((await reply).status).toBe('ok');
    expect(existsSync(at('file'))).toBe(false);
    expect(await image.image.checkpoint()).toHaveProperty('pid');
  });

  it('can be interrupted', async () => {
    const reply = image.evaluate(deleting('file'), { ...AGENT, evaluation: 'waits' });
    const { effect } = await image.next('effect-requested');
    expect(await image.ask('interrupt', { evaluation: 'waits' })).toEqual({ found: true });
    expect((await reply).status).toBe('interrupted');
    expect(await image.next('effect-settled')).toMatchObject({ effect: effect.effect, outcome: 'interrupted' });
    expect(await decide(image, effect, 'proceed')).toEqual({ found: false });
    expect(existsSync(at('file'))).toBe(true);
  });

  it('has another name in a copy of the image that goes on', async () => {
    const checkpoint = await image.image.checkpoint();
    const first = image.evaluate(deleting('file'), AGENT).catch(() => {});
    const { effect } = await image.next('effect-requested');
    image.image.endLife('Back.');
    await image.image.lifeOver;
    await image.image.wake((checkpoint as { pid: number }).pid);
    await first;
    expect(await decide(image, effect, 'proceed')).toEqual({ found: false });
    const second = image.evaluate(deleting('file'), AGENT);
    const { effect: again } = await image.next('effect-requested');
    expect(again.effect).not.toBe(effect.effect);
    await decide(image, again, 'deny');
    expect((await second).condition?.type).toBe(DENIED);
  });

  it('G3 shows its restarts in the debugger, where they only ask again', async () => {
    const reply = image.evaluate(deleting('file'), { ...AGENT, evaluation: 'waits', onError: 'debug' });
    const { effect } = await image.next('effect-requested');
    await image.ask('break-in', { evaluation: 'waits' });
    const { debugger: open } = await image.next('debugger-entered');
    const names = open.restarts.map(({ name }) => name?.replace('LISP-WORKBENCH:', ''));
    expect(names).toEqual(expect.arrayContaining(['PROCEED', 'PROCEED-ALWAYS', 'USE-PATH', 'DENY', 'ABORT']));
    const restart = names.indexOf('PROCEED');
    expect(await image.ask('invoke-restart', { debugger: open.id, restart, arguments: [] })).toMatchObject({
      left: true,
    });
    const { effect: again } = await image.next('effect-requested');
    expect([again.target, again.effect === effect.effect]).toEqual([effect.target, false]);
    await decide(image, again, 'deny', { reason: 'No' });
    const { debugger: failed } = await image.next('debugger-entered');
    expect(failed.type).toBe(DENIED);
    await image.ask('interrupt', { evaluation: 'waits' });
    await reply;
    expect(existsSync(at('file'))).toBe(true);
  });

  it('G3 has its restarts as soon as it is told, however slow its thread is after that', async () => {
    await image.value(
      `(sb-int:encapsulate 'lisp-workbench/protocol:send-event :slow
         (lambda (send name &rest fields)
           (multiple-value-prog1 (apply send name fields) (when (equal name "effect-requested") (sleep 0.5)))))`,
    );
    const reply = image.evaluate(deleting('file'), { ...AGENT, evaluation: 'slow', onError: 'debug' });
    await image.next('effect-requested');
    await image.ask('break-in', { evaluation: 'slow' });
    const { debugger: open } = await image.next('debugger-entered');
    expect(open.restarts.map(({ name }) => name)).toContain('LISP-WORKBENCH:DENY');
    await image.ask('interrupt', { evaluation: 'slow' });
    expect((await reply).status).toBe('interrupted');
  });

  it('G1 clean-up forms are asked for as well', async () => {
    await writeFile(at('other'), 'kept');
    const code = `(unwind-protect ${deleting('file')} ${deleting('other')})`;
    const reply = image.evaluate(code, { ...AGENT, evaluation: 'waits' });
    await image.next('effect-requested');
    await image.ask('interrupt', { evaluation: 'waits' });
    const { effect } = await image.next('effect-requested');
    expect(effect.target).toBe(at('other'));
    await decide(image, effect, 'proceed');
    expect((await reply).status).toBe('interrupted');
    expect([existsSync(at('file')), existsSync(at('other'))]).toEqual([true, false]);
  });
});

describe('wherever the code hides it', () => {
  const everywhere: [string, () => string][] = [
    ['a computed name', () => `(funcall (intern "DELETE-FILE" :cl) "${at('file')}")`],
    ['a function object', () => `(mapc #'delete-file '("${at('file')}"))`],
    ['the reader', () => `'#.${deleting('file')}`],
    ['a macro', () => `(macrolet ((m () ${deleting('file')})) (m))`],
    ['compiled code', () => `(funcall (compile nil '(lambda () ${deleting('file')})))`],
    ['a handler of an error', () => `(handler-bind ((error (lambda (c) c ${deleting('file')}))) (error "x"))`],
    ['a function of the person', () => `(persons "${at('file')}")`],
    ['a thread', () => `(sb-thread:join-thread (sb-thread:make-thread (lambda () ${deleting('file')})))`],
    [
      'a thread of a thread',
      () =>
        `(sb-thread:join-thread (sb-thread:make-thread (lambda () (sb-thread:join-thread (sb-thread:make-thread (lambda () ${deleting('file')}))))))`,
    ],
    [
      'a timer',
      () =>
        `(progn (sb-ext:schedule-timer (sb-ext:make-timer (lambda () ${deleting('file')}) :thread t) 0.01) (sleep 0.2))`,
    ],
  ];

  for (const [where, code] of everywhere) {
    it(`G1 asks: ${where}`, async () => {
      await image.evaluate('(defun persons (file) (delete-file file))');
      const asked = decideAll(image, 'deny');
      await image.evaluate(code(), AGENT);
      expect(asked.map(({ target }) => target)).toContain(at('file'));
      expect(existsSync(at('file'))).toBe(true);
    });
  }

  it('G1 asks in a handler that runs within an effect which may proceed', async () => {
    const reply = image.evaluate(
      `(handler-bind ((error (lambda (c) c ${deleting('file')}))) ${deleting('none')})`,
      AGENT,
    );
    await decide(image, (await image.next('effect-requested')).effect, 'proceed');
    const { effect } = await image.next('effect-requested');
    expect(effect.target).toBe(at('file'));
    decideAll(image, 'deny'); // its own error is handled by nobody else
    await decide(image, effect, 'deny');
    expect((await reply).status).toBe('error');
    expect(existsSync(at('file'))).toBe(true);
  });

  it('G1 a thread waits for its own decision, and its evaluation goes on', async () => {
    const code = `(progn (sb-thread:make-thread (lambda () ${deleting('file')}) :name "theirs") 1)`;
    expect(await image.value(code, AGENT)).toBe('1');
    const { effect } = await image.next('effect-requested');
    expect(effect).toMatchObject({ thread: 'theirs', ownThread: false, actor: 'client:tester' });
    expect(await image.value('2', AGENT)).toBe('2');
    await decide(image, effect, 'abort');
    expect(await image.next('effect-settled')).toMatchObject({ outcome: 'aborted' });
    expect(existsSync(at('file'))).toBe(true);
  });

  it('G1 what an agent sends into a thread of the person is denied at once', async () => {
    await image.evaluate('(defvar *theirs* (sb-thread:make-thread (lambda () (loop (sleep 0.01)))))');
    const code = `(progn (sb-thread:interrupt-thread *theirs* (lambda () (handler-case ${deleting('file')} (error ())))) 1)`;
    expect(await image.value(code, AGENT)).toBe('1');
    expect(await image.next('effect-recorded')).toMatchObject({ operator: 'DELETE-FILE', outcome: 'denied' });
    expect(existsSync(at('file'))).toBe(true);
    await image.value('(sb-thread:terminate-thread *theirs*)');
  });

  it('G1 a timer that interrupts a thread is denied at once: nobody could interrupt it there', async () => {
    const asked = decideAll(image, 'proceed');
    const code = `(let ((said nil))
      (sb-ext:schedule-timer (sb-ext:make-timer (lambda () (handler-case ${deleting('file')} (error (c) (setf said (princ-to-string c)))))) 0.001)
      (loop until said do (sleep 0.001))
      said)`;
    expect(await image.value(code, AGENT)).toContain('Nobody can be asked at this place.');
    expect([asked, existsSync(at('file'))]).toEqual([[], true]);
  });

  it('case 33: print methods and expansions are denied at once, whoever looks', async () => {
    await image.evaluate(
      `(progn (defclass trap () ())
              (defmethod print-object ((trap trap) stream) ${deleting('file')} (write-string "sprung" stream))
              (defmethod describe-object ((trap trap) stream) ${deleting('file')} (write-string "sprung" stream))
              (defparameter *trap* (make-instance 'trap))
              (defmacro trap () ${deleting('file')} 1))`,
      AGENT,
    );
    const asked = decideAll(image, 'proceed');
    expect(await image.value('*trap*')).toBe('#<error FILE-EFFECT-DENIED printing TRAP>');
    expect(await image.value('*trap*', AGENT)).toBe('#<error FILE-EFFECT-DENIED printing TRAP>');
    expect((await image.evaluate('(error "~A" *trap*)', AGENT)).condition?.message).not.toContain('sprung');
    const form = { form: '(trap)', package: null, context: 'test', mode: 'once', path: null } as const;
    await expect(image.ask('macroexpand', form)).rejects.toThrow('Denied: DELETE-FILE');
    expect(asked).toEqual([]);
    expect(existsSync(at('file'))).toBe(true);
    expect(image.events.some(({ event }) => event === 'effect-recorded')).toBe(true);
  });
});

describe('where writing is allowed', () => {
  it('G4 the cache of compiled files is recorded once, not asked for', async () => {
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

  it('G1 what a system does while it is loaded is asked for, and names it', async () => {
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

  it('G4 the cache is no way out: links in it are followed, and it stays where it was', async () => {
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

  it("G4 the image's own temporary directory is recorded, not asked for, and private", async () => {
    const asked = decideAll(image, 'deny');
    const code = `(uiop:with-temporary-file (:stream s :pathname p) (write-string "x" s) (finish-output s) (namestring p))`;
    const file = JSON.parse(await image.value(code, AGENT)) as string;
    const own = JSON.parse(await image.value('(namestring (lisp-workbench:temporary-directory))', AGENT)) as string;
    expect([file.startsWith(own), existsSync(file), asked]).toEqual([true, false, []]);
    expect(await image.value(`(logand #o777 (sb-posix:stat-mode (sb-posix:stat "${own}")))`)).toBe('448');
    await rm(own, { recursive: true });
  });

  it('G4 what the engine does for an agent is neither asked for nor told', async () => {
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
