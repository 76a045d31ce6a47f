import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { inContainer } from './container.ts';

it.each<[string, NodeJS.ProcessEnv, readonly string[], boolean]>([
  ['Docker by its file', {}, ['.dockerenv'], true],
  ['Podman by its file', {}, ['run/.containerenv'], true],
  ['a pod by its variable', { KUBERNETES_SERVICE_HOST: '10.0.0.1' }, [], true],
  ['a container of systemd by its variable', { container: 'systemd-nspawn' }, [], true],
  ['no container without any of them', { container: '', PATH: '/bin' }, ['run/other'], false],
])('A process finds %s', (_what, environment, files, found) => {
  const root = mkdtempSync(path.join(tmpdir(), 'root-'));
  mkdirSync(path.join(root, 'run'));
  for (const file of files) writeFileSync(path.join(root, file), '');
  expect(inContainer(environment, root)).toBe(found);
  rmSync(root, { recursive: true });
});
