/** The command that runs a shell script on a target. It is started directly, never through a shell of this machine. */
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
 * ssh options that follow the person's own, because ssh uses the first of two values. With them, ssh cannot ask for a password, detects a
 * dead machine within a minute, and forwards nothing of this machine to the target.
 */
const SSH_DEFAULTS = [
  'BatchMode=yes',
  'ConnectTimeout=15',
  'ServerAliveInterval=10',
  'ServerAliveCountMax=3',
  'ClearAllForwardings=yes',
  'RemoteCommand=none',
].flatMap((option) => ['-o', option]);

/** Variables of Electron and of this program's start, which are not passed to the programs that it starts. */
const OWN = /^(?:ELECTRON_|npm_|NODE_OPTIONS$|LISP_WORKBENCH_|INIT_CWD$)/;

/**
 * Returns the command that makes `sh` on the target run `script`. ssh and the container programs get the environment of this machine,
 * because they do not forward it. A command that the person wrote may forward it, so it gets no secrets.
 * @throws WorkbenchError `invalid` if the place or the options cannot be split into words.
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
      // ssh joins its words with blanks, and a shell on the target parses them again.
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
