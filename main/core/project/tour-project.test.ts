import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findTourSample, makeTourProject } from './tour-project.ts';

const sample = findTourSample(import.meta.dirname);
let place: string;

beforeEach(async () => {
  place = await mkdtemp(path.join(tmpdir(), 'lisp-workbench-tour-'));
});
afterEach(() => rm(place, { recursive: true, force: true }));

test('The sample project of the tour is copied whole into a folder of its name', async () => {
  const root = path.join(place, 'lisp-tour');
  expect(await makeTourProject(place, sample)).toEqual({
    created: true,
    path: root,
    source: path.join(root, 'try.lisp'),
    fresh: true,
  });
  for (const file of ['lisp-tour.asd', 'src/basket.lisp', 'tests/basket.lisp', 'try.lisp'])
    expect(await readFile(path.join(root, file), 'utf8')).toBe(await readFile(path.join(sample, file), 'utf8'));
});

test('A sample project that an earlier tour made is left as the person has it', async () => {
  const { source } = (await makeTourProject(place, sample)) as { source: string };
  await writeFile(source, '(mine)\n');
  expect(await makeTourProject(place, sample)).toMatchObject({ created: true, fresh: false, source });
  expect(await readFile(source, 'utf8')).toBe('(mine)\n');
});

test('A folder of other things in the place of the sample project is left alone, and told', async () => {
  await mkdir(path.join(place, 'lisp-tour'));
  await writeFile(path.join(place, 'lisp-tour', 'notes'), 'mine');
  expect(await makeTourProject(place, sample)).toMatchObject({ created: false, field: 'name' });
});
