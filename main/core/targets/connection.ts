/**
 * A connection to a target: a shell script that runs there. A login shell may print arbitrary text first. The script's output begins after
 * a line that contains a secret random word.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import type { Target } from '#contract/target.ts';
import { messageOf } from '#core/base/error.ts';
import type { ConnectionFault } from '#core/lisp/start/start-fault.ts';
import { connectionFault, launcherFault } from './faults.ts';
import { launcherOf } from './launcher.ts';

const LINE_FEED = 10;
/** The number of octets that a login shell may print before the script begins. */
const MOST_NOISE = 1024 * 1024;
const KEPT = 8000;
/** How long, in milliseconds, a launcher's last output is still read after the launcher has ended. */
const LATE_MS = 500;

export interface Connection {
  readonly launcher: ChildProcess;
  readonly input: Writable;
  /** The octets after the first line of the script. */
  readonly output: Readable;
  /** Resolves with the words of the script's first line; rejects with a ConnectionFault if there is none. */
  readonly first: Promise<string>;
  /** Returns the last text that the launcher and the script wrote to standard error. */
  said(): string;
  /** Ends the launcher and the processes that it started here. */
  end(): void;
}

/** Returns a random word that marks the lines of a script. */
export function nonce(): string {
  return `lisp-workbench-${randomUUID()}`;
}

/** Starts `script`, whose output begins with a line that consists of `mark`, a blank and words. */
export function connect(target: Target, mark: string, script: string, environment: NodeJS.ProcessEnv): Connection {
  const { command, args, environment: env } = launcherOf(target, script, environment);
  const launcher = spawn(command, args, {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  const pipes = launcher.stdio as ChildProcess['stdio'] | undefined;
  const output = new PassThrough();
  let said = '';
  pipes?.[2]?.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-KEPT)));
  const input = (pipes?.[0] as Writable | undefined) ?? new PassThrough().resume();
  input.on('error', () => {}); // reported by the end of the launcher
  const first = new Promise<string>((resolve, reject) => {
    const stdout = pipes?.[1] as Readable | undefined;
    if (stdout) skipTo(`${mark} `, stdout, output, resolve);
    launcher.on('error', (error) => reject(faultOf(target, error)));
    launcher.on('close', (code) => reject(connectionFault(target, said, code)));
    // A shared connection that ssh left open may keep the pipes open.
    launcher.on('exit', (code) => setTimeout(() => reject(connectionFault(target, said, code)), LATE_MS).unref());
  });
  first.catch(() => {}); // callers that await it get the rejection
  return {
    launcher,
    input,
    output,
    first,
    said: () => said,
    end() {
      try {
        if (process.platform !== 'win32' && launcher.pid !== undefined) process.kill(-launcher.pid, 'SIGKILL');
        else launcher.kill('SIGKILL');
      } catch {
        launcher.kill('SIGKILL');
      }
    },
  };
}

function faultOf(target: Target, error: Error): ConnectionFault {
  return launcherFault(target, messageOf(error));
}

/**
 * Drops the input before the line that begins with `mark`, passes the rest of that line to `tell`, and forwards the input after that line
 * to `to`.
 */
function skipTo(mark: string, from: Readable, to: PassThrough, tell: (words: string) => void): void {
  const wanted = Buffer.from(`\n${mark}`);
  let held: Buffer = Buffer.from('\n'); // a newline, because the output may start with the mark
  const look = (chunk: Buffer): void => {
    held = Buffer.concat([held, chunk]);
    const start = held.indexOf(wanted);
    const end = start === -1 ? -1 : held.indexOf(LINE_FEED, start + wanted.length);
    if (end === -1) {
      if (held.length > MOST_NOISE && start === -1) held = held.subarray(-wanted.length);
      return;
    }
    from.off('data', look);
    const words = held.subarray(start + wanted.length, end).toString();
    const rest = held.subarray(end + 1);
    if (rest.length > 0) to.write(rest);
    from.pipe(to);
    tell(words.trimEnd());
  };
  from.on('data', look);
  from.on('end', () => to.end());
}
