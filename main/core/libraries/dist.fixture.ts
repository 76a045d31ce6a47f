/** A dist on a server of this machine, and the folder of a client that is subscribed to it, for tests. */
import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { create } from 'tar';

/** A project of the dist: its files, and for each system its dependencies. */
export interface TestProject {
  readonly files: Readonly<Record<string, string>>;
  readonly systems: Readonly<Record<string, readonly string[]>>;
  /** Fields of the index that differ from the archive. */
  readonly wrong?: Partial<Record<'size' | 'md5' | 'contentSha1', string>>;
  /** Replaces the archive with these octets; the index describes them. */
  readonly archive?: Buffer;
  /** True for a project of a later version whose release is that of the first version. */
  readonly kept?: boolean;
}

export interface TestDist {
  /** The home folder of a person with a client that is subscribed to the dist. */
  readonly home: string;
  /** The folder of the dist in the client's folder. */
  readonly folder: string;
  /** The folder that the server serves. */
  readonly www: string;
  /** The address of the dist. */
  readonly address: string;
  /** The address of the client's description. */
  readonly client: string;
  /** The paths that were requested from the server, oldest first. */
  readonly requested: string[];
  /** Answers a request instead of the server if it returns true. */
  answer: ((file: string, response: ServerResponse) => boolean) | null;
  close(): Promise<void>;
}

const sha1 = (texts: readonly string[]): string => createHash('sha1').update(texts.join('')).digest('hex');

/** Returns a project with one system and one file that defines a function. */
export function simpleProject(name: string, dependencies: readonly string[] = []): TestProject {
  const needs = dependencies.map((each) => JSON.stringify(each)).join(' ');
  return {
    files: {
      [`${name}.asd`]: `(defsystem "${name}" :depends-on (${needs}) :components ((:file "${name}")))`,
      [`${name}.lisp`]: `(defpackage :${name} (:use :cl)) (in-package :${name}) (defun find-me () :${name})`,
    },
    systems: { [name]: dependencies },
  };
}

export interface DistChoices {
  /** The projects of a later version of the dist, `2026-12-01`, to which its address leads. */
  readonly next?: Readonly<Record<string, TestProject>>;
  /** True for a home without a client and without dists. */
  readonly bare?: boolean;
  /** The setup file and the code of the client that the server has; both are empty if omitted. */
  readonly client?: { readonly setup: string; readonly code: string };
}

