/**
 * `lisp-workbench repl`: a REPL with its debugger in the foreground. Code that is typed at a terminal runs as the person's code; code from
 * a pipe runs as a client's code (decision 25).
 */
import path from 'node:path';
import { clientId } from '#contract/clients/actor-id.ts';
import { messageOf } from '#core/base/error.ts';
import { clientRepl, personRepl } from '#core/repl-connections.ts';
import { findPaths } from '#core/settings/paths.ts';
import { PipeConsole } from '#core/transports/repl/pipe-console.ts';
import { Repl } from '#core/transports/repl/repl.ts';
import type { ReplConnection } from '#core/transports/repl/repl-connection.ts';
import type { ReplConsole } from '#core/transports/repl/repl-console.ts';
import type { Workbench } from '#core/workbench.ts';
import { startApprover } from '../approver.ts';
import type { CommandLine } from '../options/arguments.ts';
import { UsageError } from '../options/usage-error.ts';
import { openHeadless, printNotices, say } from '../headless.ts';
import { completeSymbol } from '../terminal/repl-completion.ts';
import { ReplHistory } from '../terminal/repl-history.ts';
import { TerminalConsole } from '../terminal/terminal-console.ts';
import { TerminalOutput } from '#core/transports/repl/terminal-output.ts';

export async function repl(line: CommandLine, version: string): Promise<number> {
  const { stdin, stdout } = process;
  // If an option for effects or a client name is given, even code that a person types at a terminal runs as a client's code.
  const asPerson = stdin.isTTY && line.client === null && !line.effectsGiven;
  if (stdin.isTTY && line.approve !== null)
    throw new UsageError(
      'repl at a terminal needs no approvals; --approve terminal is for a REPL that reads from a pipe.',
    );
  const workbench = await openHeadless(line, version);
  if (!(await started(workbench))) {
    await workbench.dispose();
    return 2;
  }
  const connection = asPerson ? personRepl(workbench) : asClient(workbench, line.client ?? 'stdio');
  const closeApprover = startApprover(line.approve, workbench);
  if (!asPerson) printNotices(workbench);
  const { console, close } = consoleOf(connection, () => void running.interrupt());
  const running = new Repl(connection, console);
  if (stdin.isTTY)
    console.write(`Lisp Workbench ${version}. Ctrl-C interrupts, Ctrl-D or (exit) leaves, Tab completes.\n`);
  process.on('SIGINT', () => void running.interrupt());
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => running.end(0));
  stdout.on('error', () => running.end(0)); // the program that reads the output has exited
  const code = await running.run();
  close();
  closeApprover?.();
  await workbench.dispose();
  return code;
}

/** Starts the image. If that fails, reports the reason and returns false. */
async function started({ session }: Workbench): Promise<boolean> {
  let told = false;
  const stop = session.events.on('lifecycle', ({ change }) => (told ||= change === 'failed'));
  try {
    await session.startInTheEnd();
    return true;
  } catch (error) {
    if (!told) say(messageOf(error));
    return false;
  } finally {
    stop();
  }
}

function asClient(workbench: Workbench, name: string): ReplConnection {
  return clientRepl(workbench, { id: clientId(name), kind: 'client', name }, 'REPL', true);
}

interface OpenConsole {
  readonly console: ReplConsole;
  readonly close: () => void;
}

function consoleOf(connection: ReplConnection, onInterrupt: () => void): OpenConsole {
  const { stdin, stdout, stderr } = process;
  const colours = stdout.isTTY && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';
  if (!stdin.isTTY || !stdout.isTTY || process.env['TERM'] === 'dumb') {
    const shown = new TerminalOutput(colours);
    const options = { input: stdin, output: stdout, error: stderr };
    const console = new PipeConsole(stdout.isTTY ? { ...options, shown: (text) => shown.shown(text) } : options);
    return { console, close: () => stdin.destroy() };
  }
  const console = new TerminalConsole({
    input: stdin,
    output: stdout,
    colours,
    history: new ReplHistory(path.join(findPaths().state, 'repl-history'), say),
    complete: (text, cursor) => completeSymbol(connection, text, cursor),
    onInterrupt,
  });
  return { console, close: () => console.close() };
}
