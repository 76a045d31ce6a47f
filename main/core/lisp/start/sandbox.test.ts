import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { insideSandbox, writableFolder } from './sandbox.ts';

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'wall-')));
  for (const name of ['project/home/config', 'cache', 'home/.ssh', 'bin'])
    mkdirSync(path.join(root, name), { recursive: true });
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function argumentsOf(directory: string, hidden: string[], environment: NodeJS.ProcessEnv = {}): readonly string[] {
  const wall = { builder: 'bwrap', paths: { hidden, cache: path.join(root, 'cache') } };
  return insideSandbox(wall, { command: path.join(root, 'bin'), args: ['--x'], environment }, directory, []).args;
}

/** Returns the mounts at these paths, in order. */
function mountsOn(args: readonly string[], ...names: string[]): string[] {
  return args.flatMap((how, index) => {
    const name = args[index + 1];
    return /^--(tmpfs|bind|ro-bind)$/.test(how) && names.includes(name!) ? [`${how} ${name}`] : [];
  });
}

describe('sandbox around a command', () => {
  it("The sandbox hides what is the workbench's own even in the project, and makes nothing else writable [G7]", () => {
    const [project, config] = [path.join(root, 'project'), path.join(root, 'project/home/config')];
    const args = argumentsOf(project, [config]);
    expect(mountsOn(args, '/tmp', project, config)).toEqual([`--tmpfs /tmp`, `--bind ${project}`, `--tmpfs ${config}`]);
    expect(args.filter((each) => each === '--bind')).toHaveLength(2); // the project and the cache of compiled files
    expect(args.slice(-3)).toEqual(['--', path.join(root, 'bin'), '--x']);
  });

  it('The sandbox keeps the cores of a project that holds them read-only [G7]', () => {
    const args = argumentsOf(root, []);
    expect(mountsOn(args, root, path.join(root, 'cache'))).toEqual([`--bind ${root}`, `--ro-bind ${root}/cache`]);
  });

  it('The sandbox follows a link in the name of what it hides, and leaves out what is not there [G7]', () => {
    symlinkSync(path.join(root, 'home'), path.join(root, 'link'));
    const args = argumentsOf(path.join(root, 'project'), [path.join(root, 'link'), path.join(root, 'nowhere')]);
    expect(mountsOn(args, path.join(root, 'home'), path.join(root, 'link'), path.join(root, 'nowhere'))).toEqual([
      `--tmpfs ${root}/home`,
    ]);
  });

  it('The sandbox hides the keys of the person, and leaves no socket at which somebody listens to connect to [G7]', async () => {
    const [home, socket] = [path.join(root, 'home'), path.join(root, 'project', 'listens')];
    const server = createServer().listen(socket);
    await once(server, 'listening');
    const secret = path.join(home, '.slime-secret');
    writeFileSync(secret, 'x');
    const args = argumentsOf(path.join(root, 'project'), [], { HOME: home });
    server.close();
    expect(mountsOn(args, `${home}/.ssh`)).toEqual([`--tmpfs ${home}/.ssh`]);
    for (const name of [socket, secret])
      expect(args.slice(args.indexOf(name) - 2, args.indexOf(name) + 1)).toEqual(['--ro-bind', '/dev/null', name]);
  });

  it('The sandbox has of the environment only what is known to be no secret and to lead nowhere', () => {
    const wall = { builder: 'bwrap', paths: { hidden: [], cache: path.join(root, 'cache') } };
    const environment = {
      PATH: '/bin',
      LC_ALL: 'C',
      CL_SOURCE_REGISTRY: 'x',
      MY_SERVICE: 'secret',
      TMUX: '/t',
      TMPDIR: '/t',
    };
    const inner = { command: path.join(root, 'bin'), args: [], environment };
    expect(insideSandbox(wall, inner, path.join(root, 'project'), []).environment).toEqual({
      PATH: '/bin',
      LC_ALL: 'C',
      CL_SOURCE_REGISTRY: 'x',
      XDG_CACHE_HOME: expect.stringContaining(path.join(root, 'cache', 'sandbox')) as string,
      LISP_WORKBENCH_SANDBOX: '1',
    });
  });

  it('Without a project nothing of the workbench becomes writable in the sandbox [G7]', () => {
    const state = path.join(root, 'home');
    expect(writableFolder(state, { hidden: [state], cache: root })).toBe(null);
    expect(mountsOn(argumentsOf(state, [state]), state)).toEqual([`--tmpfs ${state}`]);
    expect(argumentsOf(state, [state])).toContain('/tmp');
  });

  it('The sandbox refuses the whole file system as a project [G7]', () => {
    expect(() => argumentsOf('/', [])).toThrow('the project is the whole file system');
  });
});
