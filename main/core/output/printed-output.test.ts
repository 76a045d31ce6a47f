import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestSession, type TestSession } from '#core/sessions/session.fixture.ts';
import { PrintedOutput } from './printed-output.ts';

let test: TestSession;
let output: PrintedOutput;
let limit = 1_000_000_000;

beforeAll(async () => {
  test = await openTestSession();
  output = new PrintedOutput({
    session: test.session,
    folder: path.join(test.directory, 'output'),
    limit: () => limit,
  });
  await test.session.start();
}, 120_000);

afterAll(async () => {
  await output.dispose();
  await test.close();
});

async function print(evaluation: string, code: string) {
  output.begin(evaluation);
  const { report, output: collected } = await test.evaluate(code, { evaluation, streamedOutput: 1_000_000_000 });
  output.end(evaluation);
  return { report, collected };
}

describe('printed output', () => {
  it('Ten million characters that are printed are all kept, and none of them in memory [D5]', async () => {
    const { report, collected } = await print('long-one', '(dotimes (i 1000000) (format t "~9,\'0D~%" i))');
    expect([report.outputCut, collected]).toEqual([0, []]);
    const first = (await output.part('long-one', 0))!;
    expect(first).toMatchObject({ part: 0, line: 0, lines: 1_000_001, characters: 10_000_000 });
    expect(first.text.startsWith('000000000\n000000001\n')).toBe(true);
    const last = (await output.part('long-one', first.parts))!;
    expect(last.text.endsWith('000999999\n')).toBe(true);
    const found = await output.search('long-one', {
      text: '000777777',
      matchCase: false,
      backwards: false,
      from: { part: 0, offset: 0 },
    });
    expect(found).toMatchObject({ line: 777_777 });
  });

  it('Short output stays in memory, and is no file', async () => {
    await print('short-one', '(princ "hello")');
    expect(await output.part('short-one', 0)).toMatchObject({ text: 'hello', parts: 1, characters: 5 });
    expect(readdirSync(path.join(test.directory, 'output'))).toHaveLength(1);
  });

  it('Output that is forgotten leaves the disk', async () => {
    output.forget(['long-one', 'nobody']);
    expect(await output.part('long-one', 0)).toBeNull();
    await expect.poll(() => readdirSync(path.join(test.directory, 'output'))).toEqual([]);
  });

  it('Where all outputs are too large together the oldest finished one leaves, and says so', async () => {
    limit = 500_000;
    await print('older-one', '(dotimes (i 400) (format t "~999,\'0D~%" i))');
    await print('newer-one', '(dotimes (i 400) (format t "~999,\'0D~%" i))');
    expect(await output.part('older-one', 0)).toBeNull();
    expect(output.problem('older-one')).toContain('reached the limit');
    expect((await output.part('newer-one', 0))?.characters).toBe(400_000);
    limit = 1_000_000_000;
  });

  it('Printing that is stopped goes on unseen and is counted; the evaluation ends with its value [D5]', async () => {
    const evaluation = 'endless-one';
    output.begin(evaluation);
    const stopped = Promise.withResolvers<boolean>();
    let asked = false;
    const stop = test.session.events.on('output', () => {
      if (!asked) void test.session.discardOutput(evaluation).then(stopped.resolve, stopped.reject);
      asked = true;
    });
    const { report } = await test.evaluate('(defvar *go-on* t) (dotimes (i 3000000) (write-line "abcdefghi")) :done', {
      evaluation,
      streamedOutput: 1_000_000_000,
    });
    stop();
    output.end(evaluation);
    expect(await stopped.promise).toBe(true);
    const kept = (await output.part(evaluation, 0))!.characters;
    expect([report.status, report.values[0]?.text]).toEqual(['ok', ':DONE']);
    expect(report.outputCut).toBeGreaterThan(0);
    expect(kept + report.outputCut).toBe(30_000_000);
    expect(await test.session.discardOutput(evaluation)).toBe(false);
  });

  it('An endless printer can be interrupted while its output is kept', async () => {
    const evaluation = 'forever-one';
    output.begin(evaluation);
    let interrupted: Promise<boolean> | null = null;
    const stop = test.session.events.on('output', () => {
      interrupted ??= test.session.interrupt(evaluation);
    });
    const { report } = await test.evaluate('(loop (print :forever))', { evaluation, streamedOutput: 1_000_000_000 });
    stop();
    expect([report.status, interrupted === null]).toEqual(['interrupted', false]);
  });

  it('Reading from an image that is held stops its printer, and goes on with nothing lost', async () => {
    const evaluation = 'held-one';
    output.begin(evaluation);
    const release = test.session.holdOutput();
    const done = test.evaluate('(dotimes (i 900000) (write-line "abcdefghi")) (values)', {
      evaluation,
      streamedOutput: 1_000_000_000,
    });
    release();
    await done;
    expect((await output.part(evaluation, 0))?.characters).toBe(9_000_000);
  });

  it('All files leave the disk with the program', async () => {
    const folder = path.join(test.directory, 'output');
    expect(existsSync(folder)).toBe(true);
    await output.dispose();
    expect(existsSync(folder)).toBe(false);
  });
});
