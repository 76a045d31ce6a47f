/** Cards for files that configure other programs. They appear regardless of which tool writes the files. */
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { OwnToolApproval } from '#core/hosted/own-tool-approval.ts';
import { asking } from './asking.fixture.ts';
import { decideNext, nextCard } from './decide.fixture.ts';

const { bench, client, at } = await asking();
const { approvals } = bench.workbench;

const no = { decision: 'denied', reason: 'No' } as const;
const write = (name: string): string =>
  `(with-open-file (s "${at(name)}" :direction :output :if-exists :supersede :if-does-not-exist :create) (write-string "x" s))`;

afterEach(async () => {
  await bench.workbench.changeSettings({ writableFolders: [] });
  await rm(at('.claude'), { recursive: true, force: true });
});

describe('tools that write files', () => {
  it.each<[string, Record<string, unknown>, RegExp]>([
    ['write-file', { path: '.claude/settings.json', content: '{}' }, /^Claude Code reads it/],
    ['write-file', { path: 'sub/../.CLAUDE/settings.json', content: '{}' }, /^Claude Code reads it/],
    ['propose-file-edit', { path: '.envrc', original: '', modified: 'ls', description: '' }, /^A shell runs it/],
    ['move-file', { path: 'plain.txt', to: '.git/hooks/pre-commit' }, /^Git runs it/],
    ['delete-file', { path: 'AGENTS.md' }, /instructions/],
  ])('The card of %s %o warns of what the file can start, and offers no rule', async (tool, args, words) => {
    await writeFile(at('plain.txt'), 'x');
    await writeFile(at('AGENTS.md'), 'x');
    const reply = client.call(tool, args);
    const { configures, scopes } = await nextCard(approvals);
    expect(configures).toMatch(words);
    expect(configures).toMatch(/ Each change of this file needs your approval: rules do not apply to such files\.$/);
    expect(scopes).toEqual([]);
    await decideNext(approvals, no);
    await reply;
  });

  it.each([
    ['the link is the name that programs read', 'CLAUDE.md', 'notes.txt', /instructions/],
    ['the link leads to the file that programs read', 'harmless.txt', '.envrc', /^A shell/],
  ])('A link is warned of when %s', async (_name, link, target, words) => {
    await writeFile(at(target), 'x');
    await symlink(at(target), at(link));
    const reply = client.call('write-file', { path: link, content: 'y' });
    expect((await nextCard(approvals)).configures).toMatch(words);
    await decideNext(approvals, no);
    await reply;
    await rm(at(link));
    await rm(at(target));
  });

  it('An ordinary file, such as a system definition of the project, has no warning and offers its rule', async () => {
    const reply = client.call('write-file', { path: 'shop.asd', content: '(defsystem "shop")' });
    const { configures, scopes } = await nextCard(approvals);
    expect([configures, scopes.map(({ id }) => id)]).toEqual([null, ['target']]);
    await decideNext(approvals, no);
    await reply;
  });
});

