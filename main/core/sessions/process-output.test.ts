/** All output of evaluated code is shown: output to the standard streams, output of C code, and output of programs that the code starts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Evaluation } from './requests.ts';
import { AGENT, openTestSession, type TestSession } from './session.fixture.ts';

let test: TestSession;

beforeAll(async () => {
  test = await openTestSession({ effects: 'allow' });
});

afterAll(() => test.close());

const printed = ({ output }: Evaluation, wanted = 'stdout'): string =>
  output
    .filter(({ stream }) => stream === wanted)
    .map(({ text }) => text)
    .join('');

const PUTS =
  '(sb-alien:alien-funcall (sb-alien:extern-alien "puts" (function sb-alien:int sb-alien:c-string)) "from C")';
const PUTCHAR = '(sb-alien:alien-funcall (sb-alien:extern-alien "putchar" (function sb-alien:int sb-alien:int)) 67)';

describe('printed output in the answer of a client', () => {
  it.each<[string, string, string]>([
    ['to *terminal-io*', '(format *terminal-io* "to the terminal")', 'to the terminal'],
    ['by C, by lines', `(progn ${PUTS} 1)`, 'from C\n'],
    ['by C, without a newline', `(progn ${PUTCHAR} 1)`, 'C'],
    ["to SBCL's own stream", '(write-string "from SBCL" sb-sys:*stdout*)', 'from SBCL'],
    [
      'by a program that inherits it',
      `(sb-ext:run-program "/bin/echo" '("from a program") :output t)`,
      'from a program\n',
    ],
    ['by C and by Lisp', `(progn (princ "Lisp") (terpri) ${PUTS} 1)`, 'from C\n'],
  ])('The answer of a client holds what was printed %s', async (_way, code, expected) => {
    expect(printed(await test.evaluate(code, { actor: AGENT }))).toContain(expected);
  });

  it('The answer of a client holds what was printed to the error output of the process', async () => {
    const told = await test.evaluate('(progn (write-line "alas" sb-sys:*stderr*) 1)', { actor: AGENT });
    expect(printed(told, 'stderr')).toBe('alas\n');
  });

  it('The answer of a client holds what was printed up to the limit of its answer', async () => {
    const told = await test.evaluate(`(dotimes (i 300000) ${PUTS})`, { actor: AGENT });
    expect(printed(told).length).toBeLessThanOrEqual(1_000_000);
    expect(printed(told)).toMatch(/^from C\nfrom C\n/);
  });
});

it('The person is shown what a client wrote to *query-io* and *debug-io*, which its answer leaves out', async () => {
  const seen: string[] = [];
  const stop = test.session.events.on('output', ({ evaluation, stream, text }) => {
    if (evaluation !== null && stream === 'process') seen.push(text);
  });
  const { output } = await test.evaluate('(progn (princ "asked" *query-io*) (princ " told" *debug-io*) 1)', {
    actor: AGENT,
  });
  stop();
  expect([seen.join(''), output]).toEqual(['asked told', []]);
});

it('The person is shown all that goes to the descriptors of the process', async () => {
  const seen: string[] = [];
  const stop = test.session.events.on('output', ({ evaluation, text }) => {
    if (evaluation === null) seen.push(text);
  });
  await test.evaluate(`(progn ${PUTS} (write-line "alas" sb-sys:*stderr*))`);
  stop();
  expect(seen.join('')).toBe('from C\nalas\n');
});

it('A question of a client names the input that it finds at its end', async () => {
  expect(await test.say('(y-or-n-p "Go on?")', { actor: AGENT })).toMatch(/END-OF-FILE: .*#<standard input>/);
});

it('A question of the person is answered by what they type', async () => {
  const answered: Promise<void>[] = [];
  const transcript: string[] = [];
  const stops = [
    test.session.events.on('input-requested', ({ evaluation }) => {
      answered.push(test.session.answerInput(evaluation, 'y'));
    }),
    test.session.events.on('output', ({ stream, text }) => transcript.push(`${stream}: ${text}`)),
  ];
  const code = '(prog1 (y-or-n-p "Go on?") (princ "Going on."))';
  expect(await test.say(code, { interactive: true })).toBe('T');
  for (const stop of stops) stop();
  await Promise.all(answered);
  expect(answered).toHaveLength(1);
  // The answer appears at the point where it was given: between the question and later output.
  expect(transcript).toEqual([expect.stringContaining('Go on?'), 'input: y\n', 'stdout: Going on.']);
});
