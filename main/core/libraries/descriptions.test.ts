/** Descriptions and licences of systems: read from definition files, and made into a digest of a dist. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { factsIn } from './definition-text.ts';
import { openDist, simpleProject } from './dist.fixture.ts';

it.each([
  ['a string and a keyword', '(defsystem "a" :description "Sums" :license "MIT")', 'a', ['Sums', 'MIT']],
  ['a symbol, in lower case', '(asdf:defsystem #:Big-A :licence "BSD"\n:description "x")', 'big-a', ['x', 'BSD']],
  [
    'a text over several lines',
    '(defsystem :a :description "One\n     two \\"three\\"")',
    'a',
    ['One two "three"', null],
  ],
  ['a computed description', '(defsystem a :description #.(text) :license "MIT")', 'a', [null, 'MIT']],
  ['a system after other forms', '(in-package :asdf) (defsystem :a/b :description "x")', 'a/b', ['x', null]],
  ['an unfinished file', '(defsystem "a" :description "x', 'a', ['x', null]],
])('The facts about a system are read as text: %s [issue 38.4]', (_what, text, name, expected) => {
  const { description, licence } = factsIn(text).get(name)!;
  expect([description, licence]).toEqual(expected);
});

it('A file that defines nothing has no facts, and other forms are left out [issue 38.4]', () => {
  expect(factsIn('(defpackage :a) (defun defsystem-of (x) x) "(defsystem)"').size).toBe(0);
  expect(factsIn('').size).toBe(0);
});

it('The digest of a dist has what its archives say, and names what is left out [issue 38.4]', async () => {
  const oil = simpleProject('oil');
  const dist = await openDist({
    oil: { ...oil, files: { ...oil.files, 'oil.asd': '(defsystem "oil" :description "Presses" :license "MIT")' } },
    plain: simpleProject('plain'),
    wrong: { ...simpleProject('wrong'), wrong: { md5: '0'.repeat(32) } },
  });
  const folder = await mkdtemp(path.join(tmpdir(), 'digest-'));
  const file = path.join(folder, 'digest.json');
  const script = path.resolve(import.meta.dirname, '../../../resources/package/dist-digest.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [script, dist.address, file]);
  expect(stdout).toContain('left out: wrong: The archive is not the one of the index.');
  expect(stdout).toContain('1 of 3 systems of made 2026-11-01 have a description or a licence.');
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
    dist: 'made 2026-11-01',
    systems: { oil: ['Presses', 'MIT'] },
  });
  await rm(folder, { recursive: true });
  await dist.close();
});
