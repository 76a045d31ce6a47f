import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configuringFile, configuringFileBelow } from './configuring-files.ts';

describe('files that configure programs', () => {
  it.each([
    ['.claude/settings.json', /^Claude Code reads it when it starts/],
    ['.claude', /^Claude Code/],
    ['src/nested/.claude/agents/x.md', /^Claude Code/],
    ['.mcp.json', /start the servers/],
    ['.cursor/mcp.json', /start the servers/],
    ['CLAUDE.md', /instructions/],
    ['docs/AGENTS.md', /instructions/],
    ['AGENTS.override.md', /instructions/],
    ['GEMINI.md', /instructions/],
    ['QWEN.md', /instructions/],
    ['.github/copilot-instructions.md', /instructions/],
    ['.cursorrules', /instructions/],
    ['.codex/config.toml', /AI program reads it/],
    ['.gemini/settings.json', /AI program/],
    ['.qwen/settings.json', /AI program/],
    ['opencode.jsonc', /AI program/],
    ['.opencode/plugin/x.ts', /AI program/],
    ['.copilot/mcp-config.json', /AI program/],
    ['.cursor/rules/x.mdc', /AI program/],
    ['.env', /environment/],
    ['.env.local', /environment/],
    ['.vscode/tasks.json', /^An editor/],
    ['shop.code-workspace', /^An editor/],
    ['.idea/workspace.xml', /^An editor/],
    ['.zed/tasks.json', /^An editor/],
    ['.dir-locals.el', /^An editor/],
    ['.exrc', /^An editor/],
    ['.nvimrc', /^An editor/],
    ['.nvim.lua', /^An editor/],
    ['.devcontainer/devcontainer.json', /container/],
    ['.git/config', /^Git reads it/],
    ['.git/hooks/pre-commit', /^Git runs it/],
    ['vendor/lib/.git/hooks', /^Git runs it/],
    ['.gitattributes', /^Git reads it/],
    ['.gitmodules', /^Git reads it/],
    ['.husky/pre-push', /^Git runs it/],
    ['.githooks/commit-msg', /^Git runs it/],
    ['.pre-commit-config.yaml', /^Git runs it/],
    ['.github/workflows/test.yml', /build server/],
    ['.gitlab-ci.yml', /build server/],
    ['.envrc', /^A shell runs it/],
    ['.bashrc', /^Shells and sessions/],
    ['.profile', /^Shells and sessions/],
    ['.zshrc', /^Shells and sessions/],
    ['.bash_profile', /^Shells and sessions/],
    ['.config/fish/config.fish', /^Shells and sessions/],
    ['.sbclrc', /when an image starts/],
    ['.ccl-init.lisp', /when an image starts/],
    ['.qlot/setup.lisp', /which code Lisp loads/],
    ['qlfile', /which code Lisp loads/],
    ['systems.csv', /which code Lisp loads/],
    ['ocicl.csv', /which code Lisp loads/],
    ['package.json', /package manager/],
    ['.npmrc', /package manager/],
    ['Makefile', /next build/],
    ['justfile', /next build/],
    ['Dockerfile', /next build/],
    ['.ssh/authorized_keys', /log in/],
    ['.netrc', /log in/],
    ['.gitconfig', /^Git/],
    ['crontab', /at set times/],
    ['.config/systemd/user/x.service', /next login/],
    ['.config/autostart/x.desktop', /next login/],
    ['tools/x.desktop', /next login/],
  ])('The file %s configures a program, inside the project and outside', (file, words) => {
    expect(configuringFile(`/home/ada/shop/${file}`, '/home/ada/shop')).toMatch(words);
    expect(configuringFile(file, '/home/ada/shop')).toMatch(words);
    expect(configuringFile(`/home/ada/${file}`, '/home/ada/shop')).not.toBeNull();
    expect(configuringFile(`/home/ada/${file}`, null)).not.toBeNull();
  });

  it.each([
    'src/shop.lisp',
    'shop.asd',
    'README.md',
    'profile.lisp',
    'git/hooks.lisp',
    'src/claude.lisp',
    'notes/agents.txt',
    'environment.lisp',
    'make.lisp',
    '.gitignore',
  ])('The file %s of the project is an ordinary file', (file) => {
    expect(configuringFile(`/home/ada/shop/${file}`, '/home/ada/shop')).toBeNull();
  });

  it.each([
    ['another case', '/p/.CLAUDE/Settings.json'],
    ['a part that goes up', '/p/src/../.claude/settings.json'],
    ['a part that goes up and out', '/p/../p/.claude/settings.json'],
    ['characters that show nothing', '/p/.cl\u200Baude/settings.json'],
    ['full-width letters', '/p/.ｃｌａｕｄｅ/settings.json'],
  ])('A name is known also when it is written with %s', (_name, file) => {
    expect(configuringFile(file, '/p')).toMatch(/^Claude Code/);
  });

  it.each([
    ['another case', '/p/.GIT/hooks/pre-commit', /^Git runs it/],
    ['another case', '/p/.Mcp.json', /start the servers/],
    ['another case', '/p/.ENVRC', /^A shell runs it/],
    ['another case', '/p/PACKAGE.JSON', /package manager/],
    ['a dot at its end', '/p/.git./hooks/pre-commit', /^Git runs it/],
    ['a dot at its end', '/p/.envrc.', /^A shell runs it/],
    ['dots and spaces at its end', '/p/.mcp.json. . ', /start the servers/],
    ['the name of a stream', '/p/.mcp.json::$DATA', /start the servers/],
    ['the name of a stream', '/p/.git::$INDEX_ALLOCATION/config', /^Git reads it/],
    ['the letter ß for ss', '/p/.ßh/config', /log in/],
    ['a long s', '/p/.baſhrc', /^Shells and sessions/],
    ['the sign of Kelvin for k', '/p/MaKefile', /next build/],
    ['a joiner that shows nothing', '/p/.gi͏t/hooks/pre-commit', /^Git runs it/],
    ['a selector that shows nothing', '/p/.envrc️', /^A shell runs it/],
    ['a filler that shows nothing before it', '/p/ㅤ.envrc', /^A shell runs it/],
    ['its short name', '/p/GIT~1/hooks/pre-commit', /short name/],
    ['its short name', '/p/PACKAG~1.JSO', /short name/],
  ])(
    'On a file system that takes several names for a file, one with %s is known: %s [issue 34.5]',
    (_how, file, words) => {
      expect(configuringFile(file, '/p')).toMatch(words);
      expect(configuringFile(file.slice(3), '/p')).toMatch(words);
      expect(configuringFile(`/home/ada${file.slice(2)}`, null)).toMatch(words);
    },
  );

  it.each(['notes.txt~', 'notes.txt.~1~', 'shop-1.2.lisp', 'ssh.lisp', 'a:b.lisp', 'Straße/x.lisp', 'x~y.lisp'])(
    'The name %s is an ordinary one on every file system [issue 34.5]',
    (file) => {
      expect(configuringFile(file, '/p')).toBeNull();
    },
  );

  it.each([
    ['a system definition', '/home/ada/other/other.asd', /^ASDF/],
    ['a folder that ASDF looks through', '/home/ada/common-lisp/other/a.lisp', /another project/],
    ['the settings of any program', '/home/ada/.config/foo/bar.ini', /A program reads it/],
    ['a program', '/usr/local/bin/ls', /name is called/],
    ['a part of the system', '/etc/passwd', /system works/],
  ])('Outside the project %s counts', (_name, file, words) => {
    expect(configuringFile(file, '/home/ada/shop')).toMatch(words);
  });

  it('A project counts by its own files, wherever it is, unless the project is such a folder itself', () => {
    for (const project of [
      '/home/ada/common-lisp/shop',
      '/home/ada/.config/x/shop',
      '/home/ada/.claude/worktrees/shop',
    ])
      expect(configuringFile(`${project}/src/a.lisp`, project)).toBeNull();
    expect(configuringFile('/home/ada/.emacs.d/init.el', '/home/ada/.emacs.d')).toMatch(/^An editor/);
    expect(configuringFile('/home/ada/.config/nvim/init.lua', '/home/ada/.config/nvim')).toMatch(/^An editor/);
    expect(configuringFile('/home/ada/shopping/shop.asd', '/home/ada/shop')).toMatch(/^ASDF/);
  });
});