/** Makes the dist and the client's folder, without archives or indexes that the client has fetched. */
export async function openDist(
  projects: Readonly<Record<string, TestProject>>,
  { next, bare = false, client = { setup: ';;; setup\n', code: '' } }: DistChoices = {},
): Promise<TestDist> {
  const home = await mkdtemp(path.join(tmpdir(), 'home-'));
  const www = await mkdtemp(path.join(tmpdir(), 'dist-'));
  const dist: { answer: TestDist['answer']; requested: string[] } = { answer: null, requested: [] };
  const server = createServer((request, response) => {
    const file = decodeURIComponent(new URL(request.url!, 'http://localhost').pathname);
    dist.requested.push(file);
    if (dist.answer?.(file, response)) return;
    readFile(path.join(www, file)).then(
      (octets) => response.end(octets),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  await writeVersion(www, address, '2026-11-01', '1', projects);
  if (next) await writeVersion(www, address, '2026-12-01', '2', next);
  const versions = ['2026-11-01', ...(next ? ['2026-12-01'] : [])];
  await copyFile(path.join(www, versions.at(-1)!, 'distinfo.txt'), path.join(www, 'made.txt'));
  const lines = versions.map((version) => `${version} ${address}/${version}/distinfo.txt\n`);
  await writeFile(path.join(www, 'made-versions.txt'), lines.join(''));
  await writeClient(www, address, client);

  const folder = path.join(home, 'quicklisp', 'dists', 'made');
  if (!bare) {
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(home, 'quicklisp', 'setup.lisp'), '');
    await copyFile(path.join(www, '2026-11-01', 'distinfo.txt'), path.join(folder, 'distinfo.txt'));
    await writeFile(path.join(folder, 'enabled.txt'), '');
  }
  return Object.assign(dist, {
    home,
    folder,
    www,
    address: `${address}/made.txt`,
    client: `${address}/client/client-info.sexp`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
      await Promise.all([home, www].map((each) => rm(each, { recursive: true, force: true })));
    },
  });
}

/** Writes the archives and the index of a version. Unchanged projects of a later version have new archives too, as their prefix differs. */
async function writeVersion(
  www: string,
  address: string,
  version: string,
  mark: string,
  projects: Readonly<Record<string, TestProject>>,
): Promise<void> {
  const releases = ['# project url size file-md5 content-sha1 prefix [system-file1..system-fileN]'];
  const systems = ['# project system-file system-name [dependency1..dependencyN]'];
  for (const [project, { files, systems: own, wrong = {}, archive, kept = false }] of Object.entries(projects)) {
    const prefix = `${project}-${kept ? '1' : mark}`;
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(www, 'stage', prefix, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    // The archive has the files in their given order.
    const names = Object.keys(files).map((name) => `${prefix}/${name}`);
    const octets =
      archive ?? (await create({ gzip: true, cwd: path.join(www, 'stage'), portable: true }, names).concat());
    await writeFile(path.join(www, `${prefix}.tgz`), octets);
    const facts = {
      size: String(octets.length),
      md5: createHash('md5').update(octets).digest('hex'),
      contentSha1: sha1(
        Object.keys(files)
          .toSorted()
          .map((name) => files[name]!),
      ),
      ...wrong,
    };
    const definitions = Object.keys(files).filter((name) => name.endsWith('.asd'));
    const { size, md5, contentSha1 } = facts;
    releases.push([project, `${address}/${prefix}.tgz`, size, md5, contentSha1, prefix, ...definitions].join(' '));
    for (const [name, needs] of Object.entries(own))
      systems.push([project, name.split('/')[0], name, ...needs].join(' '));
  }
  const place = path.join(www, version);
  await mkdir(place);
  await writeFile(path.join(place, 'releases.txt'), `${releases.join('\n')}\n`);
  await writeFile(path.join(place, 'systems.txt'), `${systems.join('\n')}\n`);
  const lines = [
    'name: made',
    `version: ${version}`,
    `system-index-url: ${address}/${version}/systems.txt`,
    `release-index-url: ${address}/${version}/releases.txt`,
    `distinfo-subscription-url: ${address}/made.txt`,
  ];
  await writeFile(path.join(place, 'distinfo.txt'), `${lines.join('\n')}\n`);
}

/** Writes a client with the least files that a client has, and its description. */
async function writeClient(
  www: string,
  address: string,
  { setup, code }: NonNullable<DistChoices['client']>,
): Promise<void> {
  const folder = path.join(www, 'client');
  await mkdir(path.join(folder, 'quicklisp'), { recursive: true });
  await writeFile(path.join(folder, 'quicklisp', 'package.lisp'), ';;; the client\n');
  if (code !== '') await writeFile(path.join(folder, 'quicklisp', 'client.lisp'), code);
  await create({ cwd: folder, portable: true, file: path.join(folder, 'quicklisp.tar') }, ['quicklisp']);
  await writeFile(path.join(folder, 'setup.lisp'), setup);
  await writeFile(path.join(folder, 'asdf.lisp'), ';;; ASDF\n');
  const of = async (name: string): Promise<string> => {
    const octets = await readFile(path.join(folder, name));
    const sha256 = createHash('sha256').update(octets).digest('hex');
    return `(:url "${address}/client/${name}" :size ${octets.length} :sha256 "${sha256}")`;
  };
  const files = await Promise.all(['quicklisp.tar', 'setup.lisp', 'asdf.lisp'].map(of));
  await writeFile(
    path.join(folder, 'client-info.sexp'),
    `(:version "2026-01-01" :client-tar ${files[0]} :setup ${files[1]} :asdf ${files[2]})\n`,
  );
}
