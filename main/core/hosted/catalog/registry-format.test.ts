import { describe, expect, it } from 'vitest';
import { BUILT_IN } from './built-in.ts';
import { packageName, programName, readAgents, readRegistry } from './registry-format.ts';

const ENTRY = {
  id: 'some',
  name: 'Some Agent',
  version: '1.2.3',
  description: 'It does something.',
  distribution: { npx: { package: '@some/agent@1.2.3', args: ['--acp'] } },
};
const npx = (more: object): object => ({ ...ENTRY, distribution: { npx: { package: 'agent', ...more } } });
const archive = (more: object): object => ({
  ...ENTRY,
  distribution: { binary: { 'linux-x86_64': { archive: 'https://a.invalid/a.tgz', cmd: './agent', ...more } } },
});

describe('format of the registry', () => {
  it('The list of this release has the format [issue 33.2]', () => {
    expect(readAgents(BUILT_IN)).toEqual(BUILT_IN);
  });

  it('Members that are not known are ignored, and of two entries with one id the first counts [issue 33.2]', () => {
    const text = JSON.stringify({
      version: '1.4.0',
      later: {},
      extensions: [],
      agents: [
        { ...ENTRY, preview: { version: 1 }, icon: 'x.svg' },
        { ...ENTRY, name: 'Other' },
      ],
    });
    expect(readRegistry(text)).toEqual({
      leftOut: 1,
      agents: [
        {
          ...ENTRY,
          website: null,
          repository: null,
          distribution: { npx: { package: '@some/agent@1.2.3', args: ['--acp'], env: {} } },
        },
      ],
    });
  });

  it.each<[string, object]>([
    ['a path as its id', { ...ENTRY, id: '../x' }],
    ['the name of a device as its id', { ...ENTRY, id: 'con' }],
    ['the name of a device in capitals as its id', { ...ENTRY, id: 'CON' }],
    ['an id of 300 characters', { ...ENTRY, id: 'a'.repeat(300) }],
    ['a name of 300 characters', { ...ENTRY, name: 'a'.repeat(300) }],
    ['a name that turns the direction of text', { ...ENTRY, name: 'Agent\u202e' }],
    ['a name of two lines', { ...ENTRY, name: 'Agent\nInstall' }],
    ['no version', { ...ENTRY, version: 'latest' }],
    ['no way to install it', { ...ENTRY, distribution: {} }],
    ['a package that is an option', npx({ package: '--registry=http://x' })],
    ['a package that is a folder', npx({ package: '../../x' })],
    ['a package that is an address', npx({ package: 'https://example.invalid/x.tgz' })],
    ['a package that is a repository', npx({ package: 'git+ssh://example.invalid/x' })],
    ['a package that is a command of a shell', npx({ package: 'agent & calc' })],
    ['a package with another one behind it', npx({ package: 'agent@1.0.0 other' })],
    ['a package by another name', npx({ package: 'agent@npm:other@1' })],
    ['a shell as its package', npx({ package: '@x/bash', args: ['-c', 'x'] })],
    ['a shell as its command', npx({ cmd: 'sh' })],
    ['an interpreter as its archived program', archive({ cmd: './bin/python3.12' })],
    ['a shell of Windows as its archived program', archive({ cmd: 'cmd.exe' })],
    ['an archived program above the archive', archive({ cmd: '../agent' })],
    ['an archived program above the archive in its middle', archive({ cmd: 'dist/../../agent' })],
    ['an archived program above the archive in the way of Windows', archive({ cmd: String.raw`dist\..\..\agent` })],
    ['an archived program at an absolute place', archive({ cmd: '/usr/bin/agent' })],
    ['an archived program on a drive', archive({ cmd: String.raw`C:\agent.exe` })],
    ['an archived program that is an option', archive({ cmd: '-agent' })],
    ['an archived program with a line end', archive({ cmd: 'dist/agent\n' })],
    ['no archived program', archive({ cmd: './' })],
    ['an archive without encryption', archive({ archive: 'http://a.invalid/a.tgz' })],
    ['an archive that is a file', archive({ archive: 'file:///tmp/a.tgz' })],
    ['an archive behind a password', archive({ archive: 'https://a:b@a.invalid/a.tgz' })],
    ['an archive without an address', archive({ archive: 'a.tgz' })],
    ['a checksum that is none', archive({ sha256: 'abc' })],
    ['code for Python', npx({ env: { PYTHONPATH: '/tmp/x' } })],
    ['a command with folders', npx({ cmd: '../run' })],
    ['a command that is an option', npx({ cmd: '-x' })],
    ['arguments that are no texts', npx({ args: [1] })],
    ['an argument with a control character', npx({ args: ['a\u0000b'] })],
    ['a hundred arguments', npx({ args: Array.from({ length: 100 }, () => 'x') })],
    ['a variable that is no name', npx({ env: { 'A=B': 'c' } })],
    ['a home of its own', npx({ env: { HOME: '/tmp' } })],
    ['code for Node', npx({ env: { NODE_OPTIONS: '--require=/tmp/x' } })],
    ['code for every program', npx({ env: { LD_PRELOAD: '/tmp/x.so' } })],
  ])('An entry with %s is left out alone, and counted [issue 33.2]', (_what, entry) => {
    const text = JSON.stringify({ version: '1.0.0', agents: [entry, { ...ENTRY, id: 'other' }] });
    const { agents, leftOut } = readRegistry(text);
    expect([agents.map(({ id }) => id), leftOut]).toEqual([['other'], 1]);
  });

  it('A description is cut to one line, and an address that is not HTTPS is no page [issue 33.2]', () => {
    const [read] = readAgents([
      {
        ...ENTRY,
        description: `a\n\u202eb ${'c'.repeat(500)}`,
        website: 'javascript:alert(1)',
        repository: 'https://a.invalid',
      },
    ]);
    expect(read).toMatchObject({ website: null, repository: 'https://a.invalid/' });
    expect(read!.description).toMatch(/^a b c{195}…$/);
  });

  it('The program of an archive keeps its folders, in one form for all systems, and what was read is read again alike [issue 33.2]', () => {
    const sha256 = 'AB'.repeat(32);
    const binary = {
      'windows-x86_64': { archive: 'https://a.invalid/ä.zip', sha256, cmd: String.raw`./dist\agent.exe` },
      'darwin-aarch64': { archive: 'https://a.invalid/a.tgz', cmd: 'Agent.app/Contents/MacOS/agent', args: ['acp'] },
    };
    const [read] = readAgents([{ ...ENTRY, distribution: { binary } }]);
    expect(read!.distribution.binary).toEqual({
      'windows-x86_64': {
        archive: 'https://a.invalid/%C3%A4.zip',
        sha256: sha256.toLowerCase(),
        cmd: 'dist/agent.exe',
        args: [],
        env: {},
      },
      'darwin-aarch64': {
        archive: 'https://a.invalid/a.tgz',
        cmd: 'Agent.app/Contents/MacOS/agent',
        args: ['acp'],
        env: {},
      },
    });
    expect(readAgents([read])).toEqual([read]);
    expect(['dist/agent.exe', 'agent', 'run.cmd'].map(programName)).toEqual(['agent', 'agent', 'run']);
  });

  it.each([
    ['no JSON', '{', /not valid JSON/],
    ['another format', '{"version":"2.0.0","agents":[]}', /does not have the format of version 1/],
    ['no list', '{"version":"1.0.0","agents":{}}', /does not have the format of version 1/],
    ['a page of a proxy', '"<html>"', /does not have the format/],
    ['entries that all do not fit', '{"version":"1.0.0","agents":[{}]}', /no readable entries/],
  ])('A text with %s is refused in a sentence [issue 33.2]', (_what, text, words) => {
    expect(() => readRegistry(text)).toThrow(words);
  });

  it('The name of a package is told without its version [issue 33.2]', () => {
    expect(['@a/b@1.2.3', '@a/b', 'c@latest'].map(packageName)).toEqual(['@a/b', '@a/b', 'c']);
  });
});
