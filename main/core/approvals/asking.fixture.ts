/** A workbench for tests that asks for approval of all effects outside the image. It has a connected approver and the client `codex`. */
import path from 'node:path';
import { afterAll, afterEach } from 'vitest';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';

export interface Asking {
  readonly bench: TestWorkbench;
  readonly client: TestClient;
  /** Returns the absolute path of a file of the project. */
  readonly at: (name: string) => string;
}

/** Opens a workbench. Call this function at the top of a test file. After each test, waiting cards, grants and pauses are removed. */
export async function asking(): Promise<Asking> {
  const bench = await openTestWorkbench({ effects: null });
  const client = await bench.connect('codex');
  const { approvals, clients, rules } = bench.workbench;
  approvals.setApprover('the test');
  afterEach(async () => {
    for (const { id } of clients.list()) {
      approvals.denyAllOf(id, 'The test is over.');
      await clients.change({ id, paused: false });
    }
    rules.revoke(null);
  });
  afterAll(() => bench.close());
  return { bench, client, at: (name) => path.join(bench.project, name) };
}
