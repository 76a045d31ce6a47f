/** A dist on a server of this machine, and the folder of a client that is subscribed to it, for tests. */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
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
}

export interface TestDist {
  /** The home folder of a person with a client that is subscribed to the dist. */
  readonly home: string;
  /** The folder of the dist in the client's folder. */
  readonly folder: string;
  /** The folder that the server serves. */
  readonly www: string;
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

/** Makes the dist and the client's folder, without archives or indexes that the client has fetched. */
export async function openDist(projects: Readonly<Record<string, TestProject>>): Promise<TestDist> {
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

  const releases = ['# project url size file-md5 content-sha1 prefix [system-file1..system-fileN]'];
  const systems = ['# project system-file system-name [dependency1..dependencyN]'];
  for (const [project, { files, systems: own, wrong = {}, archive }] of Object.entries(projects)) {
    const prefix = `${project}-1`;
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
  await writeFile(path.join(www, 'releases.txt'), `${releases.join('\n')}\n`);
  await writeFile(path.join(www, 'systems.txt'), `${systems.join('\n')}\n`);

  const folder = path.join(home, 'quicklisp', 'dists', 'made');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(home, 'quicklisp', 'setup.lisp'), '');
  const info = `name: made\nversion: 2026-11-01\nsystem-index-url: ${address}/systems.txt\nrelease-index-url: ${address}/releases.txt\n`;
  await writeFile(path.join(folder, 'distinfo.txt'), info);
  await writeFile(path.join(folder, 'enabled.txt'), '');
  return Object.assign(dist, {
    home,
    folder,
    www,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
      await Promise.all([home, www].map((each) => rm(each, { recursive: true, force: true })));
    },
  });
}
