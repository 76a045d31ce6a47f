/** Breakpoints on lines within functions and methods, and restarted frames of functions with breakpoints. */
import { writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';
import { frameOf, restart, stopped } from './debugger.fixture.ts';
import { Steps } from './stepping.fixture.ts';

let test: TestImage;

beforeEach(async () => {
  test = await openTestImage();
}, 120_000);

afterEach(() => test.close());

const SUMMED = `(defun summed (items)
  (let ((sum 0))
    (dolist (item items)
      (setf sum (+ sum item))
      (when (oddp item)
        (incf sum)))
    (map-into items (lambda (x)
                      (list x sum))
              items)
    (values
     (list sum items))))`;

/** Sets a breakpoint on lines of a definition. */
async function stopOn(name: string, text: string, ...wanted: string[]): Promise<void> {
  const all = text.split('\n').map((line) => line.trim());
  const lines = wanted.map((each) => ({ line: all.findIndex((line) => line.startsWith(each)), text: '' }));
  for (const each of lines) each.text = all[each.line]!;
  await test.ask('set-breakpoint', { function: name, set: true, lines });
}

/** The running form of the innermost frame of the code. */
function form({ at }: Steps): string | null {
  const { running } = at.frames.find(({ internal }) => !internal)!.source!;
  return running && running.text.slice(running.start, running.end);
}

async function goOn(steps: Steps): Promise<string | null> {
  await restart(test, steps.at, steps.at.kind === 'step' ? 'STEP-CONTINUE' : 'CONTINUE');
  return steps.arrived();
}

describe('breakpoints on lines', () => {
  it.each(['evaluated', 'loaded', 'compiled'])(
    'A call stops at the form of the line each time it is reached, with its variables: %s [issue 39.2]',
    async (how) => {
      const file = `${test.directory}/summed.lisp`;
      await writeFile(file, SUMMED);
      await test.value(
        { evaluated: SUMMED, loaded: `(load "${file}")`, compiled: `(load (compile-file "${file}"))` }[how]!,
      );
      await stopOn('summed', SUMMED, '(incf sum');
      const steps = new Steps(test, await stopped(test, '(list (summed (list 1 2 3)) (summed nil))'));
      expect([steps.at.kind, steps.at.message, form(steps)]).toEqual([
        'break',
        'Breakpoint: SUMMED, line 6 of its definition.',
        '(incf sum)',
      ]);
      expect(steps.at.steps.within).toBe(true);
      expect(steps.at.frames.find(({ internal }) => !internal)!.source).toMatchObject({
        file: how === 'evaluated' ? null : file,
        running: { line: how === 'evaluated' ? null : 6 },
      });
      const sum = async () =>
        (await test.ask('eval-in-frame', { debugger: steps.at.id, frame: frameOf(steps.at, 'SUMMED'), code: 'sum' }))
          .result!.values[0]!.text;
      expect(await sum()).toBe('1');
      expect(await goOn(steps)).toBe('Breakpoint: SUMMED, line 6 of its definition.');
      expect(await sum()).toBe('7');
      // A step goes on to the next form.
      expect(await steps.take('over')).toMatch(/^\((\+ 1 SUM|\+ SUM 1|INCF SUM|LIST X SUM|MAP-INTO .*)/);
      expect(await goOn(steps)).toBeNull();
      // The stops are gone with the breakpoint.
      await test.ask('set-breakpoint', { function: 'summed', set: false });
      expect((await test.evaluate('(summed (list 1))', { onError: 'debug' })).values[0]!.text).toBe('(2 ((1 2)))');
    },
  );

  it('A line within a function that other code calls back stops too, as do several lines and the call itself [issue 39.2]', async () => {
    await test.value(SUMMED);
    await stopOn('summed', SUMMED, '(defun', '(list x', '(values', 'items)');
    const steps = new Steps(test, await stopped(test, '(summed (list 1 2))'));
    const seen = [steps.at.message];
    for (let stop = await goOn(steps); stop !== null; stop = await goOn(steps)) seen.push(form(steps)!.split('\n')[0]!);
    // On a line on which no form begins, the call stops at the next one.
    expect(seen).toEqual(['Breakpoint: SUMMED is called with (1 2).', '(list x sum)', '(list x sum)', '(values']);
  });

  it('A method stops at its line, with the values of the next methods [issue 39.2]', async () => {
    const text = `(defmethod shown ((n integer))
  (let ((more (call-next-method)))
    (list n more)))`;
    await test.value(`(defgeneric shown (n)) (defmethod shown (n) (list :any n)) ${text}`);
    await test.value(text);
    await stopOn('(method shown (integer))', text, '(list n');
    const steps = new Steps(test, await stopped(test, '(list (shown 1) (shown 2))'));
    expect(form(steps)).toBe('(list n more)');
    expect(await goOn(steps)).toBe('Breakpoint: (METHOD SHOWN (INTEGER)), line 3 of its definition.');
    expect(await goOn(steps)).toBeNull();
  });

  it('The condition of the breakpoint decides about each call, and code that is not debugged does not stop [issue 39.2]', async () => {
    await test.value(SUMMED);
    const line = { line: 10, text: '(list sum items))))' };
    await test.ask('set-breakpoint', { function: 'summed', set: true, when: '(rest items)', lines: [line] });
    expect(await test.value('(summed (list 1 2))')).toBe('(4 ((1 4) (2 4)))');
    const steps = new Steps(test, await stopped(test, '(progn (summed (list 1)) (summed (list 1 2)))'));
    expect(form(steps)).toBe('(list sum items)');
    expect(await goOn(steps)).toBeNull();
    await test.ask('set-breakpoint', { function: 'summed', set: false });
    expect((await test.evaluate('(summed (list 1 2))', { onError: 'debug' })).status).toBe('ok');
  });

  it('A line is found by its text after the definition was edited, and a line that is gone stops the call and says so [issue 39.2]', async () => {
    await test.value(SUMMED);
    await stopOn('summed', SUMMED, '(list sum');
    await test.value(SUMMED.replace('(let', '(print items)\n  (let'));
    const steps = new Steps(test, await stopped(test, '(summed nil)'));
    expect(form(steps)).toBe('(list sum items)');
    await goOn(steps);
    await test.value(SUMMED.replace('(list sum items)', 'sum'));
    const { debugger: record } = await stopped(test, '(summed nil)');
    expect(record.message).toBe(
      'Breakpoint: SUMMED is called with NIL. Stopped at the call, because there is no form to stop at on or after line 11 of SUMMED.',
    );
  });

  it('A line says why no call can stop there [issue 39.2]', async () => {
    const problem = async (name: string, line: number, text: string) =>
      (await test.ask('check-breakpoint-line', { function: name, line, text })).problem;
    expect(await problem('not-yet', 1, '(x)')).toBeNull();
    await test.value(SUMMED);
    expect(await problem('summed', 3, '(setf sum (+ sum item))')).toBeNull();
    expect(await problem('summed', 3, '(setf sum (- sum item))')).toBe(
      'The line is not in the definition of SUMMED that was loaded. Compile the definition first.',
    );
    await test.value('(funcall (compile nil (quote (lambda () (defun unknown (x) (list (* x 2)))))))');
    expect(await problem('unknown', 1, '(list')).toBe(
      'The source of UNKNOWN is not known, so it cannot be compiled again.',
    );
    const file = `${test.directory}/closed.lisp`;
    await writeFile(file, '(let ((n 1))\n  (defun closed ()\n    (list n)))\n');
    await test.value(`(load (compile-file "${file}"))`);
    expect(await problem('closed', 1, '(list n)))')).toBe(
      'The definition of CLOSED is inside LET, so it cannot be compiled separately.',
    );
  });
});

describe('restarted frames', () => {
  it('A restarted frame of a function or a method stops at its breakpoint again, also after it was compiled for debugging [issue 39.2]', async () => {
    await test.value('(defun again (x) (list x (random 1)))');
    await test.value('(defgeneric shown (n)) (defmethod shown ((n integer)) (list n (random 1)))');
    await test.ask('set-breakpoint', { function: 'again', set: true });
    await test.ask('set-breakpoint', { function: '(method shown (integer))', set: true });
    for (const [code, name] of [
      ['(again 1)', 'AGAIN'],
      ['(shown 1)', '(:METHOD SHOWN'],
    ] as const) {
      const steps = new Steps(test, await stopped(test, code));
      const { message } = steps.at;
      if (name === 'AGAIN') await test.run('debug-function', { function: 'again', set: true });
      for (const _time of [1, 2]) {
        await test.ask('restart-frame', { debugger: steps.at.id, frame: frameOf(steps.at, name) });
        expect(await steps.arrived()).toBe(message);
      }
      // Also from within the call.
      expect(await steps.take('into')).toBe('(RANDOM 1)');
      await test.ask('restart-frame', { debugger: steps.at.id, frame: frameOf(steps.at, name) });
      expect(await steps.arrived()).toBe(message);
      expect(await goOn(steps)).toBeNull();
    }
  });

  it('A restarted frame stops at its line again [issue 39.2]', async () => {
    await test.value(SUMMED);
    await stopOn('summed', SUMMED, '(list sum');
    const steps = new Steps(test, await stopped(test, '(summed nil)'));
    await test.ask('restart-frame', { debugger: steps.at.id, frame: frameOf(steps.at, 'SUMMED') });
    expect(await steps.arrived()).toBe('Breakpoint: SUMMED, line 11 of its definition.');
    // Also while the person steps.
    await stopOn('summed', SUMMED, '(map-into', '(list x');
    await test.ask('restart-frame', { debugger: steps.at.id, frame: frameOf(steps.at, 'SUMMED') });
    expect(await steps.arrived()).toBe('Breakpoint: SUMMED, line 7 of its definition.');
    expect(await steps.take('into')).toMatch(/^\(MAP-INTO/);
    await test.ask('restart-frame', { debugger: steps.at.id, frame: frameOf(steps.at, 'SUMMED') });
    expect(await steps.arrived()).toBe('Breakpoint: SUMMED, line 7 of its definition.');
    expect(await goOn(steps)).toBeNull();
  });
});
