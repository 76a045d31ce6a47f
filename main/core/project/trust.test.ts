import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openTestWorkbench, type TestWorkbench } from '#core/workbench.fixture.ts';
import { Project } from './project.ts';
import { Trust } from './trust.ts';

const open: TestWorkbench[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((bench) => bench.close()));
});

async function untrusted(): Promise<TestWorkbench> {
  const bench = await openTestWorkbench({ shared: true });
  open.push(bench);
  const ran = path.join(bench.project, 'ran');
  await mkdir(path.join(bench.project, 'lib'));
  await writeFile(
    path.join(bench.project, 'lib', 'evil.asd'),
    `(with-open-file (s "${ran}" :direction :output :if-exists :supersede) (print :ran s))\n(defsystem "evil")\n`,
  );
  return bench;
}

describe('folder that is not trusted', () => {
  it('An untrusted folder runs nothing of itself, has its systems listed by name, and lets no client do anything [K7, case 39]', async () => {
    const bench = await untrusted();
    const { workbench } = bench;
    const ran = path.join(bench.project, 'ran');
    const { systems } = await workbench.session.lookUp('systems', {});
    expect(systems.find(({ name }) => name === 'evil')).toMatchObject({ origin: 'project', loaded: false });
    const { load } = await workbench.loads.load({ system: 'evil', evaluation: 'a load of it' });
    expect(load).toMatchObject({ state: 'failed', message: expect.stringMatching(/is not trusted/) as string });
    await expect(stat(ran)).rejects.toThrow(/ENOENT/);
    const client = await bench.connect('eager');
    for (const [tool, args] of [
      ['evaluate-lisp', { code: '1' }],
      ['read-file', { path: 'lib/evil.asd' }],
      ['list-systems', { system: 'evil' }],
    ] as const)
      expect(await client.call(tool, args)).toMatchObject({
        isError: true,
        text: expect.stringMatching(
          /is not trusted\. Nothing was run, because clients have to wait until the person trusts the folder/,
        ) as string,
      });
    await expect(stat(ran)).rejects.toThrow(/ENOENT/);
  });

  it('A folder is trusted once, by the person, and then all is as usual, also in an image that goes back [K7, case 39]', async () => {
    const bench = await untrusted();
    const { workbench } = bench;
    const client = await bench.connect('patient');
    const before = await workbench.session.checkpoint('before', { id: 'person', kind: 'person', name: 'you' });
    await workbench.trustProject();
    expect(await client.call('evaluate-lisp', { code: '(+ 1 2)' })).toMatchObject({ text: '=> 3' });
    await workbench.session.rewind(before.id, { id: 'person', kind: 'person', name: 'you' });
    expect((await workbench.loads.load({ system: 'evil', evaluation: 'a second load of it' })).load).toMatchObject({
      state: 'loaded',
    });
    await stat(path.join(bench.project, 'ran'));
  });

  it('A trusted folder is remembered by its canonical path, and a damaged record trusts nothing and says so [K7, case 39]', async () => {
    const home = await mkdtemp(path.join(tmpdir(), 'trust-'));
    try {
      const project = await Project.open(home);
      const trust = new Trust(home);
      expect([trust.has(project), trust.has(Project.none)]).toEqual([false, true]);
      await trust.add(project);
      expect([new Trust(home).has(project), new Trust(home).has(await Project.open('/'))]).toEqual([true, false]);
      await writeFile(path.join(home, 'trust.json'), '{"version":1,"folders":["');
      const damaged = new Trust(home);
      expect([damaged.has(project), damaged.kept?.problem]).toEqual([false, expect.stringMatching(/is damaged/)]);
    } finally {
      await rm(home, { recursive: true });
    }
  });
});
