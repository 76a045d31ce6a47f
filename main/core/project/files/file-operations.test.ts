import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Project } from '../project.ts';
import { Backups } from './backups.ts';
import { FileOperations } from './file-operations.ts';

let top: string;
let root: string;
let backups: Backups;
let trashed: string[];
let trash: (file: string) => Promise<void>;
let files: FileOperations;

beforeEach(async () => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), 'operations-')));
  root = path.join(top, 'project');
  mkdirSync(path.join(root, 'src'), { recursive: true });
  mkdirSync(path.join(top, 'outside'));
  writeFileSync(path.join(top, 'outside', 'secret'), 'secret');
  backups = new Backups(path.join(top, 'kept'));
  trashed = [];
  const can = path.join(top, 'can');
  mkdirSync(can);
  trash = async (file) => {
    trashed.push(path.relative(root, file));
    renameSync(file, path.join(can, String(trashed.length)));
  };
  const project = await Project.open(root);
  files = new FileOperations({ project: () => project, backups, trash: (file) => trash(file) });
});

afterEach(() => rmSync(top, { recursive: true }));

const at = (name: string): string => path.join(root, name);
const text = (name: string): string => readFileSync(at(name), 'utf8');
const write = (name: string, content: string | Buffer = name): void => {
  mkdirSync(path.dirname(at(name)), { recursive: true });
  writeFileSync(at(name), content);
};
/** Returns all names below a folder of the project, links with an arrow and their target. */
const tree = (below = ''): string[] =>
  readdirSync(at(below), { withFileTypes: true })
    .flatMap((entry) => {
      const name = path.join(below, entry.name);
      if (entry.isSymbolicLink()) return `${name} -> ${readlinkSync(at(name))}`;
      return entry.isDirectory() ? [`${name}/`, ...tree(name)] : name;
    })
    .toSorted();
const undo = async (deletion: ReturnType<FileOperations['delete']>): Promise<boolean> => {
  const done = await deletion;
  if (!done.deleted || done.undo === null) throw new Error('The deletion cannot be undone.');
  return (await files.restore(done.undo)).restored;
};

const ODD = [
  'a b.lisp',
  '[x].lisp',
  '*?.lisp',
  'back\\slash.lisp',
  'Ω 漢字 🙂.lisp',
  '-rf',
  'two\nlines.lisp',
  "it's.lisp",
  '#p"x".lisp',
];

describe('new files and folders', () => {
  it('A file is created with its text and the folders that are missing [issue 39.3]', async () => {
    expect(await files.create('src/deep/cart.lisp', '(in-package #:shop)\n')).toBe(at('src/deep/cart.lisp'));
    expect(text('src/deep/cart.lisp')).toBe('(in-package #:shop)\n');
  });

  it('A folder is created, and an existing name is refused with advice [issue 39.3]', async () => {
    await files.createFolder('new/deep');
    expect(tree()).toEqual(['new/', 'new/deep/', 'src/']);
    await expect(files.createFolder('new/deep')).rejects.toThrow('new/deep already exists. Choose another name.');
    await expect(files.createFolder('src')).rejects.toThrow('src already exists');
  });

  it('Nothing is overwritten: a file, a folder and a broken link keep their names [issue 39.3]', async () => {
    write('cart.lisp', 'mine');
    symlinkSync('nowhere', at('broken.lisp'));
    for (const name of ['cart.lisp', 'src', 'broken.lisp'])
      await expect(files.create(name, 'other')).rejects.toThrow(`${name} already exists. Choose another name.`);
    expect([text('cart.lisp'), readlinkSync(at('broken.lisp')), existsSync(at('nowhere'))]).toEqual([
      'mine',
      'nowhere',
      false,
    ]);
  });

  it('A file in the path refuses the new file, and no folder is left behind [issue 39.3]', async () => {
    write('cart.lisp');
    await expect(files.create('cart.lisp/new.lisp', '')).rejects.toThrow(/folder/);
    await expect(files.create(`made/${'x'.repeat(300)}`, '')).rejects.toThrow(/too long/);
    expect(tree()).toEqual(['cart.lisp', 'src/']);
  });

  it.each(['../outside/new', '/etc/new', 'src/../../outside/new', '..', 'out/new', 'out/deep/new'])(
    'The path %s leads outside the project and is refused by every operation [issue 39.3]',
    async (name) => {
      symlinkSync(path.join(top, 'outside'), at('out'));
      write('cart.lisp');
      for (const operation of [
        () => files.create(name, 'x'),
        () => files.createFolder(name),
        () => files.move('cart.lisp', name),
        () => files.move(name, 'in.lisp'),
        () => files.duplicate(name),
        () => files.delete(name, true),
      ])
        await expect(operation()).rejects.toThrow(/outside the project|not a path inside/);
      expect(readdirSync(path.join(top, 'outside'))).toEqual(['secret']);
      expect(tree()).toEqual(['cart.lisp', `out -> ${path.join(top, 'outside')}`, 'src/']);
    },
  );

  it.each(['.', 'src/../', '', './'])(
    'The folder of the project itself is not changed under the name %j [issue 39.3]',
    async (name) => {
      const refusal = /itself is not changed|not a path inside|is empty/;
      await expect(files.delete(name, true)).rejects.toThrow(refusal);
      await expect(files.move(name, 'src/inside')).rejects.toThrow(refusal);
      expect(tree()).toEqual(['src/']);
    },
  );

  it('A folder link that stays in the project is followed to the new file [issue 39.3]', async () => {
    symlinkSync('src', at('link'));
    expect(await files.create('link/new.lisp', '')).toBe(at('src/new.lisp'));
  });
});

