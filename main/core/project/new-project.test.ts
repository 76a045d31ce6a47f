import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewProject } from '#contract/new-project.ts';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';
import { createProject } from './new-project.ts';

let image: TestImage;
let place: string;
beforeAll(async () => {
  image = await openTestImage();
  place = await mkdtemp(path.join(tmpdir(), 'new projects é-'));
}, 120_000);
afterAll(async () => {
  await image.close();
  await rm(place, { recursive: true });
});

function project(change: Partial<NewProject>): NewProject {
  return { name: 'shop', place, description: '', author: '', license: '', tests: 'none', ...change };
}

async function created(change: Partial<NewProject>): Promise<string> {
  const made = await createProject(project(change));
  if (!made.created) throw new Error(made.problem);
  await image.ask('trust-project', { trusted: true, directory: made.path });
  return made.path;
}

describe('new project', () => {
  it.each(['fiveam', 'rt'] as const)(
    'A new project with tests by %s loads without a warning and passes them by ASDF [D9]',
    async (tests) => {
      const name = `shop-${tests}`;
      const root = await created({
        name,
        tests,
        description: 'Sells "things" for 3\\4.',
        author: 'Ada',
        license: 'MIT',
      });
      const load = await image.run('compile-system', { system: `${name}/tests`, force: null, keepGoing: true });
      expect(load.result).toMatchObject({ loaded: true, failed: false, files: [] });
      expect(await image.value(`(progn (asdf:test-system "${name}") :passed)`)).toBe(':PASSED');
      const { result } = await image.run('describe-system', { name });
      expect(result).toMatchObject({ description: 'Sells "things" for 3\\4.', author: 'Ada', license: 'MIT' });
      const test = path.join(root, 'tests', `${name}.lisp`);
      const text = await readFile(test, 'utf8');
      const failing =
        tests === 'rt' ? text.replace('-RT"', '-OTHER"') : text.replace(/\(is (.*)\)$/m, '(is (null $1))');
      await writeFile(test, failing);
      const failed = await image.evaluate(`(asdf:load-system "${name}/tests" :force t) (asdf:test-system "${name}")`);
      expect(failed.condition?.message).toContain(`Tests of ${name} failed.`);
    },
  );

  it('A new project without tests has a definition, a package, a source and nothing that was not asked for [D9]', async () => {
    const root = await created({ name: 'plain' });
    const files = await readdir(root, { recursive: true });
    expect(files.toSorted()).toEqual([
      '.gitignore',
      'README.md',
      'plain.asd',
      'src',
      'src/package.lisp',
      'src/plain.lisp',
    ]);
    expect(await readFile(path.join(root, 'plain.asd'), 'utf8')).toBe(`(defsystem "plain"
  :version "0.1.0"
  :pathname "src/"
  :serial t
  :components ((:file "package")
               (:file "plain")))
`);
    expect((await image.run('load-system', { system: 'plain' })).status).toBe('ok');
  });

  it('What is there already is never overwritten, and an empty folder is used [D9]', async () => {
    await mkdir(path.join(place, 'empty'));
    expect(await createProject(project({ name: 'empty' }))).toMatchObject({ created: true });
    expect(await createProject(project({ name: 'empty' }))).toMatchObject({
      created: false,
      field: 'name',
      problem: expect.stringContaining('is not empty') as string,
    });
    await writeFile(path.join(place, 'taken'), 'mine');
    expect(await createProject(project({ name: 'taken' }))).toMatchObject({ created: false, field: 'name' });
    expect(await readFile(path.join(place, 'taken'), 'utf8')).toBe('mine');
  });

  it('A bad name, or a place where nothing can be made, is told, and leaves nothing behind [D9]', async () => {
    const before = await readdir(place);
    expect(await createProject(project({ name: '../out' }))).toMatchObject({ created: false, field: 'name' });
    for (const bad of ['relative/place', path.join(place, 'not there'), path.join(place, 'taken')])
      expect(await createProject(project({ place: bad }))).toMatchObject({ created: false, field: 'place' });
    expect(await readdir(place)).toEqual(before);
  });
});
