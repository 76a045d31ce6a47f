import { expect, it } from 'vitest';
import { pageName } from './scheme-names.ts';

it.each([
  ['workbench', '/index.html', 'index.html'],
  ['workbench', '/assets/main-1a.js', 'assets/main-1a.js'],
  ['workbench', '/assets/a%20b.svg', 'assets/a b.svg'],
  ['approval', '/approval/index.html', 'approval/index.html'],
  ['approval', '/assets/main-1a.js', 'assets/main-1a.js'],
] as const)('The address app://%s%s is the file %s of that page', (host, pathname, name) => {
  expect(pageName(host, pathname)).toBe(name);
});

it.each([
  ['workbench', '/approval/index.html'],
  ['workbench', '/x%2f..%2fapproval%2findex.html'],
  ['workbench', '/x%2F..%2Fapproval/index.html'],
  ['workbench', '/x%5c..%5capproval%5cindex.html'],
  ['workbench', '/x/%2e%2e/approval/index.html'],
  ['workbench', '/%61pproval/index.html'],
  ['workbench', '/APPROVAL/index.html'],
  ['workbench', '//approval/index.html'],
  ['workbench', '/%252e%252e/approval/index.html'],
  ['workbench', '/a%00.html'],
  ['workbench', '/%E0%A4%A'],
  ['workbench', '/'],
  ['approval', '/index.html'],
  ['approval', '/assets%2f..%2findex.html'],
  ['approval', '/approval%2f..%2findex.html'],
  ['approval', '/approval/../index.html'],
] as const)('The address app://%s%s is no file of that page', (host, pathname) => {
  expect(pageName(host, pathname)).toBeNull();
});
