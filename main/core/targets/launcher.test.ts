import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { target as targetSchema, type Target } from '#contract/target.ts';
import { launcherOf } from './launcher.ts';

const environment = {
  PATH: '/bin',
  HOME: '/home/me',
  SSH_AUTH_SOCK: '/run/agent',
  OPENAI_API_KEY: 'secret',
  ELECTRON_RUN_AS_NODE: '1',
};
const script = `printf '%s' "it's"`;

function launch(more: Partial<Target>) {
  const {
    command,
    args,
    environment: env,
  } = launcherOf(targetSchema.parse({ name: 't', ...more }), script, environment);
  return { line: [command, ...args], env };
}

describe('The command that reaches a target', () => {
  it('Runs the script by exec in a container or a pod', () => {
    for (const kind of ['docker', 'podman'] as const)
      expect(launch({ kind, place: 'box', options: '--user "a b"' }).line).toEqual([
        kind,
        'exec',
        '-i',
        '--user',
        'a b',
        'box',
        'sh',
        '-c',
        script,
      ]);
    expect(launch({ kind: 'kubectl', place: 'pod/shop', options: '-n lisp -c main' }).line).toEqual([
      'kubectl',
      'exec',
      '-i',
      '-n',
      'lisp',
      '-c',
      'main',
      'pod/shop',
      '--',
      'sh',
      '-c',
      script,
    ]);
  });

  it('Appends the script to the words of a command, after its options, and keeps secrets from it', () => {
    const { line, env } = launch({ kind: 'command', place: 'sudo -u "other user"', options: '-n' });
    expect(line).toEqual(['sudo', '-u', 'other user', '-n', 'sh', '-c', script]);
    expect(env).toEqual({ PATH: '/bin', HOME: '/home/me', SSH_AUTH_SOCK: '/run/agent' });
  });

  it('Gives ssh the person’s options before its own, no forwarding, and the script quoted for a shell there', () => {
    const { line, env } = launch({ kind: 'ssh', place: 'me@host', options: '-p 2222 -o BatchMode=no' });
    expect(line.slice(0, 8)).toEqual(['ssh', '-T', '-a', '-x', '-p', '2222', '-o', 'BatchMode=no']);
    expect(line.slice(8)).toEqual(expect.arrayContaining(['BatchMode=yes', 'ServerAliveInterval=10', '--', 'me@host']));
    expect(execFileSync('sh', ['-c', line.at(-1)!], { encoding: 'utf8' })).toBe("it's");
    expect(env).toMatchObject({ OPENAI_API_KEY: 'secret', SSH_AUTH_SOCK: '/run/agent' });
    expect(env).not.toHaveProperty('ELECTRON_RUN_AS_NODE');
  });

  it('Is refused where the place would be an option', () => {
    expect(() => launch({ kind: 'ssh', place: '-oProxyCommand=x' })).toThrow(/cannot begin with a hyphen/);
  });
});
