/** Defaults of SBCL, UIOP and ASDF: each client has its own defaults, and the person uses the image's. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';
import { AGENT, decideAll } from '../effects.fixture.ts';

let image: TestImage;
beforeAll(async () => {
  image = await openTestImage();
  decideAll(image, 'proceed');
}, 120_000);
afterAll(() => image.close());

const agent = (code: string) => image.value(code, AGENT);
const other = (code: string) => image.value(code, { ...AGENT, actor: 'client:other', context: 'other' });
const person = (code: string) => image.value(code);

const TRAPPED = '(handler-case (< 1 (/ 1.0 (float (position 1 (list 1))))) (error () :trapped))';
const IN_THREAD = (code: string) => `(sb-thread:join-thread (sb-thread:make-thread (lambda () ${code})))`;

describe('defaults', () => {
  it.each([
    [`(proclaim '(optimize (safety 2)))`, `(search "(SAFETY 2)" (prin1-to-string sb-c::*policy*))`],
    ['(setf sb-ext:*evaluator-mode* :interpret)', 'sb-ext:*evaluator-mode*'],
    ['(sb-int:set-floating-point-modes :traps nil)', TRAPPED],
    [
      '(sb-int:set-floating-point-modes :rounding-mode :zero)',
      '(getf (sb-int:get-floating-point-modes) :rounding-mode)',
    ],
    ['(push :agents-own *features*)', '(find :agents-own *features*)'],
    ['(setf *features* (remove :unicode-fake (cons :agents-other *features*)))', '(find :agents-other *features*)'],
    ['(push #p"/agents/" asdf:*central-registry*)', '(find #p"/agents/" asdf:*central-registry* :test (quote equal))'],
    ['(setf uiop:*compile-file-failure-behaviour* :warn)', 'uiop:*compile-file-failure-behaviour*'],
    ['(setf *gensym-counter* 77)', '*gensym-counter*'],
    ['(setf *random-state* (sb-ext:seed-random-state 7))', '(random 1000000 (make-random-state))'],
  ])(
    'What an agent sets by %s holds for its later evaluations and its threads alone [issue 34.2]',
    async (set, probe) => {
      const before = await person(probe);
      await agent(set);
      const own = await agent(probe);
      expect(own).not.toBe(before);
      expect([await agent(IN_THREAD(probe)), await other(probe), await person(probe), await agent(probe)]).toEqual([
        own,
        before,
        before,
        own,
      ]);
    },
  );

  it('What the person sets holds for agents that have not set it, and for new ones [issue 34.2]', async () => {
    await person('(setf uiop:*compile-file-warnings-behaviour* :error)');
    await person('(push :persons *features*)');
    await person(`(sb-int:set-floating-point-modes :rounding-mode :zero)`);
    const probe =
      '(list uiop:*compile-file-warnings-behaviour* (find :persons *features*) (getf (sb-int:get-floating-point-modes) :rounding-mode))';
    const third = () => image.value(probe, { ...AGENT, context: 'third' });
    expect([await person(probe), await other(probe), await third()]).toEqual(Array(3).fill('(:ERROR :PERSONS :ZERO)'));
    expect(await agent('(list (find :persons *features*) (find :agents-own *features*))')).toBe(
      '(:PERSONS :AGENTS-OWN)',
    );
    await person('(setf uiop:*compile-file-warnings-behaviour* :warn *features* (remove :persons *features*))');
    await person(`(sb-int:set-floating-point-modes :rounding-mode :nearest)`);
    expect(await other(probe)).toBe('(:WARN NIL :NEAREST)');
  });

  it('A library that an agent loads is known to everybody by what its files add to the lists of libraries [issue 34.2]', async () => {
    await writeFile(
      path.join(image.directory, 'library.lisp'),
      `(push :library *features*) (provide "library") (setf *features* (remove :x86-64 *features*))`,
    );
    await agent('(load "library.lisp")');
    const probe =
      '(list (find :library *features*) (find "library" *modules* :test (quote string=)) (not (find :x86-64 *features*)))';
    expect([await agent(probe), await other(probe), await person(probe)]).toEqual([
      '(:LIBRARY "library" T)',
      '(:LIBRARY "library" NIL)',
      '(:LIBRARY "library" NIL)',
    ]);
  });

  it('A list that code breaks or makes circular ends no evaluation [issue 34.2]', async () => {
    const broken = { ...AGENT, context: 'broken' };
    await image.value(
      '(progn (setf asdf:*central-registry* 7) (push (let ((x (list 1))) (setf (cdr x) x)) *modules*) 1)',
      broken,
    );
    await image.value(
      `(progn (makunbound 'uiop:*default-encoding*) (setf (cdr (last *modules*)) *modules*) 1)`,
      broken,
    );
    expect(await image.value('(list 1 2)', broken)).toBe('(1 2)');
    expect(await person('(list uiop:*default-encoding* (consp asdf:*central-registry*))')).toBe('(:UTF-8 T)');
  });

  it('A reset gives a context the person’s defaults again [issue 34.2]', async () => {
    await agent('(setf sb-ext:*evaluator-mode* :interpret)');
    await image.ask('reset-reader', { context: AGENT.context });
    expect(await agent('sb-ext:*evaluator-mode*')).toBe(':COMPILE');
  });

  it('What an agent’s interruption or timer sets in the person’s thread is forgotten [issue 34.2]', async () => {
    await agent(
      `(sb-ext:schedule-timer (sb-ext:make-timer (lambda () (push :by-timer *features*) (setf (get 'timer 'ran) t))) 0.01)`,
    );
    await expect.poll(() => person(`(get 'timer 'ran)`)).toBe('T');
    expect(await person('(find :by-timer *features*)')).toBe('NIL');
  });
});

describe('systems', () => {
  it('Output translations of an agent move no file of the person’s, and shadowing systems no system [issue 34.2]', async () => {
    const elsewhere = await mkdtemp(path.join(tmpdir(), 'elsewhere-'));
    const file = async (name: string, text: string) => {
      await mkdir(path.dirname(path.join(elsewhere, name)), { recursive: true });
      await writeFile(path.join(elsewhere, name), text);
    };
    const at = (name: string) => JSON.stringify(path.join(elsewhere, name));
    for (const [whose, name] of [
      ['persons', 'own'],
      ['agents', 'own'],
      ['agents', 'extra'],
    ] as const) {
      await file(`${whose}/${name}.asd`, `(defsystem "${name}" :components ((:file "${name}")))`);
      await file(`${whose}/${name}.lisp`, `(defparameter cl-user::*${name}* :${whose})`);
    }
    await person(`(push ${at('persons/')} asdf:*central-registry*)`);
    await file('tree/aside.asd', '(defsystem "aside")');
    const compiled = '(namestring (asdf:apply-output-translations #p"/x/y.fasl"))';
    const before = await person(compiled);
    await agent(
      `(asdf:initialize-output-translations '(:output-translations (t ${at('moved/')}) :ignore-inherited-configuration))`,
    );
    await agent(
      `(asdf:initialize-source-registry '(:source-registry (:tree ${at('tree/')}) :ignore-inherited-configuration))`,
    );
    await agent(`(push ${at('agents/')} asdf:*central-registry*)`);
    expect(await agent(compiled)).toContain('moved/');

    const extra = await image.run('load-system', { system: 'extra', ...AGENT });
    expect(extra).toMatchObject({ status: 'ok', result: { name: 'extra' } });
    const shadowing = await image.run('load-system', { system: 'own', ...AGENT });
    expect(shadowing).toMatchObject({ status: 'ok' });
    expect(await person('cl-user::*own*')).toBe(':AGENTS');

    expect(await image.run('load-system', { system: 'own', force: null })).toMatchObject({ status: 'ok' });
    expect([await person('cl-user::*own*'), await person(compiled)]).toEqual([':PERSONS', before]);
    expect(await person(`(namestring (asdf:system-source-file "own"))`)).toBe(at('persons/own.asd'));
    const listed = async (context?: string) =>
      (await image.ask('systems', context === undefined ? {} : { context })).systems.map(({ name }) => name);
    expect([(await listed(AGENT.context)).includes('aside'), (await listed()).includes('aside')]).toEqual([
      true,
      false,
    ]);
    await rm(elsewhere, { recursive: true });
  });

  it('Backtraces of an agent’s code have no frame of what binds its defaults [issue 35.1]', async () => {
    const calls = async (code: string) => (await image.evaluate(code, AGENT)).condition!.frames.map(({ call }) => call);
    expect(await calls('(no-package:f 1)')).toEqual(['(READ)']);
    expect(await calls('(error "here")')).toEqual(['(EVAL (ERROR "here"))']);
  });
});