describe('folders with files that configure programs', () => {
  let root: string;
  const at = (name: string): string => path.join(root, name);
  beforeAll(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'configuring-'));
    await mkdir(at('tool/deep/.vscode'), { recursive: true });
    await mkdir(at('plain/hooks'), { recursive: true });
    await writeFile(at('tool/deep/.vscode/tasks.json'), '{}');
    await writeFile(at('plain/hooks/pre-commit'), 'ls');
    await mkdir(at('large'));
    for (let index = 0; index < 5_100; index += 1) await mkdir(at(`large/${index}`));
  });
  afterAll(() => rm(root, { recursive: true }));

  it('A folder is known by the first such file in it, at any depth', () => {
    expect(configuringFileBelow(at('tool'), root)).toMatch(/^The folder contains deep\/\.vscode\. An editor/);
    expect(configuringFileBelow(at('plain'), root)).toBeNull();
    expect(configuringFileBelow(at('none'), root)).toBeNull();
    expect(configuringFileBelow(at('plain/hooks/pre-commit'), root)).toBeNull();
  });

  it('A folder is known by what its files become when it is moved', () => {
    expect(configuringFileBelow(at('plain'), root, at('repository.git'))).toMatch(
      /^The folder contains hooks\. Git runs/,
    );
  });

  it('A folder that is too large to be looked through counts as one that has such files', () => {
    expect(configuringFileBelow(at('large'), root)).toMatch(/too many files to be checked/);
  });
});
