/** `lisp-workbench serve`: MCP and Lisply over HTTP and HTTPS without a window. Prints one JSON line on standard output when ready. */
import { WORKBENCH } from '#contract/clients/known-actors.ts';
import { WorkbenchError } from '#core/base/error.ts';
import { createPaths, findPaths } from '#core/settings/paths.ts';
import { CertificateRenewal, readCertificate } from '#core/transports/http/certificate-renewal.ts';
import { HttpServer } from '#core/transports/http/http-server.ts';
import { Refusals, refusedInWords } from '#core/transports/http/refusals.ts';
import type { ServerCertificate } from '#core/transports/http/server-certificate.ts';
import type { Workbench } from '#core/workbench.ts';
import type { CommandLine } from '../options/arguments.ts';
import { endRequested, openHeadless, printNotices, say } from '../headless.ts';
import { startTelnet } from './serve-telnet.ts';
import { checkApprove, startApprover } from '../approver.ts';

const LOOPBACK = '127.0.0.1';

/** Starts SWANK and returns its address. @throws WorkbenchError that says why SWANK does not listen and what to do. */
async function startSwank(workbench: Workbench, port: number): Promise<string> {
  const { address, problem } = await workbench.servers.start('swank', port, WORKBENCH);
  if (address !== null) return address;
  await workbench.dispose();
  throw new WorkbenchError('system', `SWANK could not be started. ${problem}`);
}

export async function serve(line: CommandLine, version: string): Promise<number> {
  checkApprove(line, process.env);
  const source = { given: line.https?.given ?? null, folder: createPaths(findPaths()).config };
  const certificate = line.https === null ? null : await readCertificate(source);
  const workbench = await openHeadless(line, version);
  const { client, token } = await workbench.clients.mint(line.client ?? 'client');
  const { LISPLY_AUTH, LISP_WORKBENCH_BIND } = process.env;
  const refusals = new Refusals((refused, since) =>
    workbench.activity.publish({
      kind: 'server-changed',
      actor: WORKBENCH,
      change: 'refused',
      summary: refusedInWords(refused, since),
    }),
  );
  const server = new HttpServer(workbench.transportHost, {
    anonymousLisply: LISPLY_AUTH === 'none' ? { id: client.id, kind: 'client', name: client.name } : null,
    onRefused: (why) => refusals.add(why),
  });
  const address = LISP_WORKBENCH_BIND || LOOPBACK;
  const { http, https, port, hosts } = line;
  const plain = http ? await server.listen({ port, address, moreHosts: hosts, certificate: null }) : null;
  const secure =
    https && certificate
      ? await server.listen({ port: https.port, address, moreHosts: https.hosts, certificate })
      : null;
  const renewal = certificate && renewing(source, certificate, server);
  const swank = line.swankPort === null ? null : await startSwank(workbench, line.swankPort);
  const telnet = await startTelnet(line, workbench, (why) => refusals.add(why));
  const closeApprover = startApprover(line.approve, workbench);
  printNotices(workbench);
  const host = address === '::1' ? '[::1]' : LOOPBACK;
  const addresses = [
    ...(plain === null ? [] : [addressesOf(`http://${host}:${plain}`)]),
    ...(secure === null ? [] : [addressesOf(`https://${host}:${secure}`)]),
  ];
  const ready = {
    ready: true,
    ...addresses[0],
    ...(certificate === null ? {} : { https: { ...addresses.at(-1), ...shown(certificate) } }),
    ...(swank === null ? {} : { swank }),
    token,
    ...(telnet ? { telnet: telnet.ready } : {}),
    client: client.name,
    project: workbench.project.root,
    pid: process.pid,
    version,
  };
  process.stdout.write(`${JSON.stringify(ready)}\n`);
  await endRequested();
  closeApprover?.();
  renewal?.dispose();
  await telnet?.close();
  await server.close();
  refusals.dispose();
  await workbench.dispose();
  return 0;
}

function addressesOf(url: string): { mcp: string; lisply: string } {
  return { mcp: `${url}/mcp`, lisply: `${url}/lisply` };
}

/** Returns the data by which a client can verify the certificate: its digest, or the file to trust. */
function shown({ fingerprint, file, until, selfSigned }: ServerCertificate) {
  return { fingerprint, certificate: file, until: new Date(until).toISOString(), selfSigned };
}

function renewing(
  source: ConstructorParameters<typeof CertificateRenewal>[0],
  served: ServerCertificate,
  server: HttpServer,
): CertificateRenewal {
  return new CertificateRenewal(source, served, {
    renewed: (certificate) => {
      server.renew(certificate);
      say(`HTTPS now uses another certificate; its SHA-256 fingerprint is ${certificate.fingerprint}.`);
    },
    failed: (why) => say(`HTTPS keeps its current certificate, because there is no new one: ${why}`),
  });
}
