/** Agents that are distributed as an archive, from a server on loopback. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serveArchives, tarGzOf, zipOf, type ArchiveServer, type PackedEntry } from '../archives/archives.fixture.ts';
import { downloadFile } from '#core/downloads/download.ts';
import type { InstallationRequest } from './installation-request.ts';
import { install, installWords } from './installation.ts';
import { opencode } from '../recipes/opencode.ts';
import type { ArchiveDownload, Recipe } from '../recipes/recipe.ts';

let root: string;
let server: ArchiveServer;

beforeEach(async () => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'archive-')));
  mkdirSync(path.join(root, 'agents'));
  server = await serveArchives();
});

afterEach(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});

const agent = (says = 'hello'): PackedEntry => ({
  path: './dist/agent',
  text: `#!/bin/sh\necho ${says}\n`,
  mode: 0o644,
});

function recipe(more: Partial<ArchiveDownload> = {}): Recipe {
  const { address } = server;
  return {
    ...opencode,
    title: 'Agent',
    program: 'agent',
    package: null,
    download: { kind: 'archive', address, sha256: null, program: 'dist/agent', version: '1.2.3', ...more },
  };
}

function request(more: Partial<InstallationRequest> = {}): InstallationRequest {
  return {
    recipe: recipe(),
    folder: path.join(root, 'agents', 'agent'),
    environment: { PATH: '/usr/bin:/bin' },
    project: null,
    signal: new AbortController().signal,
    progress: () => {},
    ...more,
  };
}

const run = (): string => execFileSync(path.join(root, 'agents/agent/files/dist/agent'), { encoding: 'utf8' }).trim();
/** Returns the names of the entries in the agents' folder. */
const left = (): string[] => (existsSync(path.join(root, 'agents')) ? readdirSync(path.join(root, 'agents')) : []);

