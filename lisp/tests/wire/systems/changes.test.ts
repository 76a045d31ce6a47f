import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';

let image: TestImage;

/** Writes a file with a later date than all earlier files. ASDF compares whole seconds, and file times lag slightly behind the clock. */
async function write(name: string, text: string): Promise<void> {
  const second = Math.floor(Date.now() / 1000);
  await expect.poll(() => Date.now() / 1000, { interval: 50, timeout: 60_000 }).toBeGreaterThan(second + 1.1);
  await writeFile(path.join(image.directory, name), text);
}

const load = (system: string, force: 'system' | 'all' | null = null) =>
  image.run('compile-system', { system, force, keepGoing: true });
const loadedBy = async (system: string, force: 'system' | 'all' | null = null) =>
  (await load(system, force)).result?.loadedFiles.map((file) => path.relative(image.directory, file));
const graph = async (name: string | null) => {
  const { result } = await image.run('system-graph', { name });
  return {
    from: result?.from,
    nodes: result?.nodes.map((node) => `${node.name} ${node.state} ${node.changed}`),
    edges: result?.edges.map(({ from, to, kind }) => `${from} ${kind} ${to}`),
  };
};
const outdated = async () =>
  (await image.ask('outdated-systems', {})).systems.map(({ name, files, causes }) => [
    name,
    files.map((file) => path.relative(image.directory, file)),
    causes,
  ]);
const states = async (name: string) =>
  (await image.run('describe-system', { name })).result?.components.map((each) => `${each.name} ${each.state}`);

const place = (name: string, text: string) => writeFile(path.join(image.directory, name), text);

beforeAll(async () => {
  image = await openTestImage();
  await place('base.asd', '(defsystem "base" :serial t :components ((:file "one") (:file "two")))');
  await place('one.lisp', '(defmacro one () 1)');
  await place('two.lisp', '(defun two () 2)');
  await place(
    'app.asd',
    '(defsystem "app" :depends-on ("base") :components ((:file "app")))\n(defsystem "app/tests" :depends-on ("app"))',
  );
  await place('app.lisp', '(defun app () (one))');
  await place('other.asd', '(defsystem "other" :depends-on ("app" "not-there"))');
}, 120_000);
afterAll(() => image.close());

it('A load tells which files it loaded, and loads again the changed ones, all of a system, or all that it needs', async () => {
  expect(await loadedBy('app')).toEqual(['one.lisp', 'two.lisp', 'app.lisp']);
  expect(await loadedBy('app')).toEqual([]);
  expect(await outdated()).toEqual([]);
  expect(await loadedBy('app', 'system')).toEqual(['app.lisp']);
  expect(await loadedBy('app', 'all')).toEqual(['one.lisp', 'two.lisp', 'app.lisp']);
});

it('Systems with changed files are told, each before those that depend on it, until they are loaded again', async () => {
  await write('two.lisp', '(defun two () 22)');
  expect(await outdated()).toEqual([
    ['base', ['two.lisp'], []],
    ['app', [], ['base']],
  ]);
  expect(await states('base')).toEqual(['one loaded', 'two changed']);
  const { systems } = await image.ask('systems', {});
  expect(systems.filter(({ changed }) => changed > 0).map(({ name, changed }) => [name, changed])).toEqual([
    ['base', 1],
  ]);
  expect(await loadedBy('base')).toEqual(['two.lisp']);
  expect(await loadedBy('app')).toEqual(['app.lisp']);
  expect(await image.value('(funcall (intern "TWO" :cl-user))')).toBe('22');
  expect(await outdated()).toEqual([]);
});

it('A file that fails is told as failed until it is mended', async () => {
  await write('two.lisp', '(defun two () (car 1 2))');
  expect((await load('base')).result).toMatchObject({ loaded: false });
  expect(await states('base')).toEqual(['one loaded', 'two failed']);
  expect((await graph('base')).nodes).toContain('base failed 1');
  await write('two.lisp', '(defun two () 222)');
  expect(await states('base')).toEqual(['one loaded', 'two changed']);
  expect(await loadedBy('base')).toEqual(['two.lisp']);
  expect(await states('base')).toEqual(['one loaded', 'two loaded']);
});

it('A system whose definition has another file since is outdated, and a load brings that file in', async () => {
  await write('base.asd', '(defsystem "base" :serial t :components ((:file "one") (:file "two") (:file "three")))');
  await write('three.lisp', '(defun three () 3)');
  expect((await outdated())[0]).toEqual(['base', ['base.asd'], []]);
  expect(await loadedBy('base')).toEqual(['one.lisp', 'two.lisp', 'three.lisp']);
  expect((await outdated()).filter(([name]) => name === 'base')).toEqual([]);
});

it('A graph goes both ways from a system, and has all of the project where none is named', async () => {
  await load('app');
  const { from, nodes, edges } = await graph('app');
  expect(from).toEqual(['app']);
  expect(nodes).toEqual(['app loaded 0', 'base loaded 0', 'app/tests defined 0', 'other defined 0']);
  expect(edges).toEqual(['app depends base', 'app/tests depends app', 'other depends app']);
  const all = await graph(null);
  expect(all.from).toEqual(['app', 'app/tests', 'base', 'other']);
  expect(all.nodes).toContain('not-there missing 0');
});

it.each([
  ['has no file', '(:file "absent")', null],
  ['fails while it is loaded', '(:file "at-load")', '(error "at load time")'],
  ['is in a module', '(:module "inside" :pathname "" :components ((:file "at-load-too")))', '(error "at load time")'],
])('A system with a component that %s is not loaded, and loads when that is mended', async (_, component, text) => {
  const [, file] = /:file "([a-z-]+)"/.exec(component)!;
  const system = `left-${file}`;
  await place(`${system}.asd`, `(defsystem "${system}" :components (${component}))`);
  if (text !== null) await place(`${file}.lisp`, text);
  for (const attempt of [1, 2])
    expect({ attempt, ...(await load(system)).result }).toMatchObject({ attempt, failed: true, loaded: false });
  const { systems } = await image.ask('systems', {});
  expect(systems.find(({ name }) => name === system)).toMatchObject({ loaded: false });
  await write(`${file}.lisp`, '(defun mended () :mended)');
  expect((await load(system)).result).toMatchObject({ failed: false, loaded: true });
  const { systems: after } = await image.ask('systems', {});
  expect(after.find(({ name }) => name === system)).toMatchObject({ loaded: true });
});
