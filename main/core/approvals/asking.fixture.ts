/** A workbench that asks about all that reaches outside, with somebody who can approve and the client codex, for tests. */
import path from 'node:path';
import { afterAll, afterEach } from 'vitest';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';

export interface Asking {
  readonly bench: TestWorkbench;
  readonly client: TestClient;
  /** The absolute path of a file of the project. */
  readonly at: (name: string) => string;
}

/** Opens the bench at the top of a test file. What a test leaves waiting, granted or paused is gone before the next one. */
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
