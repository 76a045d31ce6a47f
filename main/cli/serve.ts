/** `lisp-workbench serve`: MCP and Lisply over HTTP without a window; one JSON line on standard output when ready. */
import { PERSON } from '#contract/session.ts';
import { HttpServer } from '#core/servers/http-server.ts';
import { Refusals, refusedInWords } from '#core/servers/refusals.ts';
import type { CommandLine } from './arguments.ts';
import { endRequested, openHeadless, sayNotices } from './headless.ts';
import { approveAtTerminal } from './terminal-approver.ts';

const LOOPBACK = '127.0.0.1';

export async function serve(line: CommandLine, version: string): Promise<number> {
  const workbench = await openHeadless(line, version);
  const { client, token } = await workbench.clients.mint(line.client ?? 'client');
  const { LISPLY_AUTH, LISP_WORKBENCH_BIND } = process.env;
  const refusals = new Refusals((refused, since) =>
    workbench.activity.publish({
      kind: 'server-changed',
      actor: PERSON,
      change: 'refused',
      summary: refusedInWords(refused, since),
    }),
  );
  const server = new HttpServer(workbench.door, {
    port: line.port,
    address: LISP_WORKBENCH_BIND || LOOPBACK,
    moreHosts: line.hosts,
    anonymousLisply: LISPLY_AUTH === 'none' ? { id: client.id, kind: 'client', name: client.name } : null,
    onRefused: (why) => refusals.add(why),
  });
  const port = await server.listen();
  sayNotices(workbench);
  const closeTerminal = line.approve === 'terminal' ? approveAtTerminal(workbench.approvals) : null;
  const url = `http://${LOOPBACK}:${port}`;
  const ready = {
    ready: true,
    mcp: `${url}/mcp`,
    lisply: `${url}/lisply`,
    token,
    client: client.name,
    project: workbench.project.root,
    pid: process.pid,
    version,
  };
  process.stdout.write(`${JSON.stringify(ready)}\n`);
  await endRequested();
  closeTerminal?.();
  await server.close();
  refusals.dispose();
  await workbench.dispose();
  return 0;
}
