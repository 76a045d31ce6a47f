/** `lisp-workbench mcp`: MCP on standard input and output, in the desktop's image when one runs, else in one of its own. */
import { pipeline } from 'node:stream/promises';
import { joinDesktop } from '#core/servers/private-socket.ts';
import { serveLines } from '#core/servers/mcp/stdio.ts';
import { findPlaces } from '#core/settings/places.ts';
import { UsageError, type CommandLine } from './arguments.ts';
import { endRequested, openHeadless, say, sayNotices } from './headless.ts';

/** Said where no token was given. */
const WAITING =
  'The person at the running desktop is asked to let this client in; until then its tools say so. With the token of "Connect an AI client…" in LISP_WORKBENCH_TOKEN nobody is asked; with --headless an image of its own is used.';

const TURNED_AWAY =
  'The desktop closed the connection: its person did not let this client in, or the desktop itself was closed.';

export async function mcp(line: CommandLine, version: string): Promise<number> {
  // The desktop's image need not be in a sandbox.
  if (!line.headless && !line.sandbox) {
    const joined = await join(line);
    if (joined !== null) return joined;
    say(
      'No desktop is open, so this has an image of its own, which nobody sees. Start the desktop first to share one.',
    );
  }
  return runHeadless(line, version);
}

/** Speaks through the desktop's socket; null when there is no desktop to join. */
async function join(line: CommandLine): Promise<number | null> {
  const token = process.env['LISP_WORKBENCH_TOKEN'] || null;
  const joined = await joinDesktop(findPlaces().socket, { client: line.client, token, pid: process.pid });
  if (!joined) return null;
  const { socket, welcome } = joined;
  if (!welcome.welcome) {
    socket.destroy();
    throw new UsageError(`${welcome.message} To run without the desktop add --headless.`);
  }
  say(welcome.waiting ? WAITING : 'Joined the running desktop. Its person sees what you do.');
  process.stdin.pipe(socket);
  const ended = pipeline(socket, process.stdout).catch(() => {}); // a cut pipe is an end like any other
  let asked = false;
  process.stdin.once('end', () => (asked = true));
  void endRequested().then(() => {
    asked = true;
    socket.destroy();
  });
  await ended;
  if (!asked) say(welcome.waiting ? TURNED_AWAY : 'The desktop closed the connection.');
  return asked ? 0 : 1;
}

async function runHeadless(line: CommandLine, version: string): Promise<number> {
  const workbench = await openHeadless(line, version);
  sayNotices(workbench);
  const name = line.client ?? 'client';
  const actor = { id: `client:${name.toLowerCase()}`, kind: 'client', name } as const;
  const connection = serveLines(workbench.door, actor, process.stdin, process.stdout, 'MCP over stdio');
  await Promise.race([connection.closed, endRequested()]);
  await workbench.dispose();
  return 0;
}