describe('installation of an agent that comes as an archive', () => {
  it.each<[string, () => Buffer]>([
    ['a tar archive', () => tarGzOf([agent()])],
    ['a zip archive', () => zipOf([agent()], { isUnix: false })],
    ['the program itself', () => Buffer.from('#!/bin/sh\necho hello\n')],
  ])(
    'From %s its program can be run, with its version beside it and nothing of the download [issue 33.2]',
    async (_what, packed) => {
      server.sends(packed());
      const words: string[] = [];
      await install(request({ progress: (each) => words.push(each) }));
      expect([run(), left()]).toEqual(['hello', ['agent']]);
      expect(readdirSync(path.join(root, 'agents/agent')).toSorted()).toEqual(['files', 'installed.json']);
      expect(JSON.parse(readFileSync(path.join(root, 'agents/agent/installed.json'), 'utf8'))).toEqual({
        version: '1.2.3',
        program: 'files/dist/agent',
      });
      expect([...new Set(words)]).toEqual([
        'Creating the folder',
        'Requesting the file',
        expect.stringMatching(/^Downloading it: \d+ kB of \d+ kB$/),
        'Unpacking',
        'Moving the files into place',
      ]);
    },
  );

  it('The download is shown before with its address, and whether it can be checked [issue 33.2]', () => {
    expect([installWords(recipe()), installWords(recipe({ sha256: 'a'.repeat(64) }))]).toEqual([
      `Download ${server.address} (the list has no checksum for it)`,
      `Download ${server.address} and check its SHA-256`,
    ]);
  });

  it('A download with another checksum than the list names is not unpacked [issue 33.2]', async () => {
    const packed = tarGzOf([agent()]);
    server.sends(packed);
    await expect(install(request({ recipe: recipe({ sha256: '0'.repeat(64) }) }))).rejects.toThrow(
      'Agent was not installed. The downloaded file is not the one in the list: its SHA-256 differs. Refresh the list and install it again.',
    );
    expect(left()).toEqual([]);
    const sha256 = createHash('sha256').update(packed).digest('hex');
    await install(request({ recipe: recipe({ sha256 }) }));
    expect(run()).toBe('hello');
  });

  it.each<[string, () => void, RegExp]>([
    [
      'has not the program',
      () => server.sends(tarGzOf([{ path: 'other' }])),
      /does not contain the program "dist\/agent" that the list names\.$/,
    ],
    [
      'has a folder in the place of the program',
      () => server.sends(tarGzOf([{ path: 'dist/agent/x' }])),
      /does not contain the program/,
    ],
    [
      'leads out of its folder',
      () => server.sends(tarGzOf([agent('new'), { path: '../../evil' }])),
      /leads out of its folder, "\.\.\/\.\.\/evil"/,
    ],
    ['is cut off', () => server.sends(tarGzOf([agent('new')]).subarray(0, -9)), /archive is damaged/],
    ['is a page', () => server.sends(Buffer.from('<html>')), /neither a supported archive nor a program/],
    ['is empty', () => server.sends(Buffer.alloc(0)), /sent an empty file/],
    [
      'is not there',
      () => (server.answer = (_request, response) => void response.writeHead(404).end()),
      /127\.0\.0\.1:\d+ answered with the status 404/,
    ],
    [
      'breaks off',
      () =>
        (server.answer = (_request, response) => {
          response.writeHead(200, { 'content-length': 1_000 }).write('PK', () => response.destroy());
        }),
      /could not be reached/,
    ],
    [
      'is announced as larger than any program',
      () =>
        (server.answer = (_request, response) => {
          response.writeHead(200, { 'content-length': 2_000_000_000 }).write('PK');
        }),
      /The download is larger than 1000 MB, so it was rejected\.$/,
    ],
    [
      'is moved to an address without encryption',
      () =>
        (server.answer = (_request, response) =>
          void response.writeHead(302, { location: 'http://example.invalid/x' }).end()),
      /The program is downloaded over HTTPS only, not from http:\/\/example\.invalid\/x\.$/,
    ],
    [
      'is moved to a file',
      () =>
        (server.answer = (_request, response) =>
          void response.writeHead(302, { location: 'file:///etc/passwd' }).end()),
      /over HTTPS only, not from file:/,
    ],
  ])(
    'An update whose archive %s leaves the version of before, and nothing beside it [issue 33.2]',
    async (_what, then, words) => {
      server.sends(tarGzOf([agent('before')]));
      await install(request());
      then();
      await expect(install(request())).rejects.toThrow(/^Agent was not installed\. /);
      await expect(install(request())).rejects.toThrow(words);
      expect([run(), left(), readdirSync(root)]).toEqual(['before', ['agent'], ['agents']]);
    },
  );

  it('A cancelled download ends at once, and leaves nothing [issue 33.2]', async () => {
    const gone = Promise.withResolvers<void>();
    server.answer = (_request, response) => {
      response.on('close', gone.resolve);
      response.writeHead(200, { 'content-length': 5_000_000 }).write(Buffer.alloc(1_500_000));
    };
    const stop = new AbortController();
    const progress = (words: string): void => {
      if (words === 'Downloading it: 1.5 MB of 5.0 MB') stop.abort();
    };
    await expect(install(request({ signal: stop.signal, progress }))).rejects.toThrow(
      'The installation of Agent was cancelled.',
    );
    await gone.promise;
    expect(left()).toEqual([]);
  });

  it('A download over HTTP from elsewhere is not asked for [issue 33.2]', async () => {
    const address = 'http://example.invalid/agent.tar.gz';
    await expect(install(request({ recipe: recipe({ address }) }))).rejects.toThrow(/downloaded over HTTPS only/);
    expect(left()).toEqual([]);
  });

  it('A server that sends nothing more is given up, and one that sends on without an end too [issue 33.2]', async () => {
    const limits = {
      what: 'The program',
      most: 3_000_000,
      signal: new AbortController().signal,
      progress: () => {},
      environment: {},
    };
    server.answer = (_request, response) => void response.write('PK');
    await expect(downloadFile(server.address, path.join(root, 'silent'), { ...limits, idleMs: 200 })).rejects.toThrow(
      /sent nothing for 0\.2 seconds\. Check the network, and try again\.$/,
    );
    server.answer = (_request, response) => {
      const more = (): void => void response.write(Buffer.alloc(100_000), more);
      more();
    };
    await expect(downloadFile(server.address, path.join(root, 'endless'), limits)).rejects.toThrow(
      'The download is larger than 3 MB, so it was rejected.',
    );
  });
});
