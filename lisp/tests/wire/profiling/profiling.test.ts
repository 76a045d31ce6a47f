/** Profiles of time and memory, and the time that evaluating a form takes. */
import { describe, expect, it } from 'vitest';
import { runningImage } from './running.fixture.ts';

const lisp = await runningImage();

describe('profiling', () => {
  const run = { package: 'RUNNING', intervalMs: null, limit: 20 };

  it('Profiling finds where the time goes [D11]', async () => {
    const { result } = await lisp.run('profile', {
      ...run,
      mode: 'cpu',
      code: '(defvar *n* 600000000) (list (outer *n*) 1)',
    });
    const inner = result?.functions.find(({ name }) => name === 'RUNNING::INNER');
    expect(result?.samples).toBeGreaterThan(3);
    // The function's share of the samples depends on the load of the machine, but is always the largest.
    expect(Math.max(...(result?.functions ?? []).map(({ self }) => self))).toBe(inner?.self);
    expect(result?.functions.find(({ name }) => name === 'form')).toMatchObject({ total: result?.samples });
    expect(result?.stacks[0]).toEqual({
      frames: ['form', 'RUNNING::OUTER', 'RUNNING::INNER'],
      count: expect.any(Number),
    });
    expect((result?.stacks ?? []).reduce((sum, { count }) => sum + count, 0) + (result?.other ?? 0)).toBe(
      result?.samples,
    );
    expect(result?.valueText).toMatch(/^\(\d+ 1\)$/);
    expect(JSON.stringify(result)).not.toMatch(/lisp-workbench/i);
  });

  it('A thread that a late signal has left with SIGPROF blocked is sampled again [issue 35.1]', async () => {
    const samples: number[] = [];
    for (const mode of ['cpu', 'time', 'cpu'] as const) {
      const { result } = await lisp.run('profile', { ...run, mode, code: '(loop repeat 300000000 count t)' });
      samples.push(result!.samples);
      // Simulates SBCL's handler for a signal that arrives after the end of the profile.
      expect((await lisp.evaluate('(sb-sprof::sb-toggle-sigprof (sb-sys:int-sap 0) 1)')).status).toBe('ok');
    }
    expect(samples.filter((each) => each === 0)).toEqual([]);
  });

  it('Profiling finds where the memory goes [D11]', async () => {
    const { result } = await lisp.run('profile', { ...run, mode: 'alloc', code: '(eat 10000)' });
    expect(result?.samples).toBeGreaterThan(2000);
    expect(result?.functions[0]).toMatchObject({ name: 'RUNNING::EAT' });
    expect(result?.stacks[0]?.frames).toEqual(['form', 'RUNNING::EAT']);
  });

  it('Profiling counts the time that passes too [D11]', async () => {
    const { result } = await lisp.run('profile', { ...run, mode: 'time', code: '(outer 300000000)' });
    expect(result?.functions[0]).toMatchObject({ name: 'RUNNING::INNER' });
  });

  it('Profiling ends with the code, by an error or an interrupt, and the next one works [D11]', async () => {
    const failed = await lisp.run('profile', { ...run, mode: 'cpu', code: '(error "Stop.")' });
    expect([failed.status, failed.condition?.message, failed.condition?.frames]).toEqual(['error', 'Stop.', []]);
    const endless = lisp.image.request('profile', {
      ...run,
      evaluation: 'endless',
      context: 'test',
      actor: 'person',
      outputLimit: 1000,
      guard: false,
      onError: 'report',
      mode: 'cpu',
      code: '(write-line "begun") (finish-output) (loop)',
    });
    for (;;) if ((await lisp.next('output')).evaluation === 'endless') break;
    await lisp.ask('interrupt', { evaluation: 'endless' });
    await expect(endless).resolves.toMatchObject({ status: 'interrupted' });
    await expect(lisp.run('profile', { ...run, mode: 'cpu', code: '(list 1)' })).resolves.toMatchObject({
      status: 'ok',
      result: { valueText: '(1)' },
    });
    await expect(
      lisp.value(
        '(list (find "profiler" (sb-thread:list-all-threads) :key (quote sb-thread:thread-name) :test (quote search)) (sb-ext:list-all-timers))',
      ),
    ).resolves.toBe('(NIL NIL)');
  });

  it('All threads are sampled from start to stop, whoever runs what, and meanwhile no other profile is taken [D11]', async () => {
    await expect(lisp.ask('start-profile', { mode: 'cpu' })).resolves.toEqual({ problem: null });
    expect((await lisp.ask('profile-state', {})).elapsedMs).toBeGreaterThanOrEqual(0);
    expect((await lisp.ask('start-profile', { mode: 'cpu' })).problem).toMatch(/^Another profile is being recorded/);
    const refused = await lisp.run('profile', { ...run, mode: 'cpu', code: '1' });
    expect(refused.condition?.message).toMatch(/^Another profile is being recorded/);
    await lisp.value('(sb-thread:join-thread (sb-thread:make-thread (lambda () (inner 300000000)) :name "aside"))', {
      context: 'test',
      package: 'RUNNING',
    });
    await lisp.value('(outer 300000000)', { context: 'test', package: 'RUNNING' });
    const { profile } = await lisp.ask('stop-profile', { limit: 50 });
    const stacks = profile!.stacks.map(({ frames }) => frames.join(' < '));
    expect(stacks.some((each) => /^all threads < thread aside .*RUNNING::INNER$/.test(each))).toBe(true);
    expect(
      stacks.some((each) => /^all threads < thread \S+ worker .*RUNNING::OUTER < RUNNING::INNER$/.test(each)),
    ).toBe(true);
    await expect(lisp.ask('profile-state', {})).resolves.toEqual({ elapsedMs: null });
    await expect(lisp.ask('stop-profile', { limit: 50 })).resolves.toEqual({ profile: null });
  });

  it('Profiling is refused while the code itself profiles [D11]', async () => {
    await lisp.value('(sb-sprof:start-profiling)');
    const { condition } = await lisp.run('profile', { ...run, mode: 'cpu', code: '1' });
    await lisp.value('(sb-sprof:stop-profiling)');
    expect(condition?.message).toContain("has started SBCL's profiler");
  });

  it('Timing measures the last form, compiled [D11]', async () => {
    const { result } = await lisp.run('time-form', { package: 'RUNNING', code: '(defvar *m* 100) (eat *m*)', runs: 4 });
    const times = (result?.runs ?? []).map(({ realMs }) => realMs).toSorted((a, b) => a - b);
    expect(result).toEqual({
      runs: Array.from({ length: 4 }, () => ({
        realMs: expect.any(Number),
        runMs: expect.any(Number),
        gcMs: expect.any(Number),
        bytesConsed: expect.any(Number),
        cycles: expect.any(Number),
      })),
      minMs: times[0],
      medianMs: expect.closeTo(((times[1] ?? 0) + (times[2] ?? 0)) / 2, 2),
      valueText: '#(0 0 0 0 0 0 0 0 ...)',
    });
    expect(result?.runs[0]?.bytesConsed).toBeGreaterThan(700_000);
  });
});
