import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PERSON } from '#contract/clients/known-actors.ts';
import { openTestSession, type TestSession } from '../session.fixture.ts';

let test: TestSession;

beforeEach(async () => {
  test = await openTestSession({ checkpoints: true });
});

afterEach(() => test.close());

describe('saved worlds', () => {
  it('A saved world keeps the whole image on disk, which goes on meanwhile, and brings it back', async () => {
    await test.say(
      '(defvar *x* (list 1 2)) (defun f () (list :f *x*)) (defpackage :mine (:use :cl)) (in-package :mine)',
    );
    await test.session.saveWorld('my world');
    await test.say('(setf (first cl-user::*x*) 9)', { package: 'CL-USER' });
    await test.session.restart();
    expect(await test.say("(fboundp 'f)")).toBe('NIL');
    await test.session.openWorld('my world');
    expect(test.session.view()).toMatchObject({ state: 'idle', package: 'MINE' });
    expect(await test.say('(f)', { package: 'CL-USER' })).toBe('(:F (1 2))');
    expect(await test.session.worlds()).toMatchObject([{ name: 'my world', problem: null, bytes: expect.any(Number) }]);
  });

  it('An image from a saved world can be evaluated, checkpointed and saved in again', async () => {
    await test.session.saveWorld('first');
    await test.session.openWorld('first');
    await test.say('(defun g () :g)');
    const { id } = await test.session.checkpoint('here', PERSON);
    await test.say('(defun g () :changed)');
    await test.session.rewind(id, PERSON);
    expect(await test.say('(g)')).toBe(':G');
    await test.session.saveWorld('second');
    await test.session.openWorld('second');
    expect(await test.say('(g)')).toBe(':G');
  });

  it('Saving a world is refused while a thread runs, and leaves no file', async () => {
    await test.say('(sb-thread:make-thread (lambda () (sleep 1000)) :name "server")');
    await expect(test.session.saveWorld('no')).rejects.toThrow('1 thread is running: server.');
    expect(await readdir(path.join(test.directory, 'worlds'))).toEqual([]);
  });

  it.each(['../out', '', '.hidden', 'a/b'])('A saved world has a name that is a file name, not %j', async (name) => {
    await expect(test.session.saveWorld(name)).rejects.toThrow('A name can contain only letters');
  });

  it('A saved world that is damaged or of another version is told, and the image is kept', async () => {
    await test.say('(defvar *kept* :kept)');
    await test.session.saveWorld('old');
    const folder = path.join(test.directory, 'worlds');
    const facts = { version: 1, name: 'old', savedAt: 1, engine: 'engine-other.core', entries: [], systems: [] };
    await writeFile(path.join(folder, 'old.json'), JSON.stringify(facts));
    await writeFile(path.join(folder, 'broken.json'), '{');
    await expect(test.session.openWorld('old')).rejects.toThrow('another version');
    await expect(test.session.openWorld('broken')).rejects.toThrow('There is no saved world broken.');
    expect(await test.say('*kept*')).toBe(':KEPT');
  });

  it('A world is saved once at a time', async () => {
    const both = await Promise.allSettled([test.session.saveWorld('twice'), test.session.saveWorld('twice')]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const refused = both.find((each) => each.status === 'rejected');
    expect(String(refused?.reason)).toContain('is already being saved');
    expect(await test.session.worlds()).toMatchObject([{ name: 'twice', problem: null }]);
  });

  it('A world that the image could not finish leaves no file', async () => {
    const { id } = await test.session.checkpoint('here', PERSON);
    const folder = path.join(test.directory, 'worlds');
    // The child process starts to write the file and never finishes.
    await test.say(
      `(push (lambda () (close (open "${folder}/unfinished.core.part" :direction :output)) (loop (sleep 1)))
             sb-ext:*save-hooks*)`,
    );
    const saving = test.session.saveWorld('unfinished');
    saving.catch(() => {});
    const files = () => readdir(folder).catch(() => []);
    await expect.poll(files).toEqual(['unfinished.core.part']);
    await test.session.rewind(id, PERSON);
    await expect(saving).rejects.toThrow('could not be written');
    expect(await readdir(folder)).toEqual([]);
  });
});
