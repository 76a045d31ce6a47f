/** The Quicklisp client that the next image of this machine will use. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeQuicklisp } from '#core/sessions/systems/quicklisp.fixture.ts';
import { clientOfNextImage, quicklispSetups } from './find-client.ts';

let home: string;
let project: string;

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'home-'));
  project = path.join(home, 'work', 'project');
  await mkdir(project, { recursive: true });
});
afterAll(() => rm(home, { recursive: true, force: true }));

describe('the client of the next image [issue 38.2]', () => {
  const facts = (more = {}) => ({
    environment: { HOME: home },
    directory: project,
    trusted: true,
    chosen: null,
    ...more,
  });

  it('It is the one in the home unless the trusted project or the person has another tool', async () => {
    expect(clientOfNextImage(facts())).toBeNull();
    const setup = await makeQuicklisp(path.join(home, '.quicklisp'), []);
    expect(clientOfNextImage(facts())).toBe(setup);
    await mkdir(path.join(project, '.qlot'));
    await writeFile(path.join(project, '.qlot', 'setup.lisp'), '');
    expect(clientOfNextImage(facts())).toBeNull();
    expect(clientOfNextImage(facts({ trusted: false }))).toBe(setup);
    await rm(path.join(project, '.qlot'), { recursive: true });
    await writeFile(path.join(home, 'work', 'ocicl.csv'), '');
    expect(clientOfNextImage(facts())).toBeNull();
    await rm(path.join(home, 'work', 'ocicl.csv'));
    const other = await makeQuicklisp(path.join(home, 'other'), []);
    expect(clientOfNextImage(facts({ chosen: { kind: 'quicklisp', path: other } }))).toBe(other);
    expect(clientOfNextImage(facts({ chosen: { kind: 'qlot', path: other } }))).toBeNull();
  });
});

describe('the setup files of Quicklisp [issue 38.2]', () => {
  it('Those that ~/.sbclrc names come after the usual ones, each once', async () => {
    const far = await makeQuicklisp(path.join(home, 'far'), []);
    const line = `(load "${far}") (load "far/setup.lisp") (load #p"~/far/setup.lisp") (load ".qlot/setup.lisp")`;
    await writeFile(path.join(home, '.sbclrc'), line);
    expect(quicklispSetups({ HOME: home })).toEqual([path.join(home, '.quicklisp', 'setup.lisp'), far]);
    expect(quicklispSetups({ HOME: path.join(home, 'nobody') })).toEqual([]);
  });
});
