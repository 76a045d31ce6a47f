/**
 * The person's REPL while an agent's evaluation loops in the same image for a minute. Measures the time from the page's call to its answer,
 * compared with an idle image.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { evaluate } from './editor.ts';
import { compare, quantile, timed, type Comparison } from './harness/measure.ts';
import { overHttp } from './harness/mcp-client.ts';
import type { Bench } from './harness/setup.ts';
import { openWindow } from './harness/window.ts';

const BOUND_MS = 50;
const SAMPLES = 300;
/** Milliseconds between the person's forms; the agent loops for about a minute. */
const PAUSE_MS = 200;

/** Bodies of an agent's loop, each with a description of its work. */
const LOOPS: Readonly<Record<string, string>> = {
  computes: '(incf n)',
  allocates: '(make-list 1000)',
  compiles: "(compile nil '(lambda (x) (list x)))",
  sleeps: '(sleep 0.01)',
};

export async function beside({ scope, say }: Bench): Promise<Comparison[]> {
  const { page } = await openWindow(scope);
  const { url, token } = await page.evaluate(async () => {
    await window.workbench.call('project.trust', {});
    const { token: own } = await window.workbench.call('clients.mint', { name: 'bench' });
    for (;;) {
      const server = (await window.workbench.call('app.snapshot', {})).servers.find(({ kind }) => kind === 'http');
      if (server?.address) return { url: server.address, token: own };
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
  const agent = await overHttp(url, token);
  await evaluate(page, '(+ 1 1)');
  const idle = await sums(page, SAMPLES);
  const rows: Comparison[] = [];
  for (const [what, clauses] of Object.entries(LOOPS)) {
    await evaluate(page, '(defparameter *go* t)');
    const loops = agent.text(`(loop with n = 0 while *go* do ${clauses} finally (return (typep n 'integer)))`);
    await pause(1000);
    const taken = await sums(page, SAMPLES);
    say(`  an agent that ${what}: p95 ${quantile(taken, 0.95).toFixed(1)} ms`);
    rows.push(
      compare(`(+ 1 1) while an agent ${what}, its p95 / ${BOUND_MS} ms`, [quantile(taken, 0.95)], [BOUND_MS], 1),
      compare(`  / in an idle image`, taken, idle, null),
    );
    await evaluate(page, '(setf *go* nil)');
    const ended = await loops;
    // The workbench does not know how long this client waits, so it answers with `Still running` before the evaluation ends.
    if (!/=> T|Still running/.test(ended)) throw new Error(`The agent’s loop ended otherwise: ${ended}`);
  }
  return rows;
}

async function sums(page: Page, count: number): Promise<number[]> {
  const taken: number[] = [];
  for (let index = 0; index < count; index += 1) {
    taken.push(await timed(() => evaluate(page, '(+ 1 1)')));
    await pause(PAUSE_MS);
  }
  return taken;
}
