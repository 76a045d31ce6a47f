/** The command `doctor`: checks everything that the program needs on this machine, and says how to fix what is missing. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemCode } from '#core/base/error.ts';
import { endReasons } from '#core/lisp/image-end.ts';
import { ensureRuntime } from '#core/lisp/start/runtime.ts';
import { prepareSandbox } from '#core/lisp/start/sandbox.ts';
import { findSbcl } from '#core/lisp/start/sbcl.ts';
import { findSources } from '#core/lisp/start/sources.ts';
import { startImage } from '#core/sessions/supervisor/image-start.ts';
import { createPaths, findPaths, type Paths } from '#core/settings/paths.ts';
import { messageForPerson } from '#core/base/system-faults.ts';
import { BUILDING } from '#core/transports/change-notifications.ts';
import { portOwner } from '#core/transports/http/port-owner.ts';
import { keptOwn, readGiven, RENEW_BEFORE_MS } from '#core/transports/http/server-certificate.ts';
import type { CommandLine } from './options/arguments.ts';
import { say } from './headless.ts';

/** `note`: the check passed, but the person should know about a detail. */
type State = 'fine' | 'note' | 'fault';

const MARKS: Record<State, string> = { fine: '✓', note: '!', fault: '✗' };

const LOOPBACK = '127.0.0.1';

type Wanted = Pick<CommandLine, 'sbcl' | 'init' | 'http' | 'port' | 'https' | 'sandbox' | 'swankPort' | 'telnet'>;

/** Runs the checks and prints a line for each finding. @returns the exit code: 1 if a problem prevents the program from working. */
export async function doctor(wanted: Wanted, version: string): Promise<number> {
  let worst = 0;
  const tell = (state: State, words: string): void => {
    process.stdout.write(`${MARKS[state]} ${words}\n`);
    if (state === 'fault') worst = 1;
  };
  /**
   * Runs `work` and returns its result. If it fails, reports the failure and returns null, so that checks that need the result are skipped.
   */
  const found = async <Result>(work: () => Promise<Result> | Result): Promise<Result | null> => {
    try {
      return await work();
    } catch (error) {
      tell('fault', messageForPerson(error));
      return null;
    }
  };
  tell('fine', `Lisp Workbench ${version} on Node ${process.versions.node}, ${process.platform} ${process.arch}.`);
  const paths = await found(() => createPaths(findPaths()));
  if (paths) {
    tell('fine', `Settings are in ${paths.config}, the audit is in ${paths.state}.`);
    if (await lookAtLisp(wanted, paths, tell, found)) await lookAtSandbox(wanted, paths, tell);
    await lookAtServers(wanted, await desktopRuns(paths), tell);
    if (wanted.https) await lookAtCertificate(wanted.https, paths, tell, found);
  }
  return worst;
}

type Tell = (state: State, words: string) => void;
type Found = <Result>(work: () => Promise<Result> | Result) => Promise<Result | null>;

