import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ServerRecord } from '#contract/clients/server.ts';
import { Project } from '#core/project/project.ts';
import { decide, type ClientPolicy } from './policy.ts';
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
])('Writing to the folder %s of the settings is allowed without asking in: %s [G4]', (folder, expected) => {
  const folders = standingRules(
    PLACES,
    () => project,
    () => [folder],
  )()
    .filter(({ decision }) => decision === 'allow')
    .map(({ subject }) => subject.folder!.slice(project.root!.length));
  expect([...new Set(folders)]).toEqual(expected === null ? [] : [expected]);
});

it('Code of clients never connects to a port behind which there is no guard, whatever it calls this machine, and only while it is open', () => {
  const swank = { kind: 'swank', port: 4201 } as ServerRecord;
  const http = { kind: 'http', port: 9081 } as ServerRecord;
  let servers: readonly ServerRecord[] = [http, { ...swank, port: null }];
  const rules = standingRules(
    PLACES,
    () => project,
    () => [],
    () => servers,
  );
  const client: ClientPolicy = { id: 'client:a', name: 'a', mode: 'collaborate', paused: null, effects: 'allow' };
  const decided = (target: string) =>
    decide(
      {
        kind: 'effect',
        effect: 'connect',
        target,
        paths: [],
        evaluation: null,
        system: null,
        madeInMemory: false,
      },
      client,
      rules(),
    ).decision;
  expect(decided('127.0.0.1:4201')).toBe('allow');
  servers = [http, swank];
  const names = ['127.0.0.1', '0.0.0.0', '[0:0:0:0:0:0:0:1]', '[0:0:0:0:0:ffff:7f00:1]'];
  expect(names.map((name) => decided(`${name}:4201`))).toEqual(['deny', 'deny', 'deny', 'deny']);
  expect(decided('127.0.0.1:9081')).toBe('allow');
  expect(decided('127.0.0.1:4202')).toBe('allow');
});
