/** Loading and testing systems for the person. Errors in code stop in the debugger, while problems with the systems are reported. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';
import { abort, restart } from '../debugger/debugger.fixture.ts';

let image: TestImage;
beforeAll(async () => {
  image = await openTestImage();
  const files = {
    'needy.asd': '(defsystem "needy"\n :depends-on ("not-there"))',
    'broken.asd': '\n(defsystem "broken" :components ((:file',
    'lacks.asd': '(defsystem "lacks" :components ((:file "gone")))',
    'fails.asd': '(defsystem "fails" :components ((:file "fails")))',
    'fails.lisp': '(error "On loading.")\n',
    'stops.asd': '(defsystem "stops" :components ((:file "stops")))',
    'stops.lisp': '(break "While ~A." "loading")\n',
    'tested.asd': '(defsystem "tested" :perform (test-op (o c) (error "In the tests.")))',
  };
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(path.join(image.directory, name), text)));
}, 120_000);
afterAll(() => image.close());

const load = (system: string) =>
  image.run('compile-system', { system, force: null, keepGoing: true, onError: 'debug' });
const test = (system: string) => image.run('test-system', { system, onError: 'debug' });

describe('loads and tests in the debugger', () => {
  it('A system that is missing, broken or fails is told, and no debugger is entered', async () => {
    expect((await load('needy')).condition).toMatchObject({ type: expect.stringContaining('MISSING-DEPENDENCY') });
    expect((await load('broken')).condition).toMatchObject({ type: expect.stringContaining('DEFINITION-ERROR') });
    const faults = async (system: string) =>
      (await load(system)).result?.files.map(({ file, diagnostics }) => [
        file && path.basename(file),
        ...diagnostics.map(({ line, column }) => [line, column]),
      ]);
    expect(await faults('needy')).toEqual([['needy.asd', [2, 14]]]);
    expect(await faults('broken')).toEqual([['broken.asd', [2, 0]]]);
    expect(await faults('lacks')).toEqual([['lacks.asd', [1, 39]]]);
    expect((await test('needy')).condition).toMatchObject({ type: expect.stringContaining('MISSING-DEPENDENCY') });
    expect((await load('fails')).result).toMatchObject({
      loaded: false,
      files: [{ diagnostics: [{ severity: 'error', message: 'On loading.' }] }],
    });
    expect(image.events.filter(({ event }) => event === 'debugger-entered')).toEqual([]);
  });

  it('BREAK in a system that is loaded waits in the debugger, and the load goes on', async () => {
    const loading = load('stops');
    const { debugger: record } = await image.next('debugger-entered');
    expect(record.message).toBe('While loading.');
    await restart(image, record, 'CONTINUE');
    expect((await loading).result).toMatchObject({ loaded: true });
  });

  it('An error in tests waits in the debugger', async () => {
    const testing = test('tested');
    const { debugger: record } = await image.next('debugger-entered');
    expect(record.message).toBe('In the tests.');
    await abort(image, record);
    expect((await testing).condition).toMatchObject({ type: 'ABORT' });
  });
});