describe('moving and renaming', () => {
  it('A file keeps its bytes, its mode and its other names [issue 39.3]', async () => {
    const bytes = Buffer.from('\uFEFFa\r\nb\rc\n\xff', 'latin1');
    write('a.lisp', bytes);
    chmodSync(at('a.lisp'), 0o750);
    linkSync(at('a.lisp'), at('other.lisp'));
    expect(await files.move('a.lisp', 'src/deep/b.lisp')).toEqual({ from: at('a.lisp'), to: at('src/deep/b.lisp') });
    expect(readFileSync(at('src/deep/b.lisp'))).toEqual(bytes);
    expect(statSync(at('src/deep/b.lisp')).mode & 0o777).toBe(0o750);
    expect(statSync(at('src/deep/b.lisp')).ino).toBe(statSync(at('other.lisp')).ino);
    expect(tree()).toEqual(['other.lisp', 'src/', 'src/deep/', 'src/deep/b.lisp']);
  });

  it('A folder is moved with its content, but not into itself [issue 39.3]', async () => {
    write('src/a.lisp');
    await files.move('src', 'code/main');
    expect(tree()).toEqual(['code/', 'code/main/', 'code/main/a.lisp']);
    await expect(files.move('code', 'code/main/code')).rejects.toThrow('code cannot be moved into itself.');
    expect(tree()).toEqual(['code/', 'code/main/', 'code/main/a.lisp']);
  });

  it('A taken name is refused: a file, an empty folder, a link, and another name of the same file [issue 39.3]', async () => {
    write('a.lisp');
    write('b.lisp', 'mine');
    mkdirSync(at('empty'));
    mkdirSync(at('folder'));
    symlinkSync('nowhere', at('broken'));
    linkSync(at('a.lisp'), at('A.lisp'));
    const before = tree();
    for (const [from, to] of [
      ['a.lisp', 'b.lisp'],
      ['a.lisp', 'empty'],
      ['folder', 'empty'],
      ['folder', 'b.lisp'],
      ['a.lisp', 'broken'],
      ['broken', 'b.lisp'],
      ['a.lisp', 'A.lisp'],
      ['a.lisp', 'a.lisp'],
    ] as const)
      await expect(files.move(from, to), `${from} to ${to}`).rejects.toThrow(/already (?:exists|has this name)/);
    expect([tree(), text('b.lisp')]).toEqual([before, 'mine']);
  });

  it('A link itself is moved, never its target, even if the link is broken or leads outside [issue 39.3]', async () => {
    write('real.lisp');
    symlinkSync('real.lisp', at('link.lisp'));
    symlinkSync('nowhere', at('broken.lisp'));
    symlinkSync(path.join(top, 'outside'), at('out'));
    for (const name of ['link.lisp', 'broken.lisp', 'out']) await files.move(name, `new-${name}`);
    expect(tree()).toEqual([
      'new-broken.lisp -> nowhere',
      'new-link.lisp -> real.lisp',
      `new-out -> ${path.join(top, 'outside')}`,
      'real.lisp',
      'src/',
    ]);
  });

  it('A file that does not exist is reported, and no folder is made for it [issue 39.3]', async () => {
    await expect(files.move('gone.lisp', 'new/gone.lisp')).rejects.toThrow(/gone\.lisp does not exist/);
    expect(tree()).toEqual(['src/']);
  });

  it.each(ODD)('A file named %j is created, moved, duplicated, deleted and restored [issue 39.3]', async (name) => {
    await files.create(name, 'text');
    await files.move(name, `src/${name}`);
    const copy = path.relative(root, await files.duplicate(`src/${name}`));
    expect(text(copy)).toBe('text');
    expect(await undo(files.delete(`src/${name}`, true))).toBe(true);
    expect(await undo(files.delete(copy, false))).toBe(true);
    expect(tree()).toEqual(['src/', `src/${name}`, copy].toSorted());
    expect(text(`src/${name}`)).toBe('text');
  });
});

