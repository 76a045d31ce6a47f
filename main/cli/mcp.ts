/**
 * `lisp-workbench mcp`: serves MCP on standard input and output. The client uses the desktop's image if the desktop is running. If it is
 * not, the client gets its own image, but a client with a token or with `--join` waits for the desktop instead.
 */
import { clientId } from '#contract/clients/actor-id.ts';
import type { ClientProfile } from '#contract/clients/client.ts';
import { Duplex, PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { messageOf, WorkbenchError } from '#core/base/error.ts';
import {
  closedWindowHost,
  closedText,
  closedUnderWay,
  refusedText,
  refusedUnderWay,
} from '#core/transports/closed-window-host.ts';
import { joinDesktop } from '#core/transports/socket/private-socket.ts';
import { serveLines } from '#core/transports/mcp/stdio/stdio.ts';
import { findPaths } from '#core/settings/paths.ts';
import { withSecretFiles } from '#core/settings/secret-files.ts';
import { checkApprove, startApprover } from './approver.ts';
import type { CommandLine } from './options/arguments.ts';
import { introduction } from './introduction.ts';
import { UsageError } from './options/usage-error.ts';
import { endRequested, openHeadless, say, printNotices } from './headless.ts';
import { Relay } from './relay.ts';

/** The notice for a client that has no token. */
const WAITING =
  'The running desktop is asking the person to accept this client; until then its tools report that they are waiting. To skip the question, set LISP_WORKBENCH_TOKEN to the token from "Connect an AI client…", or use --headless for a separate image.';

const TURNED_AWAY =
  'The desktop closed the connection: the person did not accept this client, or the desktop itself was closed.';

const JOINED = 'Joined the running desktop. The person there sees what you do.';
const CLOSED = 'The window was closed while this ran.';
const CUT = 'The window ended the connection while this ran.';
const UNKNOWN = 'What it did until then is unknown; check before you do it again.';
const ALONE = 'No window shows this image: only you use it, and it ends with this connection.';

export async function mcp(line: CommandLine, version: string): Promise<number> {
  checkApprove(line, process.env);
  // Each of these options requires an image of its own, because the desktop's image may run without a sandbox and its requests are approved
  // in the window.
  if (line.headless || line.sandbox || line.target !== null || line.approve !== null) return runHeadless(line, version);
  const token = withSecretFiles(process.env)['LISP_WORKBENCH_TOKEN'] || null;
  if (token !== null) return stayWithWindow(line, version, { client: line.client, token, tools: line.tools });
  // A program that the person has not named is shown under the name that it reports.
  const introduced = line.client === null ? await introduction(process.stdin) : { program: line.client };
  if (introduced === null) return 0;
  const who = { client: introduced.program, token, tools: line.tools };
  if (line.join) return stayWithWindow(line, version, who);
  // If the window rejects this client now, the command keeps running and tries again later.
  const joined = await dial(who, null).catch(() => 'later' as const);
  if (joined === 'later') return stayWithWindow(line, version, who);
  if (joined) return speakThrough(joined.socket, joined.waiting);
  say(
    'No desktop is open, so this connection has its own image, which no window shows. Start the desktop first to share one.',
  );
  return runHeadless(line, version);
}

/**
 * Connects through the desktop's socket whenever the desktop is open and accepts the client. Never runs code elsewhere. While there is no
 * connection, the answer to every call gives the reason. If the command exited instead, the client could only report that it failed.
 */
async function stayWithWindow(line: CommandLine, version: string, who: Who): Promise<number> {
  const { token } = who;
  const home = process.env['LISP_WORKBENCH_HOME'] || null;
  let refused: string | null = null;
  let run: string | null = null;
  const text = (): string => (refused === null ? closedText(home) : refusedText(refused));
  const lostToo = (): string =>
    refused === null ? `${CLOSED} ${UNKNOWN} ${closedUnderWay(home)}` : `${CUT} ${UNKNOWN} ${refusedUnderWay(refused)}`;
  const join = async (): Promise<Duplex | null> => {
    try {
      refused = null;
      const joined = await dial(who, run);
      if (joined) run = joined.run;
      return joined?.socket ?? null;
    } catch (error) {
      refused = messageOf(error);
      return null;
    }
  };
  const window = await join();
  const joined = token === null ? WAITING : JOINED;
  say(window ? joined : text());
  const relay = new Relay(
    {
      input: process.stdin,
      output: process.stdout,
      join,
      closed: () => closedServer(line, version, text),
      lost: (isBack) => (isBack ? `${CUT} ${UNKNOWN}` : lostToo()),
      // Without a token, each reconnection would ask the person again.
      endsWithWindow: token === null ? new WorkbenchError('refused', TURNED_AWAY) : null,
      say: (change) => say(change === 'joined' ? joined : text()),
    },
    window,
  );
  await Promise.race([relay.ended, endRequested()]);
  return 0;
}

/** The client's name, token and tool set, as they are sent to the window. */
interface Who {
  readonly client: string | null;
  readonly token: string | null;
  readonly tools: ClientProfile | null;
}

interface Joined {
  readonly socket: Duplex;
  readonly waiting: boolean;
  /** The id of the workbench's current run. */
  readonly run: string;
}

/**
 * Connects to the desktop; null if no desktop is running. `since` is the run id of the previously connected workbench. @throws UsageError
 * if the desktop rejects the client.
 */
async function dial(who: Who, since: string | null): Promise<Joined | null> {
  const joined = await joinDesktop(findPaths().socket, { ...who, pid: process.pid, since });
  if (!joined) return null;
  const { socket, welcome } = joined;
  if (welcome.welcome) return { socket, waiting: welcome.waiting, run: welcome.run };
  socket.destroy();
  throw new UsageError(`${welcome.message} To run without the desktop add --headless.`);
}

async function speakThrough(socket: Duplex, waiting: boolean): Promise<number> {
  say(waiting ? WAITING : JOINED);
  process.stdin.pipe(socket);
  const ended = pipeline(socket, process.stdout).catch(() => {}); // a broken pipe ends the connection like any other end
  let asked = false;
  process.stdin.once('end', () => (asked = true));
  void endRequested().then(() => {
    asked = true;
    socket.destroy();
  });
  await ended;
  if (!asked) say(waiting ? TURNED_AWAY : 'The desktop closed the connection.');
  return asked ? 0 : 1;
}

function closedServer(line: CommandLine, version: string, text: () => string): Duplex {
  const [asked, answered] = [new PassThrough(), new PassThrough()];
  const host = closedWindowHost(version, text);
  const { closed } = serveLines(host, actorOf(line), asked, answered, 'MCP over stdio', { profile: line.tools });
  void closed.then(() => answered.end());
  return Duplex.from({ readable: answered, writable: asked });
}

async function runHeadless(line: CommandLine, version: string): Promise<number> {
  const workbench = await openHeadless(line, version);
  // The client will evaluate code soon, so the image starts while the client opens its session. If the start fails, the first call reports
  // the error.
  workbench.session.start().catch(() => {});
  const closeApprover = startApprover(line.approve, workbench);
  printNotices(workbench);
  const host = { ...workbench.transportHost, notice: `${ALONE} ${workbench.transportHost.notice}` };
  const connection = serveLines(host, actorOf(line), process.stdin, process.stdout, 'MCP over stdio');
  await Promise.race([connection.closed, endRequested()]);
  closeApprover?.();
  await workbench.dispose();
  return 0;
}

function actorOf({ client }: CommandLine) {
  const name = client ?? 'client';
  return { id: clientId(name), kind: 'client', name } as const;
}
