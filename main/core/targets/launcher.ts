/** The command that runs a script of the shell on a target. It is started as it is, never through a shell of this machine. */
import type { Target } from '#contract/target.ts';
import { WorkbenchError } from '#core/base/error.ts';
import { inheritable } from '#core/lisp/start/environment.ts';
import { quoted, wordsOf } from './shell-quoting.ts';

export interface Launcher {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * Options of ssh behind those that the person gives, since ssh takes the first of two values: nobody can be asked for a password, a machine that
 * is gone is noticed within a minute, and nothing of this machine is lent to the other one.
 */
const SSH_DEFAULTS = [
  'BatchMode=yes',
  'ConnectTimeout=15',
  'ServerAliveInterval=10',
  'ServerAliveCountMax=3',
  'ClearAllForwardings=yes',
  'RemoteCommand=none',
].flatMap((option) => ['-o', option]);

/** Variables of Electron, and of how this program was started, which are not for a program that it starts. */
const OWN = /^(?:ELECTRON_|npm_|NODE_OPTIONS$|LISP_WORKBENCH_|INIT_CWD$)/;

/**
 * The command that has `sh` on the target run `script`. ssh and the programs for containers get the environment of this machine, which they
 * keep for themselves; a command of the person's own, which may pass it on, gets no secrets.
 * @throws WorkbenchError `invalid` where place or options are no words.
 */
export function launcherOf(target: Target, script: string, environment: NodeJS.ProcessEnv): Launcher {
  const { kind, place } = target;
  const options = wordsOf(target.options);
  const own = Object.fromEntries(Object.entries(environment).filter(([name]) => !OWN.test(name)));
  if (kind === 'command') {
    const [command, ...args] = [...wordsOf(place), ...options];
    if (command === undefined) throw new WorkbenchError('invalid', `The target ${target.name} has no command.`);
    return { command, args: [...args, 'sh', '-c', script], environment: inheritable(own) };
  }
  if (place.startsWith('-'))
    throw new WorkbenchError('invalid', `The place of the target ${target.name} cannot begin with a hyphen: ${place}`);
  const shell = ['sh', '-c', script];
  switch (kind) {
    case 'ssh':
      // ssh joins its words with blanks, and a shell there reads them again.
      return {
        command: 'ssh',
        args: ['-T', '-a', '-x', ...options, ...SSH_DEFAULTS, '--', place, shell.map(quoted).join(' ')],
        environment: own,
      };
    case 'docker':
    case 'podman':
      return { command: kind, args: ['exec', '-i', ...options, place, ...shell], environment: own };
    case 'kubectl':
      return { command: kind, args: ['exec', '-i', ...options, place, '--', ...shell], environment: own };
  }
}
