#!/usr/bin/env node
/**
 * Makes the deb (with dpkg-deb) or the rpm (with rpmbuild) on machines without fpm. It is called with the command line that
 * electron-builder passes to fpm, and understands only the options that electron-builder uses. Any other option is an error.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Options that may be repeated, and options without a value. */
const MANY = new Set(['-d', '--deb-recommends']);
const FLAGS = new Set(['--force', '--debug']);

const { options, sources } = parse(process.argv.slice(2));
const work = mkdtempSync(join(tmpdir(), 'package-'));
try {
  const root = join(work, 'root');
  for (const source of sources) place(source, root);
  setModes(root);
  const type = one('-t');
  if (type === 'deb') makeDeb(root);
  else if (type === 'rpm') makeRpm(root);
  else throw new Error(`A deb or an rpm can be made here, not ${type}.`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

function one(name, fallback) {
  return options.get(name)?.[0] ?? fallback;
}

function parse(given) {
  const found = new Map();
  const rest = [];
  for (let index = 0; index < given.length; index += 1) {
    const word = given[index];
    if (!word.startsWith('-')) rest.push(word);
    else if (FLAGS.has(word)) found.set(word, ['']);
    else {
      index += 1;
      found.set(word, [...(MANY.has(word) ? (found.get(word) ?? []) : []), given[index]]);
    }
  }
  return { options: found, sources: rest };
}

/** Copies files into the tree as `source` specifies: `FROM=TO` copies a file or folder, and `FOLDER/=TO` copies the content of a folder. */
function place(source, root) {
  const at = source.lastIndexOf('=');
  const to = join(root, source.slice(at + 1));
  mkdirSync(dirname(to), { recursive: true });
  cpSync(source.slice(0, at), to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
}

/** Makes folders accessible, files readable and programs executable for all users. */
function setModes(folder) {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = join(folder, entry.name);
    if (entry.isDirectory()) setModes(file);
    else if (entry.isFile()) chmodSync(file, statSync(file).mode & 0o111 ? 0o755 : 0o644);
  }
}

function makeDeb(root) {
  const control = join(root, 'DEBIAN');
  const kilobytes = execFileSync('du', ['-sk', root], { encoding: 'utf8' }).split('\t')[0];
  const [synopsis, ...more] = one('--description', '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const fields = {
    Package: one('--name'),
    Version: one('--version') + (options.has('--iteration') ? `-${one('--iteration')}` : ''),
    Architecture: one('--architecture'),
    Maintainer: one('--maintainer'),
    'Installed-Size': kilobytes,
    Depends: options.get('-d')?.join(', '),
    Recommends: options.get('--deb-recommends')?.join(', '),
    Section: one('--category', 'default'),
    Priority: one('--deb-priority', 'optional'),
    Homepage: one('--url'),
    Description: [synopsis ?? one('--name'), ...more.map((line) => ` ${line}`)].join('\n'),
  };
  mkdirSync(control);
  const lines = Object.entries(fields).filter(([, value]) => value);
  writeFileSync(join(control, 'control'), lines.map(([name, value]) => `${name}: ${value}\n`).join(''));
  for (const [option, name] of [
    ['--after-install', 'postinst'],
    ['--after-remove', 'postrm'],
  ]) {
    if (options.has(option)) writeFileSync(join(control, name), readFileSync(one(option)), { mode: 0o755 });
  }
  rmSync(one('--package'), { force: true });
  const compression = { xz: ['-Zxz'], gz: ['-Zgzip', '-z1'] }[one('--deb-compression', 'xz')];
  execFileSync('dpkg-deb', ['--root-owner-group', ...compression, '--build', root, one('--package')], {
    stdio: 'inherit',
  });
}

function makeRpm(root) {
  const spec = join(work, 'package.spec');
  writeFileSync(spec, specOf(root));
  const given = one('--architecture');
  const arch = { amd64: 'x86_64', arm64: 'aarch64' }[given] ?? given;
  const folders = { _topdir: join(work, 'rpm'), _rpmdir: join(work, 'rpms') };
  const defined = Object.entries(folders).flatMap(([name, value]) => ['--define', `${name} ${value}`]);
  const args = ['-bb', '--target', arch, '--buildroot', join(work, 'buildroot'), ...defined, spec];
  execFileSync('rpmbuild', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [made] = readdirSync(join(folders._rpmdir, arch));
  cpSync(join(folders._rpmdir, arch, made), one('--package'));
}

function specOf(root) {
  const escaped = (text) => String(text).replaceAll('%', '%%');
  const scriptOf = (option) => (options.has(option) ? escaped(readFileSync(one(option), 'utf8')) : '');
  return `%define __strip /bin/true
%define debug_package %{nil}
%define _build_id_links none
%define _binary_payload w2.gzdio
Name: ${one('--name')}
Version: ${one('--version').replaceAll('-', '~')}
Release: ${one('--iteration', '1')}
Summary: ${escaped(one('--rpm-summary', one('--name')))}
License: ${one('--license')}
URL: ${one('--url')}
Vendor: ${one('--vendor')}
Packager: ${one('--maintainer')}
AutoReqProv: no
${(options.get('-d') ?? []).map((each) => `Requires: ${each}\n`).join('')}
%description
${escaped(one('--description', ''))}

%install
mkdir -p "%{buildroot}"
cp -a "${root}/." "%{buildroot}/"

%post
${scriptOf('--after-install')}

%postun
${scriptOf('--after-remove')}

%files
%defattr(-,root,root,-)
${filesBelow(root)
  .map((file) => `"${escaped(file)}"`)
  .join('\n')}
`;
}

function filesBelow(root, folder = '') {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(root, `${folder}/${entry.name}`) : [`${folder}/${entry.name}`],
  );
}
