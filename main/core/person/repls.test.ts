import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EvaluationReport } from '#contract/image/evaluation.ts';
import { FIRST_REPL } from '#contract/image/shared-image.ts';
import { MOST_IMAGES, MOST_REPLS } from '#contract/limits.ts';
import { PERSON } from '#contract/clients/known-actors.ts';
import type { Session } from '#core/sessions/session.ts';
import { openTestWorkbench, type TestWorkbench } from '../workbench.fixture.ts';

let bench: TestWorkbench;

beforeEach(async () => {
  bench = await openTestWorkbench({ shared: true });
}, 120_000);

afterEach(() => bench.close());

function evaluate(repl: string, code: string, evaluation: string = randomUUID()): Promise<EvaluationReport> {
  const request = { evaluation, code, package: null, origin: 'repl', source: null, onError: 'report' } as const;
  return bench.workbench.evaluateAsPerson({ ...request, repl });
}

async function say(repl: string, code: string): Promise<string> {
  const { values, condition } = await evaluate(repl, code);
  return condition ? `${condition.type}: ${condition.message}` : values.map(({ text }) => text).join(' ');
}

const packageOf = (repl: string): string | undefined =>
  bench.workbench.repls.list().find(({ id }) => id === repl)?.package;

/** Resolves when `holds` returns true. Checks again after each change of an image. */
function until(session: Session, holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const stop = session.events.on('changed', () => {
      if (!holds()) return;
      stop();
      resolve();
    });
    if (holds()) resolve();
  });
}

describe('REPLs of one image', () => {
  it('REPLs share the definitions of their image, and each has a package and a history of its own [D5, decision 22]', async () => {
    const { repls } = bench.workbench;
    const { id: second } = repls.open(null);
    await say(FIRST_REPL, '(defun shared (x) (* 2 x))');
    await say(FIRST_REPL, '(shared 21)');
    await say(second, '(defpackage :aside (:use :cl)) (in-package :aside)');
    expect(await say(second, '(cl-user::shared 50)')).toBe('100');
    expect(await say(FIRST_REPL, '(list * (package-name *package*))')).toBe('(42 "COMMON-LISP-USER")');
    expect(await say(second, '(list * (first /) (first +) (package-name *package*))')).toContain('(100 100 ');
    expect([packageOf(FIRST_REPL), packageOf(second)]).toEqual(['COMMON-LISP-USER', 'ASIDE']);
  });

  it('A REPL that is closed ends what runs in it, and what others run goes on', async () => {
    const { repls, session } = bench.workbench;
    const { id: second } = repls.open(null);
    const loop = evaluate(second, '(loop)');
    await until(session, () => session.view().running !== null);
    const waiting = say(FIRST_REPL, '(+ 1 2)');
    repls.close(second);
    expect((await loop).status).toBe('interrupted');
    expect(await waiting).toBe('3');
    await expect(evaluate(second, '1')).rejects.toThrow('This REPL was closed.');
    expect(() => repls.close(FIRST_REPL)).toThrow('The first REPL cannot be closed.');
  });

  it('A restored REPL is in its package as soon as the image has it', async () => {
    const { repls, session } = bench.workbench;
    const kept = { id: 'kept-repl', name: 'Parser', image: null, package: 'PARSER', draft: '' };
    repls.restore({ images: [], repls: [kept] });
    expect(await say(FIRST_REPL, '(+ 1 1)')).toBe('2');
    expect([packageOf('kept-repl'), repls.list()[1]!.wanted]).toEqual(['COMMON-LISP-USER', 'PARSER']);
    const entered = new Promise<void>((resolve) => {
      repls.events.on('changed', () => packageOf('kept-repl') === 'PARSER' && resolve());
    });
    await say(FIRST_REPL, '(defpackage :parser (:use :cl)) (defun parser::token () :token)');
    await entered;
    expect(repls.list()[1]).toMatchObject({ name: 'Parser', image: session.id, wanted: null });
    expect(await say('kept-repl', '(token)')).toBe(':TOKEN');
  });
});

