/** `lisp-workbench repl`: a REPL with its debugger in the foreground, at a terminal as the person, on a pipe as a client (decision 25). */
import { clientId } from '#contract/actor-id.ts';
import { clientRepl, personRepl } from '#core/repl-connections.ts';
import { PipeConsole } from '#core/transports/repl/pipe-console.ts';
import { Repl } from '#core/transports/repl/repl.ts';
import type { CommandLine } from './arguments.ts';
import { openHeadless, printNotices, say } from './headless.ts';
import { approveAtTerminal } from './terminal-approver.ts';

export async function repl(line: CommandLine, version: string): Promise<number> {
  const workbench = await openHeadless(line, version);
  const name = line.client ?? 'stdio';
  const actor = { id: clientId(name), kind: 'client', name } as const;
  const connection = clientRepl(workbench, actor, 'REPL on a pipe', true);
  const console = new PipeConsole({ input: process.stdin, output: process.stdout, error: process.stderr });
  await workbench.session.start();
  const closeTerminal = line.approve === 'terminal' ? approveAtTerminal(workbench.approvals) : null;
  printNotices(workbench);
  const running = new Repl(connection, console);
  process.on('SIGINT', () => void running.interrupt());
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => running.end(0));
  process.stdout.on('error', () => running.end(0)); // nobody reads it any more
  const code = await running.run();
  closeTerminal?.();
  await workbench.dispose();
  return code;
}
