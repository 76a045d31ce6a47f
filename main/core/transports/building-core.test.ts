/** A client that calls a tool before the core exists. The answer says that the core is being built. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { openTestWorkbench } from '#core/workbench.fixture.ts';

it('A call that waits for the core of the engine reports as progress that it is being built [K6]', async () => {
  const cache = await mkdtemp(path.join(tmpdir(), 'no-core-'));
  const bench = await openTestWorkbench({ cache });
  try {
    const { client } = await bench.connect();
    const progress: Progress[] = [];
    const seen: boolean[] = [];
    bench.workbench.session.events.on('changed', () => seen.push(bench.workbench.session.view().building));
    const reply = await client.callTool({ name: 'evaluate-lisp', arguments: { code: '(+ 1 2)' } }, undefined, {
      timeout: 300_000,
      onprogress: (each) => progress.push(each),
    });
    expect(reply.content).toEqual([{ type: 'text', text: '=> 3' }]);
    expect(progress.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^The core that images start from is being built, once for this SBCL/),
    );
    expect([seen.includes(true), bench.workbench.session.view().building]).toEqual([true, false]);
  } finally {
    await bench.close();
    await rm(cache, { recursive: true, force: true });
  }
}, 120_000);
