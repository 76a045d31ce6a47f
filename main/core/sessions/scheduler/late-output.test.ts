import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';
import { LateOutput } from './late-output.ts';

const LATE = '; Printed later by threads or timers of your earlier evaluations:';

let bench: TestWorkbench;
let client: TestClient;

beforeAll(async () => {
  bench = await openTestWorkbench();
  client = await bench.connect();
}, 120_000);

afterAll(() => bench.close());

/** Resolves when an image has printed this text. */
function printed(text: string): Promise<void> {
  return new Promise((resolve) => {
    const stop = bench.workbench.session.events.on('output', (output) => {
      if (!output.text.includes(text)) return;
      stop();
      resolve();
    });
  });
}

/** Returns code that creates a thread. The thread waits for `(go)` and then runs `body`. */
function thread(body: string): string {
  return `(progn (defvar *go* (sb-thread:make-semaphore)) (defun go! () (sb-thread:signal-semaphore *go*)) (sb-thread:make-thread (lambda () (sb-thread:wait-on-semaphore *go*) ${body})) :started)`;
}

it('What a thread prints after its answer comes with the next evaluation of its own client, said to be from before [issue 35.1]', async () => {
  const other = await bench.connect('other');
  expect(await client.evaluate(thread('(format t "LATE~%") (format *error-output* "WORSE~%")'))).toBe('=> :STARTED');
  const came = printed('WORSE');
  await other.evaluate('(go!)');
  await came;
  expect(await other.evaluate('(+ 1 1)')).toBe('=> 2');
  expect(await client.evaluate('(progn (format t "NOW~%") 1)')).toBe(
    `[stdout]\n${LATE}\nLATE\n; Printed by this evaluation:\nNOW\n\n[stderr]\n${LATE}\nWORSE\n\n=> 1`,
  );
  expect(await client.evaluate('2')).toBe('=> 2');
});

it('The history has what threads printed since, and an error that ended one [issue 35.1]', async () => {
  await client.evaluate(thread('(print :before) (error "it broke")'));
  const came = printed('it broke');
  await (await bench.connect('starter')).evaluate('(go!)');
  await came;
  const { text } = await client.call('get-repl-history', { limit: 1 });
  expect(text).toMatch(
    /\n\n; Printed later by threads or timers of your earlier evaluations:\n\n:BEFORE ?\n?;; Thread .* ended: SIMPLE-ERROR: it broke(\n;; \d+: .*)*$/,
  );
  expect((await client.call('get-repl-history', { limit: 1 })).text).not.toContain('ended: SIMPLE-ERROR');
  expect(await client.evaluate('3')).toBe('=> 3');
});

it('An error that ended a thread is said with its frames by the next answer of its client, and is the last error [issue 35.1]', async () => {
  const other = await bench.connect('bystander');
  await client.evaluate('(progn (defun divide-late (n) (list (/ 200 n))) :defined)');
  const code = thread('(list (divide-late 0))');
  await client.evaluate(code);
  const came = printed('DIVISION-BY-ZERO');
  await other.evaluate('(go!)');
  await came;
  expect((await other.call('get-last-error')).text).toBe('No error so far in this session.');
  const said = await client.call('list-directory', {});
  expect(said.isError).toBe(false);
  expect(said.text).toMatch(
    /\n\n\[threads\]\n;; Thread .* ended: DIVISION-BY-ZERO: [\s\S]*\n;; \d+: \(DIVIDE-LATE 0\)/,
  );
  expect((await client.call('list-directory', {})).text).not.toContain('[threads]');
  const last = (await client.call('get-last-error')).text;
  expect(last).toMatch(/^\[ERROR\] DIVISION-BY-ZERO\n[\s\S]*\[Backtrace\][\s\S]*\(DIVIDE-LATE 0\)/);
  expect(last).toContain(`[Code]\n${code}`);
});

it('What a timer prints belongs to the client that made it [issue 35.1]', async () => {
  const came = printed('TICK');
  await client.evaluate('(sb-ext:schedule-timer (sb-ext:make-timer (lambda () (format t "TICK~%"))) 0.1)');
  await came;
  const other = await bench.connect('timeless');
  expect(await other.evaluate('1')).toBe('=> 1');
  expect(await client.evaluate('1')).toBe(`[stdout]\n${LATE}\nTICK\n\n=> 1`);
});

it('A thread that prints without end keeps its last characters for its client, with how many came before [issue 35.1]', () => {
  const late = new LateOutput();
  late.begin('e', 'connection');
  for (let line = 0; line < 10_000; line += 1)
    for (const stream of ['stdout', 'stderr'] as const) late.add('e', { stream, text: `${stream} ${line}\n` });
  late.add('unknown', { stream: 'stdout', text: 'of nobody' });
  const chunks = late.take('connection');
  expect(chunks.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(16_000);
  expect(chunks.map(({ text }) => text.slice(-12))).toEqual(['stdout 9999\n', 'stderr 9999\n']);
  const all = Array.from({ length: 10_000 }, (_, line) => `stdout ${line}\n`.length).reduce(
    (sum, each) => sum + each,
    0,
  );
  const out = chunks.filter(({ stream }) => stream === 'stdout');
  expect(out.reduce((sum, { text, skipped = 0 }) => sum + text.length + skipped, 0)).toBe(all);
  expect(late.take('connection')).toEqual([]);
});