describe('duplicating', () => {
  it('The copy has the same bytes and mode beside the original [issue 39.3]', async () => {
    const bytes = Buffer.from('caf\xe9\r\nb\n\0', 'latin1');
    write('src/a.lisp', bytes);
    chmodSync(at('src/a.lisp'), 0o755);
    expect(await files.duplicate('src/a.lisp')).toBe(at('src/a-copy.lisp'));
    expect(await files.duplicate('src/a.lisp')).toBe(at('src/a-copy-2.lisp'));
    expect(readFileSync(at('src/a-copy.lisp'))).toEqual(bytes);
    expect(statSync(at('src/a-copy.lisp')).mode & 0o777).toBe(0o755);
    expect(statSync(at('src/a-copy.lisp')).ino).not.toBe(statSync(at('src/a.lisp')).ino);
  });

  it('A folder is copied with its files, empty folders and links, without the targets of links and without pipes [issue 39.3]', async () => {
    write('src/deep/a.lisp', 'a');
    mkdirSync(at('src/empty'));
    symlinkSync('deep/a.lisp', at('src/link'));
    symlinkSync(path.join(top, 'outside'), at('src/out'));
    execFileSync('mkfifo', [at('src/pipe')]);
    await files.duplicate('src');
    expect(tree().filter((name) => name.startsWith('src-copy'))).toEqual([
      'src-copy/',
      'src-copy/deep/',
      'src-copy/deep/a.lisp',
      'src-copy/empty/',
      'src-copy/link -> deep/a.lisp',
      `src-copy/out -> ${path.join(top, 'outside')}`,
    ]);
  });

  it('A link itself is duplicated [issue 39.3]', async () => {
    write('real.lisp');
    symlinkSync('real.lisp', at('link.lisp'));
    await files.duplicate('link.lisp');
    expect(tree()).toEqual(['link-copy.lisp -> real.lisp', 'link.lisp -> real.lisp', 'real.lisp', 'src/']);
  });
});

