import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { validateManifest } from '@anthropic-ai/mcpb';
import { validateConfiguration } from 'app-builder-lib/out/util/config/config.js';
import { afterAll, describe, expect, it } from 'vitest';
import { inRoot } from '../setup/places.mjs';
import { manifest, registryEntry } from './bundle.mjs';
import { configuration } from './config.mjs';
import { thirdPartyLicences } from './licences.mjs';
import { librariesOf } from './sbcl.mjs';

const folder = mkdtempSync(join(tmpdir(), 'packaging-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A log that ignores the messages of electron-builder. */
const QUIET = { isEnabled: false, add() {} };

const official = configuration({ made: folder, standIn: null, compression: 'xz', libraries: ['libc6 (>= 2.31)'] });
const other = configuration({
  made: folder,
  standIn: { dist: '/electron', version: '33.2.1' },
  compression: 'gz',
  libraries: [],
});

const usesUpdater = (file) => /\bautoUpdater\b/.test(readFileSync(file, 'utf8'));

describe('configuration of the packages', () => {
  it('The configuration is one that electron-builder takes, for all systems', async () => {
    await validateConfiguration(official, QUIET);
    await validateConfiguration(other, QUIET);
    await expect(validateConfiguration({ ...official, linux: { targets: [] } }, QUIET)).rejects.toThrow(
      'configuration.linux',
    );
  });

  it('A package with another runtime than the official one says so in its name', () => {
    expect(official.artifactName).not.toContain('stand-in');
    expect(other.artifactName).toContain('electron-33.2.1-stand-in');
  });

  it('The packages name their feed of updates, and the program has nothing that asks it', () => {
    const { homepage, dependencies = {}, devDependencies } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
    expect(official.publish).toEqual({ provider: 'generic', url: `${homepage}/updates` });
    expect(Object.keys({ ...dependencies, ...devDependencies })).not.toContain('electron-updater');
    const shell = readdirSync(inRoot('main', 'shell'), { recursive: true, encoding: 'utf8' });
    const asking = shell.filter((name) => name.endsWith('.ts') && usesUpdater(inRoot('main', 'shell', name)));
    expect(asking).toEqual([]);
  });

  it('The files that the configuration names are there', () => {
    const resources = [official, official.mac, official.win].flatMap(({ extraResources }) => extraResources);
    const named = [...resources.map(({ from }) => from), official.linux.icon, official.mac.icon, official.win.icon];
    const own = named
      .filter((file) => !file.startsWith(folder))
      .map((file) => (file.startsWith('/') ? file : inRoot(file)));
    expect(own.filter((file) => !existsSync(file))).toEqual([]);
  });
});

describe('the bundle for MCP clients', () => {
  it('The manifest is one that the makers of the format take, for all systems', () => {
    for (const platform of ['linux', 'darwin', 'win32']) {
      const file = join(folder, 'manifest.json');
      const { icon: _file, ...rest } = manifest(platform);
      writeFileSync(file, JSON.stringify(rest));
      expect(validateManifest(file)).toBe(true);
      writeFileSync(file, JSON.stringify({ ...rest, server: { type: 'lisp' } }));
      expect(validateManifest(file)).toBe(false);
    }
  });

  it('The entry for registries names the file, its digest and how it is started', () => {
    expect(registryEntry('/out/lisp-workbench-1.0.0-linux-x64.mcpb', 'ab12')).toMatchObject({
      name: expect.stringMatching(/^[a-z.-]+\/lisp-workbench$/),
      packages: [
        {
          registryType: 'mcpb',
          identifier: expect.stringMatching(/\/lisp-workbench-1\.0\.0-linux-x64\.mcpb$/),
          fileSha256: 'ab12',
          transport: { type: 'stdio' },
        },
      ],
    });
  });
});

it('A program for Linux tells which library of C it needs', () => {
  const [libc] = librariesOf(execFileSync('sh', ['-c', 'command -v sbcl'], { encoding: 'utf8' }).trim());
  expect(libc).toMatch(/^libc6 \(>= 2\.\d+\)$/);
  const file = join(folder, 'program');
  writeFileSync(file, Buffer.from('\x7fELF\0GLIBC_2.4\0GLIBC_2.31\0GLIBC_2.9\0libzstd.so.1\0'));
  expect(librariesOf(file)).toEqual(['libc6 (>= 2.31)', 'libzstd1']);
  expect(official.deb.depends).toContain('libc6 (>= 2.31)');
});

it('The licences of what is in the bundles go into the package, tools of the checkout not', () => {
  const text = thirdPartyLicences();
  const names = new Set([...text.matchAll(/^(\S+) \d\S* \(.*\)$/gm)].map(([, name]) => name));
  const fonts = ['@fontsource-variable/inter', '@fontsource-variable/jetbrains-mono'];
  for (const bundled of ['react', 'react-dom', 'monaco-editor', 'zod', 'hono', ...fonts])
    expect(names).toContain(bundled);
  for (const tool of ['vite', 'vitest', 'typescript', 'electron-builder', '@playwright/test', 'electron'])
    expect(names).not.toContain(tool);
});

describe('the maker of debs in the place of fpm', () => {
  const tree = join(folder, 'tree');
  const out = join(folder, 'hello.deb');

  function make(...more) {
    mkdirSync(join(tree, 'inner'), { recursive: true });
    writeFileSync(join(tree, 'hello'), '#!/bin/sh\necho hello\n');
    writeFileSync(join(tree, 'inner', 'text'), 'text', { mode: 0o600 });
    chmodSync(join(tree, 'hello'), 0o700);
    writeFileSync(join(folder, 'after'), '#!/bin/sh\ntrue\n');
    const names = [
      '--name',
      'hello',
      '--version',
      '1.2.3',
      '--architecture',
      'amd64',
      '--maintainer',
      'A <a@b.invalid>',
    ];
    const facts = ['--description', 'Greets\nEverybody', '-d', 'libc6', '-d', 'sh | dash', '--deb-compression', 'gz'];
    const files = ['--after-install', join(folder, 'after'), '--package', out, ...more, `${tree}/=/opt/Hello World`];
    execFileSync(process.execPath, [inRoot('resources', 'package', 'fpm.mjs'), ...names, ...facts, ...files], {
      stdio: 'pipe',
    });
  }

  it('The deb has the fields that dpkg goes by, all files of the tree, and modes for everybody', () => {
    make('-t', 'deb');
    const fields = execFileSync('dpkg-deb', ['-f', out], { encoding: 'utf8' });
    expect(fields).toContain('Package: hello\nVersion: 1.2.3\nArchitecture: amd64\n');
    expect(fields).toContain('Depends: libc6, sh | dash\n');
    expect(fields).toContain('Description: Greets\n Everybody');
    const content = execFileSync('dpkg-deb', ['-c', out], { encoding: 'utf8' });
    expect(content).toMatch(/^-rwxr-xr-x root\/root .* \.\/opt\/Hello World\/hello$/m);
    expect(content).toMatch(/^-rw-r--r-- root\/root .* \.\/opt\/Hello World\/inner\/text$/m);
    expect(execFileSync('dpkg-deb', ['-I', out, 'postinst'], { encoding: 'utf8' })).toContain('true');
  });

  it('A kind of package that it cannot make is refused', () => {
    expect(() => make('-t', 'pacman')).toThrow('A deb or an rpm can be made here, not pacman.');
  });
});
