/** The guard inside a real image: what agent code does outside it is asked for when it happens. */
import { existsSync } from 'node:fs';
import { readFile, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestImage, type TestImage } from './image.fixture.ts';

let image: TestImage;
/** The image's directory with links followed, as records name it. */
let folder: string;

const AGENT = { actor: 'client:tester', guard: true, context: 'agent' };

beforeEach(async () => {
  image = await openTestImage();
  folder = await realpath(image.directory);
});

afterEach(() => image.close());

const inFolder = (name: string): string => path.join(folder, name);
const lisp = (text: string): string => JSON.stringify(text);

describe('an effect of agent code', () => {
  it('G1 G2 parks the thread inside the call, with the real values', async () => {
    const file = inFolder('out.txt');
    const reply = image.evaluate(
      `(with-open-file (out ${lisp(file)} :direction :output) (write-string "hello" out))`,
      AGENT,
    );
    const { effect } = await image.next('effect-requested');
    expect(effect).toMatchObject({
      actor: 'client:tester',
      ownThread: true,
      kind: 'write',
      operator: 'OPEN',
      target: file,
      path: file,
      otherPath: null,
      system: null,
      before: [],
      beforeTotal: 0,
    });
    expect(effect.facts).toEqual([{ name: 'change', value: 'new file' }]);
    expect(existsSync(file)).toBe(false);
    await image.ask('decide-effect', { effect: effect.effect, decision: 'proceed', path: null, reason: null });
    expect(await reply).toMatchObject({
      status: 'ok',
      effects: [{ kind: 'write', operator: 'OPEN', target: file, outcome: 'proceeded' }],
      effectsMore: 0,
    });
    expect(await readFile(file, 'utf8')).toBe('hello');
  });

  it('G3 is denied with a condition that says so', async () => {
    const file = inFolder('kept.txt');
    await writeFile(file, 'kept');
    const reply = image.evaluate(`(delete-file ${lisp(file)})`, AGENT);
    const { effect } = await image.next('effect-requested');
    await image.ask('decide-effect', { effect: effect.effect, decision: 'deny', path: null, reason: 'Keep it.' });
    expect((await reply).condition).toMatchObject({
      type: 'LISP-WORKBENCH:EFFECT-DENIED',
      message: `Denied: DELETE-FILE ${file}. Keep it. Do not try another way.`,
    });
    expect(await readFile(file, 'utf8')).toBe('kept');
  });
});