describe('REPLs over the lives of their image', () => {
  it('Going back to a checkpoint takes each REPL into the package that it had there [decision 22]', async () => {
    const { repls, session } = bench.workbench;
    const { id: second } = repls.open(null);
    await say(second, '(defpackage :aside (:use :cl)) (in-package :aside)');
    const { id } = await session.checkpoint('here', PERSON);
    await say(second, '(in-package :keyword)');
    expect(packageOf(second)).toBe('KEYWORD');
    const back = new Promise<void>((resolve) => {
      repls.events.on('changed', () => packageOf(second) === 'ASIDE' && resolve());
    });
    await session.rewind(id, PERSON);
    await back;
    expect(await say(second, '(package-name *package*)')).toBe('"ASIDE"');
  });

  it('A fresh image has every REPL in CL-USER until it has the package of before, with an empty history', async () => {
    const { repls, session } = bench.workbench;
    const { id: second } = repls.open(null);
    const places = () => repls.list().map(({ package: inPackage, wanted }) => [inPackage, wanted]);
    await say(FIRST_REPL, '(defpackage :bare (:use :cl)) (in-package :bare)');
    await say(second, '(defpackage :aside (:use :cl)) (in-package :aside) (defun made () :made)');
    await session.restart();
    expect(places()).toEqual([
      ['COMMON-LISP-USER', 'BARE'],
      ['COMMON-LISP-USER', 'ASIDE'],
    ]);
    const entered = new Promise<void>((resolve) => {
      repls.events.on('changed', () => places().every(([, wanted]) => wanted === null) && resolve());
    });
    await session.replay();
    await entered;
    expect([places(), session.view().package]).toEqual([
      [
        ['BARE', null],
        ['ASIDE', null],
      ],
      'BARE',
    ]);
    expect(await say(second, '(list * (made) (package-name *package*))')).toBe('(NIL :MADE "ASIDE")');
    expect(await say(FIRST_REPL, '(package-name *package*)')).toBe('"BARE"');
  });

  it('A REPL in which something is evaluated before its package is there again stays where that was', async () => {
    const { repls, session } = bench.workbench;
    await say(FIRST_REPL, '(defpackage :aside (:use :cl)) (in-package :aside) (defun made () :made)');
    await session.restart();
    expect(await say(FIRST_REPL, '(+ 1 1)')).toBe('2');
    expect(repls.list()[0]).toMatchObject({ package: 'COMMON-LISP-USER', wanted: null });
    await session.replay();
    expect(await say(FIRST_REPL, '(list (aside::made) (package-name *package*))')).toBe('(:MADE "COMMON-LISP-USER")');
  });

  it('An image that ends during an evaluation takes its REPL back into the package of before, once that is there', async () => {
    const { repls, session } = bench.workbench;
    const { id: second } = repls.open(null);
    await say(second, '(defpackage :aside (:use :cl)) (in-package :aside) (defun made () :made)');
    const started = new Promise<void>((resolve) => {
      session.events.on('lifecycle', ({ change }) => (change === 'started' ? resolve() : undefined));
    });
    expect((await evaluate(second, '(sb-ext:exit :abort t)')).status).toBe('lost');
    await started;
    const entered = new Promise<void>((resolve) => {
      repls.events.on('changed', () => packageOf(second) === 'ASIDE' && resolve());
    });
    await session.replay();
    await entered;
    expect(await say(second, '(made)')).toBe(':MADE');
  });

  it('The number of REPLs is limited, and says what to do', () => {
    const { repls } = bench.workbench;
    for (let count = 1; count < MOST_REPLS; count += 1) repls.open(null);
    expect(() => repls.open(null)).toThrow(`${MOST_REPLS} REPLs are open. Close one of them first.`);
  });

  it('What was kept of images with names that are not allowed is left out, and the rest is restored', () => {
    const { repls, images } = bench.workbench;
    const kept = { id: 'kept-repl', name: 'mine', image: 'mine', package: 'COMMON-LISP-USER', draft: '' };
    repls.restore({
      images: ['image of codex', 'mine', 'mine'],
      repls: [{ ...kept, id: 'other', image: 'image of codex' }, kept],
    });
    expect(images.list().map(({ name, pid }) => [name, pid])).toEqual([['mine', null]]);
    expect(repls.list().map(({ id }) => id)).toEqual([FIRST_REPL, 'kept-repl']);
  });
});

