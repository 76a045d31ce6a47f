/** The calls about the person's tests. */
import type { testingCalls } from '#contract/testing.ts';
import type { Workbench } from '#core/workbench.ts';
import type { Handlers } from './ipc.ts';

export function testingHandlers({ tests }: Workbench): Handlers<typeof testingCalls> {
  return {
    'tests.list': () => tests.list(),
    'tests.run': (request) => tests.run(request),
  };
}
