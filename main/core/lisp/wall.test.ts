import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { behindWall, writableFolder } from './wall.ts';

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'wall-')));
  for (const name of ['project/home/config', 'cache', 'home/.ssh', 'bin'])
    mkdirSync(path.join(root, name), { recursive: true });
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function wallOf(directory: string, hidden: string[], environment: NodeJS.ProcessEnv = {}): readonly string[] {
  const wall = { builder: 'bwrap', places: { hidden, cache: path.join(root, 'cache') } };
  return behindWall(wall, { command: path.join(root, 'bin'), args: ['--x'], environment }, directory, []).args;
}

/** The mounts on these names, in their order. */
function mountsOn(args: readonly string[], ...names: string[]): string[] {
  return args.flatMap((how, index) => {
    const name = args[index + 1];
    return /^--(tmpfs|bind|ro-bind)$/.test(how) && names.includes(name!) ? [`${how} ${name}`] : [];
  });
}

describe('the wall around a command', () => {
  it('G7 hides what is the workbench’s own even in the project, and makes nothing else writable', () => {
    const [project, config] = [path.join(root, 'project'), path.join(root, 'project/home/config')];
    const args = wallOf(project, [config]);
    expect(mountsOn(args, '/tmp', project, config)).toEqual([`--tmpfs /tmp`, `--bind ${project}`, `--tmpfs ${config}`]);
    expect(args.filter((each) => each === '--bind')).toHaveLength(2); // and the cache of compiled files
    expect(args.slice(-3)).toEqual(['--', path.join(root, 'bin'), '--x']);
  });

  it('G7 keeps the cores of a project that holds them read-only', () => {
    const args = wallOf(root, []);
    expect(mountsOn(args, root, path.join(root, 'cache'))).toEqual([`--bind ${root}`, `--ro-bind ${root}/cache`]);
  });

  it('G7 follows a link in the name of what it hides, and leaves out what is not there', () => {
    symlinkSync(path.join(root, 'home'), path.join(root, 'link'));
    const args = wallOf(path.join(root, 'project'), [path.join(root, 'link'), path.join(root, 'nowhere')]);
    expect(mountsOn(args, path.join(root, 'home'), path.join(root, 'link'), path.join(root, 'nowhere'))).toEqual([
      `--tmpfs ${root}/home`,
    ]);
  });

  it('G7 hides the keys of the person, and no socket at which somebody listens is left to connect to', async () => {
    const [home, socket] = [path.join(root, 'home'), path.join(root, 'project', 'listens')];
    const server = createServer().listen(socket);
    await once(server, 'listening');
    const args = wallOf(path.join(root, 'project'), [], { HOME: home });
    server.close();
    expect(mountsOn(args, `${home}/.ssh`)).toEqual([`--tmpfs ${home}/.ssh`]);
    expect(args.slice(args.indexOf(socket) - 2, args.indexOf(socket) + 1)).toEqual(['--ro-bind', '/dev/null', socket]);
  });

  it('G7 without a project nothing of the workbench becomes writable in its place', () => {
    const state = path.join(root, 'home');
    expect(writableFolder(state, { hidden: [state], cache: root })).toBe(null);
    expect(mountsOn(wallOf(state, [state]), state)).toEqual([`--tmpfs ${state}`]);
    expect(wallOf(state, [state])).toContain('/tmp');
  });

  it('G7 refuses the whole file system as a project', () => {
    expect(() => wallOf('/', [])).toThrow('the project is the whole file system');
  });
});
