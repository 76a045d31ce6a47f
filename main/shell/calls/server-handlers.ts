/** Handles the page's calls about servers. The calls are answered at once; the event `servers-changed` reports the outcome of a start. */
import type { WorkbenchCalls } from '#contract/rpc.ts';
import type { Workbench } from '#core/workbench.ts';
import type { Handlers } from './ipc.ts';

type ServerCalls = Pick<WorkbenchCalls, 'servers.start' | 'servers.stop' | 'servers.act'>;

export function serverHandlers({ servers }: Workbench): Handlers<ServerCalls> {
  return {
    'servers.start': ({ kind, port }) => {
      void servers.start(kind, port);
      return {};
    },
    'servers.stop': async ({ kind }) => {
      await servers.stop(kind);
      return {};
    },
    'servers.act': async ({ kind, offer }) => {
      await servers.act(kind, offer);
      return {};
    },
  };
}
