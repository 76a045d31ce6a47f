/** Handles the window's calls about systems. */
import type { systemCalls } from '#contract/image/system.ts';
import { describeSystem, graphOfSystem, testSystem } from '#core/sessions/systems/runs.ts';
import type { Workbench } from '#core/workbench.ts';
import type { Handlers } from './ipc.ts';

export function systemHandlers(workbench: Workbench): Handlers<typeof systemCalls> {
  const { session, loads } = workbench;
  return {
    'systems.list': () => session.lookUp('systems', {}),
    'systems.load': ({ system, evaluation, force }) => loads.load({ system, evaluation, force }, workbench.onError),
    'systems.outdated': () => session.lookUp('outdated-systems', {}),
    'systems.describe': ({ system, evaluation }) => describeSystem(session, system, evaluation),
    'systems.graph': ({ system, evaluation }) => graphOfSystem(session, system, evaluation),
    'systems.test': ({ system, evaluation }) => testSystem(workbench, system, evaluation),
    'systems.useLibrary': async ({ evaluation, ...library }) => {
      await workbench.libraries.use(library, evaluation);
      return {};
    },
  };
}
