import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cacheWithout } from '#core/lisp/core.fixture.ts';
import { ALL_LISTED, openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';
import { ensureRuntime } from '#core/lisp/start/runtime.ts';
import { findSbcl } from '#core/lisp/start/sbcl.ts';
import { findSources } from '#core/lisp/start/sources.ts';

/** Names that the engine's optional features need: at least one for each feature, or a whole contrib. */
const OPTIONAL = [
  'SB-SPROF:',
  'SB-IMPL:FD-STREAM-FD-TYPE',
  'SB-C:MAKE-XEP-LAMBDA-EXPRESSION',
  'SB-INTROSPECT:',
  'SB-CLTL2:',
  'SB-KERNEL:RESTART-FUNCTION',
  'SB-IMPL:PEEK-SCHEDULE',
  'SB-DEBUG:MAP-BACKTRACE',
  'SB-DI:EVAL-IN-FRAME',
  'SB-C:WARN-IF-INLINE-FAILED/CALL',
  'SB-IMPL:STREAM-ELEMENT-MODE',
  'SB-KERNEL:BINDING-STACK-POINTER-SAP',
  'SB-IMPL:ENABLE-STEPPING',
  'SB-PCL:METHOD-COMBINATION-OPTIONS',
  'SB-KERNEL:DD-COPIER-NAME',
  'SB-KERNEL:UNDECLARE-STRUCTURE',
  'SB-C:MAKE-FORM-TRACKING-STREAM-OBSERVER',
  'SB-VM:MAP-ALLOCATED-OBJECTS',
  'SB-KERNEL:%CLOSURE-INDEX-REF',
  'SB-KERNEL:TYPE-SPECIFIER',
  'SB-THREAD:THREAD-WAITING-FOR',
  'ASDF/SOURCE-REGISTRY:',
  'ASDF/PLAN:',
  'ASDF/COMPONENT:',
];

const here = { context: 'test', package: null };

describe('SBCL that lacks something of every feature but the essential ones', () => {
  let lisp: TestImage;
  let cache: string;

  beforeAll(async () => {
    cache = await cacheWithout(OPTIONAL);
    lisp = await openTestImage({ cache });
  });

  afterAll(async () => {
    await lisp.close();
    await rm(cache, { recursive: true });
  });

  it('An image on an SBCL that lacks something starts and says which features do without which names', async () => {
    const { lacking } = await lisp.image.ready;
    expect(lacking.map(({ feature }) => feature)).toEqual([
      "compiler notes on agents' inline functions",
      'source locations of guarded functions',
      'octets on the standard streams',
      'variables of new threads',
      'skipping the terminal check for ordinary files',
      'guarding code that agents defined',
      'comparing reloaded code',
      'checkpoints',
      'stack traces',
      "the debugger's frames",
      'arguments of restarts',
      'stepping',
      'finding definitions',
      'lambda lists',
      'who-calls and other cross references',
      'macro expansion of whole forms',
      'class details',
      'recording definitions when they are created',
      'undoing definitions',
      'compiler diagnostics located at their forms',
      'profiling',
      'counting objects in memory',
      'inspecting functions',
      'inspecting structures and vectors',
      'finding the lock that a thread is waiting for',
      'listing available systems',
      'progress of loading a system',
      'finding the changed files of a system',
      "running a system's tests",
    ]);
    expect(lacking.find(({ feature }) => feature === 'stepping')!.names).toEqual(['SB-IMPL:ENABLE-STEPPING']);
  });

  it('An image on an SBCL that lacks something evaluates, defines, fails with restarts, and tells what was defined', async () => {
    expect(await lisp.value('(defstruct point x) (defun f (x) (point-x x)) (f (make-point :x 3))')).toBe('3');
    expect(
      await lisp.value(
        '(defclass thing () ((a :initarg :a))) (slot-value (make-instance (quote thing) :a 4) (quote a))',
      ),
    ).toBe('4');
    expect((await lisp.evaluate('(car 1)')).condition).toMatchObject({ type: 'TYPE-ERROR' });
    expect(await lisp.value('(restart-case (invoke-restart (quote again) 5) (again (x) x))')).toBe('5');
    const { definitions } = await lisp.ask('list-definitions', { ...ALL_LISTED, package: null });
    expect(definitions.map(({ name }) => name)).toEqual(expect.arrayContaining(['F', 'POINT', 'THING']));
  });

  it('An image on an SBCL that lacks something guards code, runs threads and timers, and lives through an exhausted stack', async () => {
    expect(await lisp.value('(sb-thread:join-thread (sb-thread:make-thread (lambda () 6)))')).toBe('6');
    expect(
      await lisp.value(
        '(let ((done (sb-thread:make-semaphore))) (sb-ext:schedule-timer (sb-ext:make-timer (lambda () (sb-thread:signal-semaphore done)) :thread t) 0.01 :repeat-interval 0.01) (sb-thread:wait-on-semaphore done) 7)',
      ),
    ).toBe('7');
    await lisp.value('(mapc (function sb-ext:unschedule-timer) (sb-ext:list-all-timers)) 1');
    expect((await lisp.evaluate('(labels ((deep (n) (+ 1 (deep n)))) (deep 1))')).condition).not.toBeNull();
    expect(await lisp.value('(+ 1 2)')).toBe('3');
  });

  it.each<[string, (image: TestImage) => Promise<unknown>, RegExp]>([
    [
      'profile',
      (image) => image.run('profile', { ...here, code: '1', mode: 'cpu', intervalMs: null, limit: 5 }),
      /lacks SB-SPROF:START-PROFILING, .*, needed for profiling\. Everything else works\.$/,
    ],
    [
      'memory-report',
      (image) => image.ask('memory-report', { limit: 1 }),
      /lacks SB-VM:MAP-ALLOCATED-OBJECTS, needed for counting objects in memory\. Everything else works\.$/,
    ],
    [
      'cross-references',
      (image) => image.ask('cross-references', { ...here, symbol: 'car', relation: 'called-by', limit: 5 }),
      /needed for who-calls and other cross references/,
    ],
    [
      'find-definition',
      (image) => image.ask('find-definition', { ...here, symbol: 'car' }),
      /needed for finding definitions/,
    ],
    [
      'systems',
      (image) => image.ask('systems', {}),
      /lacks ASDF\/SOURCE-REGISTRY:\*SOURCE-REGISTRY\*, needed for listing available systems/,
    ],
  ])('The operation %s is refused by name, as nothing that went wrong', async (_operation, ask, message) => {
    const refused = await ask(lisp).then(
      () => null,
      (error: unknown) => error,
    );
    expect(refused).toMatchObject({ code: 'unsupported', message: expect.stringMatching(message) });
  });

  it('A checkpoint is refused with the reason that SBCL lacks something', async () => {
    expect(await lisp.image.checkpoint()).toEqual({
      reason: expect.stringMatching(/lacks SB-IMPL:PEEK-SCHEDULE, needed for checkpoints\./),
    });
  });

  it('Looking up goes on without what is missing', async () => {
    const { meanings } = await lisp.ask('describe-symbol', { ...here, symbol: 'f' });
    expect(meanings).toMatchObject([{ kind: 'function', lambdaList: '(X)' }]);
  });
});

it('No core is built on an SBCL that lacks something essential, and all that is missing is named', async () => {
  const [sbcl, sources] = [await findSbcl(null), findSources(import.meta.dirname)];
  const missing = ['SB-INT:ENCAPSULATE', 'SB-C:*SOURCE-PLIST*', 'SB-INT:CALL-HOOKS', 'SB-IMPL:STEPPING-ENABLED-P'];
  await expect(ensureRuntime(sbcl, sources, '/nowhere/at/all', missing)).rejects.toMatchObject({
    code: 'no-sbcl',
    message: expect.stringMatching(
      /SBCL \S+ lacks SB-INT:ENCAPSULATE, SB-C:\*SOURCE-PLIST\*, SB-INT:CALL-HOOKS, without which the engine does not start \(evaluating code; asking before code reaches outside the image\)\.$/,
    ),
  });
});
