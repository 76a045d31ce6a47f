/** The library tool of each image: chosen when the image starts, and there again after a reset. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PERSON } from '#contract/clients/known-actors.ts';
import { AGENT, openTestSession, type TestSession } from '../session.fixture.ts';
import type { SessionOptions } from '../supervisor/recovery.ts';
import { makeQuicklisp, sessionLibraries } from './quicklisp.fixture.ts';

let home: string;
let project: string;
let test: TestSession | undefined;

beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'home-'));
  project = path.join(home, 'work', 'project');
  await mkdir(project, { recursive: true });
});

afterEach(async () => {
  await test?.close();
  test = undefined;
  await rm(home, { recursive: true, force: true });
});

async function open(options: Partial<SessionOptions> = {}): Promise<TestSession> {
  const environment = { ...process.env, HOME: home, XDG_DATA_HOME: path.join(home, 'data') };
  test = await openTestSession({
    directory: () => project,
    environment,
    libraries: sessionLibraries(environment),
    ...options,
  });
  return test;
}

const packageNamed = (name: string): string => `(and (find-package "${name}") t)`;
const homeOfClient = '(sb-ext:native-namestring (symbol-value (find-symbol "*QUICKLISP-HOME*" :ql)))';

describe('the library tool of an image [issue 38.2]', () => {
  it('An image uses the Quicklisp of the home, and a reset loads again what came from it', async () => {
    await makeQuicklisp(path.join(home, 'quicklisp'), ['lettuce']);
    const { say, session } = await open();
    expect(await say('(ql:quickload :lettuce) (lettuce::find-me)')).toBe(':LETTUCE');
    expect(session.systems).toEqual(['lettuce']);
    expect(await session.reset(PERSON)).toEqual([]);
    expect(await say('(lettuce::find-me)')).toBe(':LETTUCE');
  });

  it.each([
    [
      'the lines that Quicklisp adds',
      '(let ((init (merge-pathnames "lisp/ql/setup.lisp" (user-homedir-pathname)))) (load init))',
    ],
    ['a name that begins in the home', '(load "~/lisp/ql/setup.lisp")'],
    ['a whole name', '(load #p"HOME/lisp/ql/setup.lisp")'],
  ])('A Quicklisp elsewhere is found through %s in ~/.sbclrc, whose code does not run', async (_how, line) => {
    await makeQuicklisp(path.join(home, 'lisp', 'ql'), []);
    await writeFile(path.join(home, '.sbclrc'), `(defvar cl-user::*ran* t)\n${line.replace('HOME', home)}\n`);
    const { say } = await open();
    expect(await say(homeOfClient)).toBe(`"${path.join(home, 'lisp', 'ql')}/"`);
    expect(await say('(boundp (quote cl-user::*ran*))')).toBe('NIL');
  });

  it('The qlot of a trusted project comes before the Quicklisp of the home, that of another project is not run', async () => {
    await makeQuicklisp(path.join(home, 'quicklisp'), []);
    await makeQuicklisp(path.join(project, '.qlot'), []);
    let trusted = true;
    const { say, session } = await open({ trusted: () => trusted });
    expect(await say(homeOfClient)).toBe(`"${path.join(project, '.qlot')}/"`);
    trusted = false;
    await session.reset(PERSON);
    expect(await say(homeOfClient)).toBe(`"${path.join(home, 'quicklisp')}/"`);
  });

  it.each(['ocicl.csv', 'systems.csv'])('The %s above a trusted project says where systems are', async (list) => {
    const systems = path.join(home, 'work', path.basename(list, '.csv'));
    await mkdir(path.join(systems, 'one-1'), { recursive: true });
    await mkdir(path.join(systems, 'one-2'), { recursive: true });
    await writeFile(path.join(home, 'work', list), 'a_plus_b, ghcr.io/ocicl/a_plus_b:2, one-2/a+b.asd\n');
    for (const version of ['1', '2'])
      await writeFile(path.join(systems, `one-${version}`, 'a+b.asd'), `(defsystem "a+b" :version "${version}")`);
    const trusted = await open({ trusted: () => true });
    expect(await trusted.say('(asdf:component-version (asdf:find-system "a+b"))')).toBe('"2"');
    await trusted.close();
    const other = await open({ trusted: () => false });
    expect(await other.say('(asdf:find-system "a+b" nil)')).toBe('NIL');
  });

  it('The list of ocicl for the whole home is used beside another tool', async () => {
    await makeQuicklisp(path.join(home, 'quicklisp'), []);
    await mkdir(path.join(home, 'data', 'ocicl', 'ocicl', 'far-1'), { recursive: true });
    await writeFile(path.join(home, 'data', 'ocicl', 'ocicl.csv'), 'far, ghcr.io/ocicl/far:1, far-1/far.asd\n');
    await writeFile(path.join(home, 'data', 'ocicl', 'ocicl', 'far-1', 'far.asd'), '(defsystem "far" :version "1")');
    const { say } = await open();
    expect(await say('(asdf:component-version (asdf:find-system "far"))')).toBe('"1"');
    expect(await say(packageNamed('QUICKLISP-CLIENT'))).toBe('T');
  });

  it.each([
    ['fails', '(error "half a download")', /half a download/],
    ['ends the image', '(sb-ext:exit :code 3 :abort t)', /could not be set up/],
  ])('A setup file that %s is reported, and the image is there without it', async (_what, setup, said) => {
    await makeQuicklisp(path.join(home, 'quicklisp'), [], setup);
    const failures: string[] = [];
    const { session, say } = await open();
    session.events.on('lifecycle', ({ change, summary }) => void (change === 'failed' && failures.push(summary)));
    expect(await say('(+ 40 2)')).toBe('42');
    expect(failures.join('\n')).toMatch(said);
  });

  it('A tool that the person chose is used by the next image too', async () => {
    await makeQuicklisp(path.join(home, 'quicklisp'), []);
    const file = await makeQuicklisp(path.join(home, 'elsewhere'), []);
    const { say } = await open({ libraries: sessionLibraries(process.env, { kind: 'quicklisp', path: file }) });
    expect(await say(homeOfClient)).toBe(`"${path.join(home, 'elsewhere')}/"`);
  });
});

describe('what a library client defines [issue 38.1]', () => {
  const actorsOf = ({ session }: TestSession): string[] =>
    session.definitions.state().map(({ name, seen }) => `${name} ${seen ? 'seen' : 'open'}`);

  it('The definitions of an init file are the person’s, and those of the client are nowhere', async () => {
    const setup = await makeQuicklisp(path.join(home, 'quicklisp'), ['lettuce']);
    const init = path.join(home, 'init.lisp');
    await writeFile(init, `(load "${setup}")\n(defun mine () 1)\n(defvar *mine* 2)\n`);
    const opened = await open({ initFile: () => init });
    expect(await opened.say('(mine)')).toBe('1');
    expect(actorsOf(opened)).toEqual(['MINE seen', '*MINE* seen']);
    const all = { packages: null, text: null, most: 1000, room: 1000 };
    const { packages } = await opened.session.lookUp('definitions', all);
    expect(packages.map((each) => each.package)).toEqual(['COMMON-LISP-USER']);
    const { systems } = await opened.session.lookUp('systems', {});
    expect(systems.filter(({ origin }) => origin === 'quicklisp')).toEqual([]);
    await opened.say('(ql:quickload :lettuce)');
    const { systems: later } = await opened.session.lookUp('systems', {});
    expect(later.filter(({ origin }) => origin === 'quicklisp').map(({ name, loaded }) => [name, loaded])).toEqual([
      ['lettuce', true],
    ]);
  });

  it('A package of an agent is listed and recorded, although its name is like one of the client', async () => {
    await makeQuicklisp(path.join(home, 'quicklisp'), []);
    const opened = await open();
    const code = '(defpackage :ql-evil (:use :cl)) (defun ql-evil::act () 1)';
    expect(await opened.say(code, { actor: AGENT })).toBe('QL-EVIL::ACT');
    await expect.poll(() => actorsOf(opened)).toEqual(['QL-EVIL open', 'ACT open']);
  });

  it('An agent finds systems through the client without a question, because only the client’s index is written', async () => {
    await makeQuicklisp(path.join(home, 'quicklisp'), []);
    const { say } = await open({ effects: 'deny' });
    const index = path.join(home, 'quicklisp', 'local-projects', 'system-index.txt');
    expect(await say('(ql:quickload "nonexistent")', { actor: AGENT })).toBe(
      'QUICKLISP-CLIENT:SYSTEM-NOT-FOUND: System "nonexistent" not found',
    );
    expect(await readFile(index, 'utf8')).toBe('\n');
    const other = `(with-open-file (s "${home}/quicklisp/local-projects/more.txt" :direction :output) (print 1 s))`;
    expect(await say(other, { actor: AGENT })).toMatch(/^LISP-WORKBENCH:EFFECT-DENIED: /);
  });
});

describe('what a project needs [issue 38.1]', () => {
  it('The load of a project installs all that it lacks in one go, also what its definition and its tests need', async () => {
    await makeQuicklisp(path.join(home, 'quicklisp'), ['one', 'two', 'definer', 'tester']);
    const { session } = await open();
    await writeFile(
      path.join(project, 'shop.asd'),
      `(defsystem "shop" :defsystem-depends-on ("definer") :depends-on ("one" "two") :in-order-to ((test-op (test-op "shop/tests"))))
       (defsystem "shop/tests" :depends-on ("shop" "tester"))`,
    );
    const run = { actor: PERSON, context: PERSON.id };
    const { reply } = await session.compileSystem({ ...run, evaluation: 'load', system: 'shop', force: null });
    expect(reply).toMatchObject({ status: 'ok', result: { loaded: true, failed: false, files: [] } });
    expect(session.systems).toEqual(['shop']);
    const tested = await session.run('test-system', { ...run, evaluation: 'test' }, { system: 'shop' }, 'test shop');
    expect(tested.reply).toMatchObject({ status: 'ok' });
    const { systems } = await session.lookUp('systems', {});
    expect(systems.filter(({ origin, loaded }) => origin === 'quicklisp' && loaded).map(({ name }) => name)).toEqual([
      'definer',
      'one',
      'tester',
      'two',
    ]);
  });

  it('A system that no dist has is named as missing', async () => {
    await makeQuicklisp(path.join(home, 'quicklisp'), ['one']);
    const { session } = await open();
    await writeFile(path.join(project, 'shop.asd'), '(defsystem "shop" :depends-on ("one" "no-such-library"))');
    const request = { actor: PERSON, context: PERSON.id, evaluation: 'load', system: 'shop', force: null };
    const { reply } = await session.compileSystem(request);
    expect(JSON.stringify(reply)).toContain('no-such-library');
  });
});
