import { afterEach, expect, test, vi } from 'vitest';
import { run } from './children.mjs';
import { printedAtEnd } from './printed.mjs';

afterEach(() => vi.restoreAllMocks());

test('What parts of the work print at the same time is printed part by part, also by their commands, and of one that fails too', async () => {
  const said = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  const command = (words) =>
    run('sh', ['-c', words.map((word) => `echo ${word}`).join('; sleep 0.05; ')], { echo: true });
  const failing = printedAtEnd(async () => {
    await command(['b1', 'b2', 'b3']);
    throw new Error('It failed.');
  });
  await Promise.all([printedAtEnd(() => command(['a1', 'a2', 'a3'])), expect(failing).rejects.toThrow('It failed.')]);
  expect(new Set(said)).toEqual(new Set(['a1\na2\na3\n', 'b1\nb2\nb3\n']));
});
