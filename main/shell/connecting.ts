/** The calls of the wizard that connects a client: what is told of each token is told to who has it, and nothing else is. */
import { homedir } from 'node:os';
import type { WorkbenchCalls } from '#contract/rpc.ts';
import { planConfiguration, writeConfiguration } from '#core/clients/configuration-files.ts';
import type { UserPlaces } from '#core/clients/configuration-places.ts';
import { configurationsFor, type ConnectionFacts } from '#core/clients/configurations.ts';
import { testConnection } from '#core/clients/connection-test.ts';
import { WorkbenchError } from '#core/error.ts';
import { leadingEnvironment } from '#core/settings/places.ts';
import type { ConnectionStep } from '#contract/connection.ts';
import type { DesktopParts } from './calls.ts';
import type { Handlers } from './ipc.ts';

type ConnectingCalls = Pick<
  WorkbenchCalls,
  'clients.configurations' | 'clients.planConfiguration' | 'clients.writeConfiguration' | 'clients.test'
>;

export function connectingHandlers(
  { workbench, servers, stdioCommand }: Pick<DesktopParts, 'workbench' | 'servers' | 'stdioCommand'>,
  tell: (test: string, steps: ConnectionStep[]) => void,
): Handlers<ConnectingCalls> {
  const factsOf = (token: string): ConnectionFacts => {
    const actor = workbench.clients.authenticate(token);
    if (!actor) throw new WorkbenchError('refused', 'This token is not valid any more. Connect the client again.');
    const { url } = servers.status;
    return { name: actor.name, token, url, command: stdioCommand, environment: leadingEnvironment() };
  };
  const places = (): UserPlaces => ({
    platform: process.platform,
    environment: process.env,
    home: homedir(),
    project: workbench.project.root,
  });
  return {
    'clients.configurations': ({ kind, token }) => configurationsFor(kind, factsOf(token), places()),
    'clients.planConfiguration': ({ kind, way, token }) =>
      planConfiguration({ kind, way, facts: factsOf(token), places: places() }),
    'clients.writeConfiguration': ({ kind, way, token, digest }) =>
      writeConfiguration({ kind, way, facts: factsOf(token), places: places() }, digest),
    'clients.test': ({ way, token, test }) => testConnection(way, factsOf(token), (steps) => tell(test, steps)),
  };
}
