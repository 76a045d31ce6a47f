import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseCommandLine } from './arguments.ts';
import { targetOf } from './target-argument.ts';

let config: string;
beforeAll(async () => {
  config = await mkdtemp(path.join(tmpdir(), 'target-argument-'));
});
afterAll(() => rm(config, { recursive: true, force: true }));

describe('The option --target', () => {
  it.each([
    ['ssh:me@host', { kind: 'ssh', place: 'me@host', name: 'ssh me@host', directory: '', sbcl: 'sbcl' }],
    [
      'docker:box,directory=/srv/a,b,sbcl=/opt/sbcl',
      { kind: 'docker', place: 'box', directory: '/srv/a,b', sbcl: '/opt/sbcl' },
    ],
    ['ssh:ssh://me@host:2222,options=-i "/a b"', { place: 'ssh://me@host:2222', options: '-i "/a b"' }],
    ['kubectl:pod/shop', { kind: 'kubectl', place: 'pod/shop', name: 'kubectl pod shop' }],
    ['command:sudo -u "a, b" env', { kind: 'command', place: 'sudo -u "a, b" env' }],
  ])('The place %s is read with its fields', (spec, target) => {
    expect(targetOf(spec, config)).toMatchObject(target);
  });

  it('Names a target of the desktop’s settings, or says which there are', async () => {
    expect(() => targetOf('devbox', config)).toThrow(
      /no target of this name\. The settings define none; or give a place/,
    );
    const devbox = { name: 'devbox', kind: 'ssh', place: 'far' };
    await writeFile(path.join(config, 'settings.json'), JSON.stringify({ version: 1, targets: [devbox] }));
    expect(targetOf('devbox', config)).toMatchObject(devbox);
    expect(() => targetOf('other', config)).toThrow(/The settings define devbox;/);
    expect(() => targetOf('ssh:host,sbl=/opt/sbcl', config)).toThrow(
      '--target "ssh:host,sbl=/opt/sbcl": there is no field sbl; the fields are directory, sbcl and options.',
    );
    expect(() => targetOf('command:env,sbcl=', config)).toThrow(
      '--target "command:env,sbcl=": sbcl has no value; write one after it, or leave it out.',
    );
    expect(() => targetOf('ssh:', config)).toThrow(
      /^--target "ssh:" names no place; write it after the colon, as ssh:HOST, /,
    );
  });

  it('Comes from the command line, else the environment, and not beside what is of this machine', () => {
    const environment = { LISP_WORKBENCH_TARGET: 'devbox' };
    expect(parseCommandLine(['serve'], environment).target).toBe('devbox');
    expect(parseCommandLine(['repl', '--target', 'ssh:a'], environment).target).toBe('ssh:a');
    expect(parseCommandLine(['mcp'], {}).target).toBeNull();
    expect(parseCommandLine(['doctor'], environment).target).toBeNull();
    for (const other of ['--sandbox', '--swank-port=1', '--join'])
      expect(() => parseCommandLine(['serve', '--target=ssh:a', other], {})).toThrow(
        /Leave one of them out|Set only one of them/,
      );
  });
});
