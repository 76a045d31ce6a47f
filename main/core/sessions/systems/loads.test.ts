import { access, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SystemLoad } from '#contract/image/system.ts';
import { openTestWorkbench, type TestWorkbench } from '#core/workbench.fixture.ts';

let bench: TestWorkbench;

beforeAll(async () => {
  bench = await openTestWorkbench({ checkpoints: false });
}, 120_000);

afterAll(() => bench.close());

const states = (): string[] => bench.workbench.loads.all().map(({ system, state }) => `${system} ${state}`);

/** Resolves when the states of the loads, newest first, are these. */
function reached(...wanted: string[]): Promise<void> {
  const { events } = bench.workbench.loads;
  return new Promise((resolve) => {
    const check = (): boolean => JSON.stringify(states()) === JSON.stringify(wanted);
    if (check()) return resolve();
    const stop = events.on('changed', (_loads: SystemLoad[]) => {
      if (!check()) return;
      stop();
      resolve();
    });
  });
}

describe('loads of systems', () => {
  it('A load is gone with the image that it went into, and is there again once its system is', async () => {
    const { workbench } = bench;
    const client = await bench.connect();
    await workbench.loads.load({ system: 'alexandria', evaluation: crypto.randomUUID() });
    await client.call('load-system', { system: ':CL-PPCRE' });
    await workbench.loads.load({ system: 'no-such-system', evaluation: crypto.randomUUID() });
    expect(states()).toEqual(['no-such-system failed', ':CL-PPCRE loaded', 'alexandria loaded']);
    await client.evaluate('(sb-ext:exit :code 3 :abort t)');
    await reached('no-such-system failed', ':CL-PPCRE gone', 'alexandria gone');
    await client.evaluate('(require "cl-ppcre")');
    await reached('no-such-system failed', ':CL-PPCRE loaded', 'alexandria gone');
  });

  it('A load of a system with a file that is not there says which file [D9]', async () => {
    const { workbench, project } = bench;
    await writeFile(path.join(project, 'lacking.asd'), '(defsystem "lacking" :components ((:file "not-there")))');
    const { load } = await workbench.loads.load({ system: 'lacking', evaluation: crypto.randomUUID() });
    expect(load.state).toBe('failed');
    expect(load.message).toMatch(/^lacking\.asd: .*not-there\.lisp/);
  });

  it('A load is cancelled, the systems were listed without running anything of the project, and the image goes on [D9, K7]', async () => {
    const { workbench, project } = bench;
    const ran = path.join(project, 'ran');
    await writeFile(
      path.join(project, 'slow.asd'),
      `(with-open-file (s "${ran}" :direction :output) (print :ran s)) (defsystem "slow" :components ((:file "slow")))`,
    );
    await writeFile(path.join(project, 'slow.lisp'), '(eval-when (:compile-toplevel) (sleep 600))\n');
    const { systems } = await workbench.session.lookUp('systems', {});
    expect(systems.map(({ name }) => name)).toContain('slow');
    await expect(access(ran)).rejects.toThrow(/ENOENT/);
    const evaluation = crypto.randomUUID();
    const loading = workbench.loads.load({ system: 'slow', evaluation });
    await vi.waitFor(() => access(ran), { timeout: 30_000 });
    await vi.waitFor(async () => expect(await workbench.session.interrupt(evaluation)).toBe(true));
    expect((await loading).load).toMatchObject({ system: 'slow', state: 'cancelled' });
    const client = await bench.connect();
    expect(await client.evaluate('(+ 40 2)')).toBe('=> 42');
  });
});
