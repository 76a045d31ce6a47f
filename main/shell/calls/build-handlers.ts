/** The calls that compare the image with a build of the project. */
import type { buildCalls } from '#contract/builds.ts';
import type { Workbench } from '#core/workbench.ts';
import type { Handlers } from './ipc.ts';

export function buildHandlers({ build }: Workbench): Handlers<typeof buildCalls> {
  return {
    'build.compare': () => build.compare(),
    'build.cancel': () => {
      build.cancel();
      return {};
    },
  };
}
