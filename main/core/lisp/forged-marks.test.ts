/** Code in an image that writes its own messages to the wire. They must never affect a process that does not belong to the image. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestImage, type TestImage } from './image.fixture.ts';
import { runs } from './process.ts';

let test: TestImage;
let stranger: ChildProcess;

beforeEach(async () => {
  test = await openTestImage();
  stranger = spawn('sleep', ['600'], { stdio: 'ignore' });
  await once(stranger, 'spawn');
});

afterEach(async () => {
  await test.close();
  stranger.kill('SIGKILL');
});

/** Returns a form that writes `text` onto the wire. `text` is a control string of FORMAT. */
function writing(text: string): string {
  return `(let ((octets (sb-ext:string-to-octets (format nil "${text}") :external-format :utf-8)))
    (sb-sys:with-pinned-objects (octets) (sb-unix:unix-write 4 octets 0 (length octets))))`;
}

function frame(message: object): string {
  const payload = JSON.stringify(message);
  return `${payload.length}~%${payload.replaceAll('"', String.raw`\"`)}`;
}

async function copied(): Promise<number> {
  const made = await test.image.checkpoint();
  if (!('pid' in made)) throw new Error(made.reason);
  return made.pid;
}

describe('marks that code in an image forges', () => {
  it.each([0, 1])('A process of somebody else is not ended, with %i copies of the image [K6]', async (copies) => {
    if (copies === 1) await copied();
    const live = test.image.pid;
    for (const mark of ['ended', 'live']) {
      await test.evaluate(writing(`~%!${mark} ${stranger.pid}~%`));
      expect(await test.value('(+ 1 2)')).toBe('3');
    }
    expect(test.image.pid).toBe(live);
    expect(runs(stranger.pid!)).toBe(true);
  });

  it('A process of somebody else is no copy, whatever an answer says', async () => {
    const reply = frame({ id: 2, ok: { pid: stranger.pid, reason: null } }); // the forged answer to the second request
    const first = test.evaluate(writing(reply));
    expect(await test.image.checkpoint()).toEqual({ pid: stranger.pid });
    await first;
    expect(test.image.holds(stranger.pid!)).toBe(false);
    await copied();
    await copied();
    test.image.drop(stranger.pid!);
    test.image.stopSaving(stranger.pid!);
    expect(runs(stranger.pid!)).toBe(true);
  });

  it('The live process is ended where its end is forged: two processes on one wire would both read it', async () => {
    const copy = await copied();
    const live = test.image.pid!;
    const over = test.image.lifeOver;
    void test.evaluate(`(progn ${writing(`~%!ended ${copy}~%`)} (sleep 600))`).catch(() => {});
    await over;
    await expect.poll(() => runs(live)).toBe(false);
    await test.image.wake(copy);
    expect(test.image.pid).toBe(copy);
    expect(await test.value('(+ 1 2)')).toBe('3');
  });

  it('A copy is the image only when it was told to be', async () => {
    const copy = await copied();
    const live = test.image.pid;
    await test.evaluate(writing(`~%!live ${copy}~%`));
    expect(test.image.pid).toBe(live);
    expect(await test.value('(+ 1 2)')).toBe('3');
  });
});
