/**
 * Child processes of the setup. They either run to their end with their output collected, or run in the foreground, where they receive this
 * process's signals and determine its exit code.
 */
import { spawn, spawnSync } from 'node:child_process';
import { constants } from 'node:os';
import { root } from './places.mjs';
import { print } from './printed.mjs';

/** How long, in milliseconds, a process may take to end after it was asked to. */
const GRACE = 5_000;

/**
 * Runs a command to its end without input, and collects its output.
 * @returns {Promise<{ code: number | null, out: string, all: string, timedOut: boolean, missing: boolean }>}
 */
export function run(command, args, { cwd = root, env = process.env, timeout = 0, echo = false } = {}) {
  return new Promise((resolve) => {
    const group = process.platform !== 'win32';
    const child = spawn(command, args, {
      cwd,
      env: withColours(env),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: group,
    });
    const ended = endWith(child, group);
    let out = '';
    let all = '';
    let timedOut = false;
    const timers = [];
    if (timeout > 0) {
      // Sends SIGTERM first, so that a test runner can close windows that it has opened in separate process groups.
      timers.push(setTimeout(() => ((timedOut = true), ended.kill('SIGTERM')), timeout));
      timers.push(setTimeout(() => ended.kill('SIGKILL'), timeout + GRACE));
    }
    const settle = (code, missing) => {
      timers.forEach(clearTimeout);
      ended.release();
      resolve({ code, out, all, timedOut, missing });
    };
    child.stdout.setEncoding('utf8').on('data', (text) => ((out += text), (all += text), echo && print(text)));
    child.stderr.setEncoding('utf8').on('data', (text) => ((all += text), echo && print(text)));
    child.on('error', (error) => ((all += String(error)), settle(null, error.code === 'ENOENT')));
    child.on('exit', (code) => {
      // Ends processes that the command has left behind in its group, such as the X server of a killed xvfb-run.
      if (group) ended.kill('SIGTERM');
      // Does not wait for other processes that still have the pipes open.
      timers.push(setTimeout(() => settle(code, false), GRACE));
    });
    child.on('close', (code) => settle(code, false));
  });
}

/**
 * Returns the environment, with colours turned on if this process has a terminal. Tools whose output is a pipe cannot detect this
 * themselves.
 */
function withColours({ FORCE_COLOR: _force, NO_COLOR: no, ...env }) {
  return process.stdout.isTTY && no === undefined ? { ...env, FORCE_COLOR: '1' } : { ...env, NO_COLOR: '1' };
}

/** Returns the output of a short command; undefined if the command is missing or fails. */
export function ask(command, args, env = process.env) {
  const { status, stdout } = spawnSync(command, args, {
    encoding: 'utf8',
    env,
    timeout: 20_000,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return status === 0 ? stdout.trim() : undefined;
}

/**
 * Runs a command in the foreground: the command shares this process's streams and receives its signals, and this process ends when the
 * command ends.
 */
export function foreground(command, args, { env = process.env, cwd = process.cwd() } = {}) {
  const child = spawn(command, args, { stdio: 'inherit', env, cwd });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

/** Makes sure that a child ends, with its group, when this process is ended. */
function endWith(child, group) {
  const kill = (signal) => {
    try {
      if (group && child.pid) process.kill(-child.pid, signal);
      else child.kill(signal);
    } catch {
      // The process has already ended.
    }
  };
  const stop = (signal) => {
    kill('SIGTERM');
    process.exit(128 + (constants.signals[signal] ?? 0));
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.once(signal, stop);
  return {
    kill,
    release: () => {
      for (const signal of signals) process.off(signal, stop);
    },
  };
}