/** Starts an image in a temporary folder, the way `mcp` and `serve` do. Returns true if the image started. */
async function lookAtLisp({ sbcl, init, sandbox }: Wanted, paths: Paths, tell: Tell, found: Found): Promise<boolean> {
  const sources = await found(() => findSources(import.meta.dirname));
  const program = sources === null ? null : await found(() => findSbcl(sbcl, process.env, sources));
  if (sources === null || program === null) return false;
  tell(
    'fine',
    `SBCL ${program.version}${program.shipped ? ', which came with the program,' : ''} is at ${program.path}.`,
  );
  const directory = await mkdtemp(path.join(tmpdir(), 'lisp-workbench-doctor-'));
  const trouble: string[] = [];
  let built = '';
  try {
    const started = Date.now();
    const up = await found(() =>
      startImage(
        {
          runtime: (building) => ensureRuntime(program, sources, paths.cache, [], building),
          directory: () => directory,
          environment: process.env,
          memory: () => ({ heapMegabytes: 512, controlStackMegabytes: 2 }),
          initFile: () => init,
          sandbox: () => (sandbox ? walls(paths) : null),
        },
        {
          event: () => {},
          processOutput: () => {},
          building: () => {
            built = ', including the build of its core';
            say(`${BUILDING} …`);
          },
          initStarting: () => {},
          initFailed: (message) => trouble.push(message),
        },
      ),
    );
    if (up === null) return false;
    const { image, facts } = up;
    tell('fine', `An image starts${sandbox ? ' in the sandbox' : ''}, in ${Date.now() - started} ms${built}.`);
    for (const { feature, names } of facts.lacking)
      tell('note', `Not available: ${feature} (SBCL lacks ${names.join(', ')}).`);
    for (const message of trouble) tell('fault', message);
    image.kill(endReasons.checked);
    await image.ended;
    return true;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function walls({ config, state, socket, cache }: Paths) {
  return { hidden: [config, state, path.dirname(socket)], cache };
}

/** Reports which sandbox is available for images. If a sandbox was requested, starting the image has already tried it. */
async function lookAtSandbox({ sandbox }: Wanted, paths: Paths, tell: Tell): Promise<void> {
  if (sandbox) return;
  try {
    await prepareSandbox(walls(paths), process.env, tmpdir());
    tell('fine', 'Images can run in a sandbox (--sandbox, or in Settings).');
  } catch (error) {
    tell('note', messageForPerson(error));
  }
}

async function lookAtServers(
  { http, port, https, swankPort, telnet }: Wanted,
  hasDesktop: boolean,
  tell: Tell,
): Promise<void> {
  if (hasDesktop) return tell('fine', 'The desktop runs: mcp joins it.');
  if (http) await lookAtPort(port, 'MCP and Lisply', 'HTTP_PORT, or --port', tell);
  if (https) await lookAtPort(https.port, 'MCP and Lisply over HTTPS', 'HTTPS_PORT, or --https-port', tell);
  if (swankPort !== null) await lookAtPort(swankPort, 'SWANK', 'SWANK_PORT, or --swank-port', tell);
  if (telnet) await lookAtPort(telnet.port, 'telnet', 'TELNET_PORT', tell);
}

/** Reports the certificate for HTTPS, and whether it must be renewed soon. */
async function lookAtCertificate(
  { given }: NonNullable<Wanted['https']>,
  { config }: Paths,
  tell: Tell,
  found: Found,
): Promise<void> {
  const now = Date.now();
  const certificate = await (given === null ? keptOwn(config, now) : found(() => readGiven(given, now)));
  if (certificate === null) {
    if (given === null) tell('fine', 'HTTPS creates its own certificate when it starts for the first time.');
    return;
  }
  const { file, fingerprint, until } = certificate;
  const end = new Date(until).toISOString().slice(0, 10);
  const soon = until - now < RENEW_BEFORE_MS;
  tell(
    soon ? 'note' : 'fine',
    `HTTPS has the certificate ${file}, valid to ${end}${soon ? ': renew it' : ''}. Its SHA-256 fingerprint is ${fingerprint}.`,
  );
}

/** `named`: the option or variable with which the person can choose another port for `serve`. */
async function lookAtPort(port: number, purpose: string, named: string, tell: Tell): Promise<void> {
  const code = await listening(port);
  if (code === null) return tell('fine', `Port ${port} is free for ${purpose}.`);
  const owner =
    code === 'EADDRINUSE' ? ` taken by ${(await portOwner(port)) ?? 'another program'}` : ` unavailable (${code})`;
  tell(
    'note',
    `Port ${port} is${owner}, so serve could not start ${purpose} there. Choose another port with ${named}; mcp needs none.`,
  );
}

/** Tries to listen on a port. @returns the system's error code if that fails; null if it works. */
function listening(port: number): Promise<string | null> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', (error) => resolve(systemCode(error) ?? error.message));
    server.listen(port, LOOPBACK, () => server.close(() => resolve(null)));
  });
}

function desktopRuns({ socket }: Paths): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = createConnection(socket);
    connection.once('error', () => resolve(false));
    connection.once('connect', () => {
      connection.destroy();
      resolve(true);
    });
  });
}