describe('further images of the person', () => {
  it('A further image has definitions of its own, and a loop in it holds up no other image', async () => {
    const { repls, images, sessions } = bench.workbench;
    const repl = repls.openImage(null);
    const further = sessions.find(repl.image);
    expect([repl.name, images.list()[0]!.name, images.list()[0]!.owner]).toEqual(['image 2', 'image 2', 'person']);
    await say(repl.id, '(defvar *here* 1)');
    expect(await say(FIRST_REPL, "(boundp 'cl-user::*here*)")).toBe('NIL');
    const evaluation = randomUUID();
    const loop = evaluate(repl.id, '(loop)', evaluation);
    await until(further, () => further.view().running !== null);
    expect(await say(FIRST_REPL, '(+ 20 22)')).toBe('42');
    expect(sessions.running(evaluation)).toBe(further);
    await further.interrupt(evaluation);
    expect((await loop).status).toBe('interrupted');
  });

  it('Handles and debuggers of a further image are told apart from those of the shared one', async () => {
    const { repls, images, sessions } = bench.workbench;
    const repl = repls.openImage('scratch');
    const further = sessions.find(repl.image);
    const [own, other] = [await evaluate(FIRST_REPL, '(list 1)'), await evaluate(repl.id, '(list 2)')];
    const [one, two] = [own.values[0]!.handle!, other.values[0]!.handle!];
    expect(images.addresses.object(one)).toEqual({ session: sessions.main, handle: one });
    const place = images.addresses.object(two);
    expect(place.session).toBe(further);
    const page = { holder: 'test', view: null, offset: 0, limit: 10, package: null };
    expect((await further.lookUp('inspect', { handle: place.handle, ...page })).text).toBe('(2)');
    const request = { code: '(error "Here.")', package: null, origin: 'repl', source: null, repl: repl.id } as const;
    const entered = new Promise((resolve) => further.events.on('debugger-entered', resolve));
    const stopped = bench.workbench.evaluateAsPerson({ evaluation: randomUUID(), ...request });
    await entered;
    const [head] = images.openDebuggers.debuggers;
    const named = images.addresses.debugger(head!.id);
    expect(named.session).toBe(further);
    expect(further.debugger(named.id).message).toBe('Here.');
    await repls.endImage(repl.image);
    expect((await stopped).status).toBe('lost');
    expect(() => images.addresses.debugger(head!.id)).toThrow('The image of this debugger has ended.');
    expect(images.addresses.object(two).session).toBeNull();
    expect(repls.list().map(({ id }) => id)).toEqual([FIRST_REPL]);
  });

  it('What is printed in a further image is kept to its end, and what another image prints is not mixed in', async () => {
    const { repls, output } = bench.workbench;
    const { id } = repls.openImage('scratch');
    const [far, near] = [randomUUID(), randomUUID()];
    await Promise.all([
      evaluate(id, '(dotimes (i 30000) (format t "far ~5,\'0D~%" i))', far),
      evaluate(FIRST_REPL, '(dotimes (i 30000) (format t "near ~5,\'0D~%" i))', near),
    ]);
    for (const [evaluation, word] of [
      [far, 'far'],
      [near, 'near'],
    ] as const) {
      const first = (await output.part(evaluation, 0))!;
      const last = (await output.part(evaluation, first.parts))!;
      expect(first.characters).toBe(30_000 * (word.length + 7));
      expect([first.text.split('\n')[0], last.text.endsWith(`${word} 29999\n`)]).toEqual([`${word} 00000`, true]);
    }
  });

  it('A further image that is killed comes back, and its definitions can be evaluated again', async () => {
    const { repls, sessions } = bench.workbench;
    const { id, image } = repls.openImage('scratch');
    const further = sessions.find(image);
    await say(id, '(defpackage :mine (:use :cl)) (in-package :mine) (defun kept () :kept)');
    expect(packageOf(id)).toBe('MINE');
    const before = further.view().pid!;
    process.kill(before, 'SIGKILL');
    await until(further, () => ![null, before].includes(further.view().pid) && further.view().lost !== null);
    expect((await further.replay()).failed).toEqual([]);
    expect(await say(id, '(mine::kept)')).toBe(':KEPT');
    expect(await say(FIRST_REPL, '(find-package :mine)')).toBe('NIL');
  });

  it('The number of further images is limited, and no name passes for an image of a client', () => {
    const { repls, images } = bench.workbench;
    for (let count = 0; count < MOST_IMAGES; count += 1) images.open(null);
    expect(() => images.open(null)).toThrow(`You have ${MOST_IMAGES} further images. End one of them first.`);
    const [{ id } = { id: '' }] = images.list();
    expect(() => repls.renameImage(id, 'image of codex')).toThrow('clients’ images');
    expect(() => repls.renameImage(id, 'image 3')).toThrow('An image named image 3 already exists.');
    expect(() => repls.renameImage(bench.workbench.session.id, 'mine')).toThrow('not one of your additional images');
  });

  it('A person has a REPL in the own image of a client, and cannot end that image', async () => {
    const { repls, images, agents, clients } = bench.workbench;
    const { client } = await clients.mint('codex');
    await clients.change({ id: client.id, ownImage: true });
    const { session } = agents.sessionOf(clients.actor(client.id));
    const { id } = repls.open(session.id);
    expect(await say(id, '(+ 1 2)')).toBe('3');
    expect(images.list()).toMatchObject([{ name: 'image of codex', owner: 'client' }]);
    await expect(repls.endImage(session.id)).rejects.toThrow('not one of your additional images');
    await clients.change({ id: client.id, ownImage: false });
    await expect(evaluate(id, '1')).rejects.toThrow('This image no longer exists.');
  });
});