describe('deleting', () => {
  it('A file goes to the trash, and Undo restores its bytes and mode [issue 39.3]', async () => {
    const bytes = Buffer.from('a\r\n\xff', 'latin1');
    write('a.lisp', bytes);
    chmodSync(at('a.lisp'), 0o640);
    const done = await files.delete('a.lisp', false);
    expect(done).toMatchObject({ deleted: true, trashed: true, file: at('a.lisp') });
    expect([tree(), trashed]).toEqual([['src/'], ['a.lisp']]);
    expect(done.deleted && done.undo !== null && (await files.restore(done.undo)).restored).toBe(true);
    expect(readFileSync(at('a.lisp'))).toEqual(bytes);
    expect(statSync(at('a.lisp')).mode & 0o777).toBe(0o640);
  });

  it('A folder is restored with its files, empty folders and links [issue 39.3]', async () => {
    write('src/deep/a.lisp', 'a');
    mkdirSync(at('src/empty'), { mode: 0o750 });
    symlinkSync('deep/a.lisp', at('src/link'));
    const before = tree();
    for (const permanently of [false, true]) {
      expect(await undo(files.delete('src', permanently))).toBe(true);
      expect(tree()).toEqual(before);
      expect([text('src/deep/a.lisp'), statSync(at('src/empty')).mode & 0o777]).toEqual(['a', 0o750]);
    }
    expect(trashed).toEqual(['src']);
  });

  it('Without a trash nothing is deleted until the person agrees to a permanent deletion [issue 39.3]', async () => {
    write('a.lisp', 'a');
    trash = () => Promise.reject(new Error('no trash'));
    expect(await files.delete('a.lisp', false)).toEqual({ deleted: false, undoable: true });
    expect(text('a.lisp')).toBe('a');
    expect(readdirSync(path.join(top, 'kept'))).toEqual(['kept.json']);
    expect(await undo(files.delete('a.lisp', true))).toBe(true);
    expect(text('a.lisp')).toBe('a');
  });

  it('A link itself is deleted and restored, and its target stays [issue 39.3]', async () => {
    write('real.lisp', 'real');
    symlinkSync('real.lisp', at('link.lisp'));
    symlinkSync(path.join(top, 'outside'), at('out'));
    symlinkSync('nowhere', at('broken'));
    const before = tree();
    for (const name of ['link.lisp', 'out', 'broken']) {
      const done = await files.delete(name, false);
      expect([existsSync(at('real.lisp')), readdirSync(path.join(top, 'outside'))]).toEqual([true, ['secret']]);
      expect(lstatSync(at(name), { throwIfNoEntry: false })).toBeUndefined();
      expect(done.deleted && (await files.restore(done.undo!)).restored).toBe(true);
    }
    expect([tree(), trashed]).toEqual([before, []]);
  });

  it('A folder with links deletes none of their targets [issue 39.3]', async () => {
    symlinkSync(path.join(top, 'outside'), at('src/out'));
    await files.delete('src', true);
    expect([tree(), readdirSync(path.join(top, 'outside'))]).toEqual([[], ['secret']]);
  });

  it('Undo overwrites nothing that took the name in the meantime: a file, a folder, or a file that cannot be read [issue 39.3]', async () => {
    for (const take of [
      () => write('a.lisp', 'new'),
      () => mkdirSync(at('a.lisp')),
      () => execFileSync('mkfifo', [at('a.lisp')]),
    ]) {
      write('a.lisp', 'old');
      const done = await files.delete('a.lisp', true);
      take();
      const kind = statSync(at('a.lisp')).mode;
      const restored = done.deleted && (await files.restore(done.undo!));
      expect(restored).toMatchObject({ restored: false });
      expect(statSync(at('a.lisp')).mode).toBe(kind);
      rmSync(at('a.lisp'), { recursive: true });
    }
  });

  it('What is too large or special for Undo goes to the trash without it, and says so before a permanent deletion [issue 39.3]', async () => {
    write('large.bin', '');
    truncateSync(at('large.bin'), 51 * 1024 * 1024);
    mkdirSync(at('special'));
    execFileSync('mkfifo', [at('special/pipe')]);
    for (const name of ['large.bin', 'special']) {
      const usual = trash;
      trash = () => Promise.reject(new Error('no trash'));
      expect(await files.delete(name, false)).toEqual({ deleted: false, undoable: false });
      trash = usual;
      expect(await files.delete(name, false)).toMatchObject({ deleted: true, undo: null, trashed: true });
    }
    write('large.bin', '');
    truncateSync(at('large.bin'), 51 * 1024 * 1024);
    expect(await files.delete('large.bin', true)).toMatchObject({ deleted: true, undo: null, trashed: false });
    expect(tree()).toEqual(['src/']);
  });
});
