/**
 * The calls of the wizard that connects a client. A call about a client needs the client's token, and reveals nothing about other clients.
 * The modules for clients' files are loaded by the first call, because most runs of the program connect no client.
 */
import { homedir } from 'node:os';
import type { WorkbenchCalls } from '#contract/rpc.ts';
import type { UserPlaces } from '#core/clients/configuration/locations.ts';
import type { ConnectionFacts } from '#core/clients/configuration/configurations.ts';
import { WorkbenchError } from '#core/base/error.ts';
import { leadingEnvironment } from '#core/settings/paths.ts';
import type { ConnectionStep } from '#contract/clients/connection.ts';
import type { DesktopParts } from '../desktop-parts.ts';
import type { Handlers } from './ipc.ts';

type ConnectingCalls = Pick<
  WorkbenchCalls,
  | 'clients.plugin'
  | 'clients.configurations'
  | 'clients.planConfiguration'
  | 'clients.writeConfiguration'
  | 'clients.test'
>;

export function connectingHandlers(
  { workbench, stdioCommand, pluginFolder }: Pick<DesktopParts, 'workbench' | 'stdioCommand' | 'pluginFolder'>,
  tell: (test: string, steps: ConnectionStep[]) => void,
): Handlers<ConnectingCalls> {
  const factsOf = (token: string): ConnectionFacts => {
    const actor = workbench.clients.authenticate(token);
    if (!actor) throw new WorkbenchError('refused', 'This token is no longer valid. Connect the client again.');
    const { address: url } = workbench.servers.record('http');
    return { name: actor.name, token, url, command: stdioCommand, environment: leadingEnvironment() };
  };
  const places = (): UserPlaces => ({
    platform: process.platform,
    environment: process.env,
    home: homedir(),
    project: workbench.project.root,
  });
  return {
    'clients.plugin': async ({ kind }) => {
      const { installLines } = await import('#core/clients/plugin/install-lines.ts');
      const lines = installLines(kind, pluginFolder);
      if (lines === null) return null;
      const { writePlugin } = await import('#core/clients/plugin/write-plugin.ts');
      const facts = { version: workbench.version, command: stdioCommand, environment: leadingEnvironment() };
      await writePlugin(pluginFolder, facts);
      return { lines };
    },
    'clients.configurations': async ({ kind, token }) => {
      const { configurationsFor } = await import('#core/clients/configuration/configurations.ts');
      return configurationsFor(kind, factsOf(token), places());
    },
    'clients.planConfiguration': async ({ kind, way, token }) => {
      const { planConfiguration } = await import('#core/clients/configuration/files.ts');
      return planConfiguration({ kind, way, facts: factsOf(token), places: places() });
    },
    'clients.writeConfiguration': async ({ kind, way, token, digest }) => {
      const { writeConfiguration } = await import('#core/clients/configuration/files.ts');
      return writeConfiguration({ kind, way, facts: factsOf(token), places: places() }, digest);
    },
    'clients.test': async ({ way, token, test }) => {
      const { testConnection } = await import('#core/clients/configuration/connection-test.ts');
      return testConnection(way, factsOf(token), (steps) => tell(test, steps));
    },
  };
}
