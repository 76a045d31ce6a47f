/** `lisp-workbench mcp`: MCP on standard input and output, in the desktop's image when one runs, else in one of its own. */
import { pipeline } from 'node:stream/promises';
import { joinDesktop } from '#core/servers/private-socket.ts';
import { serveLines } from '#core/servers/mcp/stdio.ts';
import { findPlaces } from '#core/settings/places.ts';
import { UsageError, type CommandLine } from './arguments.ts';
import { endRequested, openHeadless, say, sayNotices } from './headless.ts';

export async function mcp(line: CommandLine, version: string): Promise<number> {
  if (!line.headless) {
    const joined = await join(line);
    if (joined !== null) return joined;
  }
  return runHeadless(line, version);
}

/** Speaks through the desktop's socket; null when there is no desktop to join. */
async function join(line: CommandLine): Promise<number | null> {
  const token = process.env['LISP_WORKBENCH_TOKEN'] || null;
  const joined = await joinDesktop(findPlaces().socket, { client: line.client, token });
  if (!joined) return null;
  const { socket, welcome } = joined;
  if (!welcome.welcome) {
    socket.destroy();
    if (welcome.reason !== 'no-token')
      throw new UsageError(`${welcome.message} To run without the desktop add --headless.`);
    say(`${welcome.message} Until then an image of its own is used.`);
    return null;
  }
  say('Joined the running desktop. Its person sees what you do.');
  process.stdin.pipe(socket);
  const ended = pipeline(socket, process.stdout).catch(() => {}); // a cut pipe is an end like any other
  let asked = false;
  process.stdin.once('end', () => (asked = true));
  void endRequested().then(() => {
    asked = true;
    socket.destroy();
  });
  await ended;
  if (!asked) say('The desktop closed the connection.');
  return asked ? 0 : 1;
}

async function runHeadless(line: CommandLine, version: string): Promise<number> {
  const workbench = await openHeadless(line, version);
  sayNotices(workbench, line.effects);
  const name = line.client ?? 'client';
  const actor = { id: `client:${name.toLowerCase()}`, kind: 'client', name } as const;
  const connection = serveLines(workbench.door, actor, process.stdin, process.stdout, 'MCP over stdio');
  await Promise.race([connection.closed, endRequested()]);
  await workbench.dispose();
  return 0;
}
