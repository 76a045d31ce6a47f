import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentLaunch, Recipe, ToldCall } from '../recipes/recipe.ts';
import { RECIPES } from '../recipes/recipes.ts';
import { BUILT_IN } from './built-in.ts';
import { byHand, installedVersion, listedRecipe, platformName } from './listed-recipe.ts';
import { offered } from './offered-programs.ts';
import { readAgents, type RegistryAgent } from './registry-format.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'listed-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function entry(distribution: unknown, more: object = {}): RegistryAgent {
  return readAgents([{ id: 'some', name: 'Some', version: '1.2.3', description: 'd', distribution, ...more }])[0]!;
}

const NPX = { npx: { package: '@vendor/some-agent@1.2.3', args: ['--acp'], env: { SOME: '1' } } };

/** Installs a package with this manifest and these files. */
function installed(manifest: object | string, files: Readonly<Record<string, string>> = {}): void {
  const root = path.join(folder, 'node_modules', '@vendor/some-agent');
  const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest);
  for (const [name, content] of Object.entries({ 'package.json': text, ...files })) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), content);
  }
}

const complete = async (recipe: Recipe): Promise<unknown> => {
  const { installed, script, node } = await recipe.completed!(folder);
  return { installed, script, node };
};

describe('program that only the list describes', () => {
  it('A package is started with the arguments and variables of the list, in a home of its own where it is closed off [issue 33.2]', () => {
    const recipe = listedRecipe(entry(NPX));
    const launch = (standing: 'project-read-only' | 'unconfined'): AgentLaunch =>
      recipe.launch({
        found: { place: '/p', version: null },
        standing,
        server: { name: 's', url: 'u', token: 'secret' },
        home: '/home',
      });
    expect(launch('unconfined')).toEqual({ args: ['--acp'], environment: { SOME: '1' } });
    expect(launch('project-read-only').environment).toMatchObject({ SOME: '1', HOME: '/home' });
    expect(JSON.stringify(launch('project-read-only'))).not.toContain('secret');
    expect(recipe).toMatchObject({
      id: 'registry-some',
      package: { name: '@vendor/some-agent', version: null },
      keepsOwnTools: true,
      versionArguments: null,
    });
  });

  it.each<[string, object, Record<string, string>, unknown]>([
    [
      'a script by its name',
      { bin: { other: 'x.js', 'some-agent': './dist/main.mjs' }, engines: { node: '>=22.1' } },
      { 'dist/main.mjs': '' },
      { installed: ['node_modules/@vendor/some-agent/dist/main.mjs'], script: true, node: '22.1' },
    ],
    [
      'a script by its first line',
      { bin: 'bin/run' },
      { 'bin/run': '#!/usr/bin/env -S node --enable-source-maps\n' },
      { installed: ['node_modules/@vendor/some-agent/bin/run'], script: true, node: null },
    ],
    [
      'a program that is no script, by the only name',
      { bin: { whatever: 'run' } },
      { run: '\u007fELF' },
      { installed: ['node_modules/@vendor/some-agent/run'], script: false, node: null },
    ],
  ])('The file that is started is read from the package: %s [issue 33.2]', async (_what, manifest, files, expected) => {
    installed(manifest, files);
    expect(await complete(listedRecipe(entry(NPX)))).toEqual(expected);
  });

  it('A command that the list names is the one that is started [issue 33.2]', async () => {
    installed({ bin: { 'some-agent': 'a.js', acp: 'b.js' } });
    const recipe = listedRecipe(entry({ npx: { ...NPX.npx, cmd: 'acp' } }));
    expect(await complete(recipe)).toMatchObject({ installed: ['node_modules/@vendor/some-agent/b.js'] });
    expect(recipe.program).toBe('acp');
  });

  it.each<[string, object | string]>([
    ['none', {}],
    ['one outside of itself', { bin: '../../../evil.js' }],
    ['none of this name', { bin: { a: 'a.js', b: 'b.js' } }],
    ['none, since it is damaged', '{"bin":'],
    ['no list of them', { bin: 7 }],
  ])('A package that names as its program %s has none that is started [issue 33.2]', async (_what, manifest) => {
    installed(manifest);
    expect(await complete(listedRecipe(entry(NPX)))).toMatchObject({ installed: [] });
  });

  it('The version of an installed package is read, and of none is not known [issue 33.2]', async () => {
    const recipe = listedRecipe(entry(NPX));
    expect(await installedVersion(recipe, folder)).toBeNull();
    installed({ version: '1.2.4' });
    expect(await installedVersion(recipe, folder)).toBe('1.2.4');
  });

  const ARCHIVE = { archive: 'https://a.invalid/a.zip', cmd: './dist/some-program' };
  const WINDOWS = { archive: 'https://a.invalid/w.zip', cmd: String.raw`dist\some-program.exe` };
  const download = { kind: 'archive', sha256: null, version: '1.2.3' };

  it.each<[string, unknown, string, string, object | undefined]>([
    [
      'an archive on Linux',
      { binary: { 'linux-x86_64': ARCHIVE } },
      'linux-x86_64',
      'some-program',
      { ...download, address: ARCHIVE.archive, program: 'dist/some-program' },
    ],
    [
      'an archive on macOS, with a checksum',
      { binary: { 'linux-x86_64': WINDOWS, 'darwin-aarch64': { ...ARCHIVE, sha256: 'a'.repeat(64) } } },
      'darwin-aarch64',
      'some-program',
      { ...download, address: ARCHIVE.archive, program: 'dist/some-program', sha256: 'a'.repeat(64) },
    ],
    [
      'an archive on Windows',
      { binary: { 'windows-aarch64': WINDOWS } },
      'windows-aarch64',
      'some-program',
      { ...download, address: WINDOWS.archive, program: 'dist/some-program.exe' },
    ],
    [
      'a package of Python',
      { uvx: { package: 'some-py@1.0.0' } },
      'linux-x86_64',
      'some-py',
      { kind: 'python', package: 'some-py@1.0.0', program: 'some-py', version: '1.2.3' },
    ],
    [
      'a package of Python with another command, where there is no archive for the system',
      { uvx: { package: 'some-py==1.0.0', cmd: 'acp' }, binary: { 'linux-x86_64': ARCHIVE } },
      'linux-aarch64',
      'acp',
      { kind: 'python', package: 'some-py==1.0.0', program: 'acp', version: '1.2.3' },
    ],
    [
      'a package of npm, which goes before others',
      { ...NPX, binary: { 'linux-x86_64': ARCHIVE } },
      'linux-x86_64',
      'some-agent',
      undefined,
    ],
  ])('What is installed is %s [issue 33.2]', (_what, distribution, platform, program, expected) => {
    const some = entry(distribution);
    const recipe = listedRecipe(some, platform);
    expect([recipe.program, recipe.download, byHand(some, recipe, platform)]).toEqual([program, expected, null]);
  });

  it('A program that is not for this system, or that only a shell of Windows runs, says so, and how to get it [issue 33.2]', () => {
    const told = (distribution: unknown, platform: string): string | null => {
      const some = entry(distribution, { website: 'https://a.invalid' });
      return byHand(some, listedRecipe(some, platform), platform);
    };
    expect(told({ binary: { 'windows-x86_64': WINDOWS } }, 'darwin-x86_64')).toBe(
      'The list has no Some for this system (darwin-x86_64).',
    );
    expect(told({ binary: { 'windows-x86_64': { ...WINDOWS, cmd: 'some.cmd' } } }, 'windows-x86_64')).toBe(
      'Some starts through a batch file on this system, which the workbench cannot run. Install it as its page says, so that "some.exe" is on the path, and try again.',
    );
  });

  it('Systems have the names of the registry [issue 33.2]', () => {
    const names = [
      ['linux', 'x64'],
      ['linux', 'arm64'],
      ['darwin', 'arm64'],
      ['win32', 'x64'],
      ['win32', 'arm64'],
      ['linux', 'riscv64'],
    ].map(([platform, arch]) => platformName(platform!, arch!));
    expect(names).toEqual([
      'linux-x86_64',
      'linux-aarch64',
      'darwin-aarch64',
      'windows-x86_64',
      'windows-aarch64',
      'linux-riscv64',
    ]);
  });

  const told = (call: Partial<ToldCall>): ToldCall => ({
    id: '1',
    title: null,
    name: null,
    kind: null,
    rawInput: { code: '1' },
    meta: {},
    ...call,
  });

  it.each([
    { name: 'mcp__lisp-workbench__evaluate-lisp' },
    { title: 'lisp-workbench__evaluate-lisp' },
    { title: 'lisp-workbench_evaluate-lisp', kind: 'other' },
    { title: 'lisp-workbench-evaluate-lisp' },
  ])('The call %j is one of ours [issue 33.2]', (call) => {
    expect(listedRecipe(entry(NPX)).ownCall(told(call), { name: 'lisp-workbench' })).toEqual({
      tool: 'evaluate-lisp',
      arguments: { code: '1' },
    });
  });

  it.each([
    { title: 'lisp-workbench_evaluate-lisp', kind: 'execute' },
    { title: 'lisp-workbench_x', kind: 'edit' },
    { title: 'other_evaluate-lisp' },
    { title: 'lisp-workbench' },
    {},
  ])('The call %j is none of ours [issue 33.2]', (call) => {
    expect(listedRecipe(entry(NPX)).ownCall(told(call), { name: 'lisp-workbench' })).toBeNull();
  });
});

