/** All files of the workbench, addressed by every possible name. No tool can reach them, and no evaluated code can change them. */
import { createHash } from 'node:crypto';
import { link, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';
import { decideNext } from '#core/approvals/decide.fixture.ts';

let bench: TestWorkbench;
let client: TestClient;
/** The folder that contains all of these files. */
let home: string;

beforeAll(async () => {
  bench = await openTestWorkbench({ effects: null, shared: true });
  await bench.workbench.trustProject();
  bench.workbench.approvals.setApprover('the test');
  client = await bench.connect('codex');
  home = path.dirname(bench.home);
  await client.evaluate('(defun noted () 1)');
  for (const name of ['settings.json', 'approvals.json', 'trusted.json'])
    await writeFile(path.join(bench.home, name), '{}', { flag: 'a' });
  await symlink(home, at('to-home'));
}, 120_000);

afterEach(() => bench.workbench.approvals.denyAllOf('client:codex', 'The test is over.'));

afterAll(() => bench.close());

const at = (name: string): string => path.join(bench.project, name);

/**
 * Returns a map from the workbench's files, by their paths below the home, to digests of their content. Files that the workbench appends to
 * have no digest.
 */
async function kept(): Promise<Map<string, string>> {
  const entries = await readdir(home, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const digests = files.map(async (file): Promise<[string, string]> => {
    const grows = file.endsWith('.jsonl');
    // The audit log's anchor is rewritten with each row, so it has no digest.
    if (file.endsWith('.anchor')) return [path.relative(home, file), 'anchor'];
    const digest = grows
      ? String((await stat(file)).ino)
      : createHash('sha256')
          .update(await readFile(file))
          .digest('hex');
    return [path.relative(home, file), digest];
  });
  return new Map(await Promise.all(digests));
}

const paths: readonly [string, (file: string) => string | Promise<string>][] = [
  ['its path', (file) => path.join(home, file)],
  ['a path that goes up out of the project', (file) => `${bench.project}/../${path.basename(home)}/${file}`],
  ['a path with folders that lead nowhere', (file) => `${home}/./config/..//${file}`],
  ['a link to the folder', (file) => at(`to-home/${file}`)],
  ['another case', (file) => path.join(home, path.dirname(file), path.basename(file).toUpperCase())],
  [
    'another case of its folder',
    (file) =>
      path.join(
        home,
        file.replace(/^\w+/, (folder) => folder.toUpperCase()),
      ),
  ],
];
const links: typeof paths = [
  [
    'a link to the file',
    async (file) => {
      const name = at(`link-${file.replaceAll('/', '-')}`);
      await symlink(path.join(home, file), name).catch(() => {});
      return name;
    },
  ],
  [
    'a link to a link',
    async (file) => {
      const name = at(`link-2-${file.replaceAll('/', '-')}`);
      await symlink(at(`to-home/${file}`), name).catch(() => {});
      return name;
    },
  ],
];

/** Forms that would change one of the workbench's files, even through a link to it. */
const throughLinks: readonly ((file: string) => string)[] = [
  (file) => `(with-open-file (s "${file}" :direction :output :if-exists :supersede) (print 1 s))`,
  (file) => `(with-open-file (s "${file}" :direction :output :if-exists :append) (print 1 s))`,
  (file) => `(with-open-file (s "${file}" :direction :io :if-exists :overwrite) (print 1 s))`,
  (file) => `(sb-posix:chmod "${file}" #o666)`,
  (file) => `(sb-posix:truncate "${file}" 0)`,
  (file) => `(sb-posix:open "${file}" (logior sb-posix:o-wronly sb-posix:o-trunc))`,
];
/** Forms that, applied to a link, act on the link itself. */
const toTheName: readonly ((file: string) => string)[] = [
  (file) => `(delete-file "${file}")`,
  (file) => `(rename-file "${file}" "${at('taken')}")`,
  (file) => `(rename-file "${at('mine')}" "${file}")`,
  (file) => `(sb-posix:unlink "${file}")`,
  (file) => `(sb-posix:link "${file}" "${at('hard')}")`,
  (file) => `(sb-posix:rename "${at('mine')}" "${file}")`,
];

describe('what the workbench keeps', () => {
  it('What the workbench keeps is all there: tokens, settings, requests, audit [K2, decision 20, case 29]', async () => {
    const names = [...(await kept()).keys()];
    expect(names).toEqual(expect.arrayContaining(['config/clients.json', 'config/settings.json']));
    expect(names.some((name) => /audit\/.*\.jsonl$/.test(name))).toBe(true);
  });

  it.each([...paths, ...links])(
    'What the workbench keeps is denied to every tool, without asking, by %s [K2, decision 20, case 29]',
    async (_name, spelled) => {
      const before = await kept();
      for (const name of before.keys()) {
        const file = await spelled(name);
        for (const [tool, args] of [
          ['write-file', { path: file, content: '{}' }],
          ['propose-file-edit', { path: file, original: '', modified: '{}', description: '' }],
          ['edit-definition', { path: file, definition: 'f', text: '(defun f ())' }],
          ['delete-file', { path: file }],
          ['move-file', { path: file, to: 'mine.json' }],
          ['read-file', { path: file }],
        ] as const)
          expect({ file, tool, ...(await client.call(tool, args)) }).toMatchObject({ isError: true });
      }
      await writeFile(at('moved.txt'), 'x');
      expect(
        await client.call('move-file', { path: 'moved.txt', to: await spelled('config/clients.json') }),
      ).toMatchObject({
        isError: true,
      });
      expect(bench.workbench.approvals.view().waiting).toEqual([]);
      expect(await kept()).toEqual(before);
    },
    60_000,
  );

  it.each([
    ...paths.map(([name, spelled]) => [name, spelled, [...throughLinks, ...toTheName]] as const),
    ...links.map(([name, spelled]) => [name, spelled, throughLinks] as const),
  ])(
    'What the workbench keeps is denied to evaluated code, without asking, by %s [K2, decision 20, case 29]',
    async (_name, spelled, changes) => {
      await writeFile(at('mine'), 'mine');
      const before = await kept();
      for (const name of before.keys()) {
        const file = await spelled(name);
        const tried = changes.map((change) => `(handler-case ${change(file)} (error (e) (type-of e)))`);
        const answer = await client.evaluate(`(list ${tried.join(' ')})`);
        expect([file, answer.match(/EFFECT-DENIED/g)?.length ?? answer]).toEqual([file, changes.length]);
      }
      expect(bench.workbench.approvals.view().waiting).toEqual([]);
      expect(await kept()).toEqual(before);
    },
    60_000,
  );

  it('A hard link to a kept file is asked about, and the tools replace that name alone [K2, decision 20, case 29]', async () => {
    await mkdir(at('links'));
    await link(path.join(bench.home, 'settings.json'), at('links/kept'));
    const before = await kept();
    const call = client.evaluate(
      `(with-open-file (s "${at('links/kept')}" :direction :output :if-exists :append) (print 1 s))`,
    );
    await expect.poll(() => bench.workbench.approvals.view().waiting.length).toBe(1);
    expect(bench.workbench.approvals.view().waiting[0]!.facts.known).toContainEqual({
      name: 'hard links',
      value: '2: the same file also has other names',
      place: 'line',
    });
    bench.workbench.approvals.denyAllOf('client:codex', 'No.');
    expect(await call).toMatch(/EFFECT-DENIED/);
    expect(await kept()).toEqual(before);
    const write = client.call('write-file', { path: 'links/kept', content: '{"version":1}' });
    await decideNext(bench.workbench.approvals, { decision: 'approved' });
    expect(await write).toMatchObject({ isError: false });
    expect(await readFile(at('links/kept'), 'utf8')).toBe('{"version":1}');
    expect((await kept()).get('config/settings.json')).toBe(before.get('config/settings.json'));
  });
});

describe('project that would loosen what is allowed', () => {
  it("A project's files change no mode, no rule and no trust, and nothing of them is loaded [case 30]", async () => {
    const loose = JSON.stringify({
      version: 1,
      mode: 'allow-all',
      effects: 'allow',
      trusted: true,
      writableFolders: ['.'],
      rules: [{ id: 'x', decision: 'allow', client: null, subject: { tool: '*' }, granted: true }],
      clients: [{ name: 'codex', mode: 'collaborate', effects: 'allow' }],
    });
    const load = '(defparameter cl-user::*loosened* t)';
    for (const folder of ['.lisp-workbench', '.vscode', '.claude']) await mkdir(at(folder), { recursive: true });
    for (const name of ['settings.json', 'clients.json', 'rules.json', 'policy.json', 'lisp-workbench.json'])
      for (const folder of ['', '.lisp-workbench/', '.vscode/', '.claude/']) await writeFile(at(folder + name), loose);
    for (const name of ['.sbclrc', 'init.lisp', '.lisp-workbench/init.lisp', '.lisp-workbench.lisp', 'loosened.asd'])
      await writeFile(at(name), load);
    const { settings } = bench.workbench;
    await bench.workbench.openProject(bench.project);
    const before = JSON.stringify(settings.value);
    await bench.workbench.openProject(bench.project);
    await bench.workbench.session.restart();
    expect(JSON.stringify(settings.value)).toBe(before);
    expect(await client.evaluate("(boundp '*loosened*)")).toMatch(/^=> NIL\n\n\[image\]\nThe image was restarted/);
    const write = client.call('write-file', { path: 'loosened.txt', content: 'x' });
    await expect.poll(() => bench.workbench.approvals.view().waiting[0]?.tool).toBe('write-file');
    bench.workbench.approvals.denyAllOf('client:codex', 'No.');
    await write;
    const effect = client.evaluate(`(open "${at('loosened.txt')}" :direction :output)`);
    await expect.poll(() => bench.workbench.approvals.view().waiting[0]?.tool).toBe('OPEN');
    bench.workbench.approvals.denyAllOf('client:codex', 'No.');
    expect(await effect).toMatch(/EFFECT-DENIED/);
    await expect(stat(at('loosened.txt'))).rejects.toThrow(/ENOENT/);
  });
});
