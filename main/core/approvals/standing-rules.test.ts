import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Project } from '#core/project/project.ts';
import { standingRules } from './standing-rules.ts';

let project: Project;

beforeAll(async () => {
  project = await Project.open(await mkdtemp(path.join(tmpdir(), 'project-')));
});

afterAll(() => rm(project.root!, { recursive: true }));

const PLACES = { config: '/w/config', cache: '/w/cache', state: '/w/state', socket: '/w/socket' };

it.each<[string, string | null]>([
  ['.', ''],
  ['src', '/src'],
  ['src/', '/src'],
  ['src/../lib', '/lib'],
  ['..src', null],
  ['..', null],
  ['a/../..', null],
  ['/', null],
  ['/etc', null],
  ['.git', null],
  ['src/../.git/hooks', null],
  ['src/.hidden', null],
])('G4 the folder %s is written without asking: %s', (folder, expected) => {
  const folders = standingRules(PLACES, project, [folder])
    .filter(({ decision }) => decision === 'allow')
    .map(({ subject }) => subject.folder!.slice(project.root!.length));
  expect([...new Set(folders)]).toEqual(expected === null ? [] : [expected]);
});