describe('programs that are offered', () => {
  it('Each recipe has its entry of the list of this release, in the version that was tried or a newer one, and they come first [issue 33.2]', () => {
    const all = offered(RECIPES, BUILT_IN);
    expect(all.slice(0, RECIPES.length).map(({ recipe }) => recipe.id)).toEqual(RECIPES.map(({ id }) => id));
    for (const { recipe, isKnown, description, listed, page } of all) {
      expect([recipe.id, listed === null, page === null, description]).toEqual([
        recipe.id,
        false,
        false,
        expect.stringMatching(/^[A-Z].*\.$/),
      ]);
      expect(isKnown).toBe(RECIPES.includes(recipe));
    }
    expect(all.slice(RECIPES.length).map(({ recipe }) => recipe.id)).toEqual(['registry-grok-build', 'registry-qoder']);
  });

  it('Entries of older packages of a program with a recipe are not offered beside it, and say nothing of its version [issue 33.2]', () => {
    const older = [
      entry(
        { npx: { package: '@zed-industries/claude-code-acp@99.0.0' } },
        { id: 'claude-code-acp', version: '99.0.0' },
      ),
      entry(
        { npx: { package: '@github/copilot-language-server@99.0.0' } },
        { id: 'github-copilot', version: '99.0.0' },
      ),
    ];
    const all = offered(RECIPES, older);
    expect(all).toHaveLength(RECIPES.length);
    expect(all.map(({ listed }) => listed).filter((version) => version !== null)).toEqual([]);
  });

  it('An entry with the name of a recipe’s folder is offered in a folder of its own, without the state of that program [issue 33.2]', () => {
    const [other] = offered(RECIPES, [entry(NPX, { id: 'claude-code' })]).slice(-1);
    expect([other!.recipe.id, other!.isKnown]).toEqual(['registry-claude-code', false]);
  });
});