describe('effects of evaluated code', () => {
  it.each([
    ['a file that is written', write('.envrc'), /^A shell runs it/],
    ['a folder that is made', `(sb-posix:mkdir "${at('.claude')}" #o700)`, /^Claude Code/],
    ['a file that becomes another', `(sb-posix:rename "${at('from.txt')}" "${at('Makefile')}")`, /^The next build/],
    ['a link of that name', `(sb-posix:symlink "${at('from.txt')}" "${at('.mcp.json')}")`, /start the servers/],
    [
      'a folder that contains such a file',
      `(sb-ext:delete-directory "${at('holder/')}" :recursive t)`,
      /^The folder contains deep\/\.vscode\. An editor/,
    ],
    [
      'the output of a program',
      `(sb-ext:run-program "/bin/pwd" '() :output "${at('.envrc')}" :if-output-exists :supersede)`,
      /^A shell runs it/,
    ],
  ])('The card of %s warns, and offers nothing that lasts', async (_name, code, words) => {
    await writeFile(at('from.txt'), 'x');
    await mkdir(at('holder/deep/.vscode'), { recursive: true });
    const reply = client.evaluate(code);
    const card = await nextCard(approvals);
    expect([card.configures, card.headline]).toEqual([expect.stringMatching(words), expect.any(String)]);
    expect([card.scopes, card.choices.filter(({ kind }) => kind === 'always')]).toEqual([[], []]);
    await decideNext(approvals, no);
    await reply;
  });

  it('A folder that agents’ code may write in does not cover such a file: it is asked about each time', async () => {
    await mkdir(at('free'), { recursive: true });
    await bench.workbench.changeSettings({ writableFolders: ['free'] });
    expect(await client.evaluate(write('free/plain.txt'))).toBe('=> "x"');
    for (const decision of [{ decision: 'approved' } as const, no]) {
      const reply = client.evaluate(write('free/AGENTS.md'));
      expect((await nextCard(approvals)).configures).toMatch(/instructions/);
      await decideNext(approvals, decision);
      await reply;
    }
    expect(await readFile(at('free/AGENTS.md'), 'utf8')).toBe('x');
  });

  it('A rule for all files of an evaluation does not cover such a file', async () => {
    const reply = client.evaluate(`(progn ${write('one.txt')} ${write('two.txt')} ${write('.envrc')})`);
    await decideNext(approvals, { decision: 'approved', remember: 'evaluation' });
    expect(await nextCard(approvals)).toMatchObject({ headline: 'Create the file .envrc', tool: 'OPEN' });
    await decideNext(approvals, no);
    await reply;
  });

  it('A yes to the load of a system does not cover such a file', async () => {
    await writeFile(at('sly.asd'), '(asdf:defsystem "sly-one" :components ((:file "sly")))');
    await writeFile(at('sly.lisp'), `${write('one.txt')}\n${write('.envrc')}\n${write('two.txt')}`);
    const reply = client.evaluate(
      `(progn (asdf:load-asd "${at('sly.asd')}") (handler-bind ((warning #'muffle-warning)) (asdf:load-system "sly-one")) :loaded)`,
    );
    const first = await nextCard(approvals);
    expect([first.configures, first.headline]).toEqual([
      null,
      expect.stringMatching(/and may do more while it is loaded$/),
    ]);
    await decideNext(approvals, { decision: 'approved' });
    await expect.poll(() => approvals.view().waiting[0]?.configures ?? null).toMatch(/^A shell/);
    expect((await nextCard(approvals)).headline).toMatch(/^System sly-one wants to create the file \.envrc$/);
    await decideNext(approvals, { decision: 'approved' });
    expect(await reply).toMatch(/=> :LOADED$/);
  });

  it('Such a file shares no card with ordinary ones', async () => {
    const inThread = (name: string): string => `(sb-thread:make-thread (lambda () ${write(name)}))`;
    const reply = client.evaluate(
      `(mapc #'sb-thread:join-thread (list ${inThread('a.txt')} ${inThread('.envrc')} ${inThread('b.txt')}))`,
    );
    await expect
      .poll(() =>
        approvals.view().waiting.map(({ configures, effect }) => [configures !== null, effect!.targets.length]),
      )
      .toEqual(
        expect.arrayContaining([
          [true, 1],
          [false, 2],
        ]),
      );
    approvals.denyAllOf(approvals.view().waiting[0]!.actor.id, 'No');
    await reply;
  });
});

it('The card of a tool of an agent’s own warns of the file that the agent states', async () => {
  const stated = { agent: 'Codex', title: 'Edit', input: null, diff: null, files: [] };
  const diff = { path: '/p/.codex/config.toml', before: null, after: 'x' };
  const drawn = async (change: object) => (await new OwnToolApproval({ ...stated, ...change }, '/p').draw()).configures;
  expect(await drawn({ diff })).toMatch(/^An AI program reads it/);
  expect(await drawn({ files: ['/p/src/a.lisp', '/p/.git/config'] })).toMatch(/^Git reads it/);
  expect(await drawn({ diff: { ...diff, path: '/p/shop.asd' } })).toBeNull();
});
