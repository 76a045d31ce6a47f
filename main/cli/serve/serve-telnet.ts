/** The telnet server of `lisp-workbench serve`, if requested. */
import { clientRepl } from '#core/repl-connections.ts';
import { newTelnetSecret, TelnetServer } from '#core/transports/telnet/telnet-server.ts';
import type { Workbench } from '#core/workbench.ts';
import type { CommandLine } from '../options/arguments.ts';

/** The client name of all telnet connections, because they share one secret. */
const CLIENT = 'telnet';

export interface RunningTelnet {
  /** The telnet section of the ready line. It includes the secret if it was generated, because the secret is not shown anywhere else. */
  readonly ready: { readonly host: string; readonly port: number; readonly secret?: string };
  readonly close: () => Promise<void>;
}

/** Starts the telnet server; returns null if it was not requested. @throws WorkbenchError `system` if the port is taken. */
export async function startTelnet(
  { telnet }: CommandLine,
  workbench: Workbench,
  onRefused: (why: string) => void,
): Promise<RunningTelnet | null> {
  if (!telnet) return null;
  const actor = await workbench.clients.pair(CLIENT, false);
  const secret = telnet.secret ?? newTelnetSecret();
  const server = new TelnetServer({
    port: telnet.port,
    address: process.env['LISP_WORKBENCH_BIND'] || '127.0.0.1',
    secret,
    version: workbench.version,
    connect: () => clientRepl(workbench, actor, 'telnet', false),
    onRefused: (why) => onRefused(`telnet: ${why}`),
  });
  const port = await server.listen();
  return {
    ready: { host: '127.0.0.1', port, ...(telnet.secret === null ? { secret } : {}) },
    close: () => server.close(),
  };
}
