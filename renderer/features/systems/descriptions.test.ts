import { expect, it } from 'vitest';
import type { SystemProgress, SystemRecord, TestOutcome } from '#contract/image/system.ts';
import { missingIn, ownFirst, progressWords, systemFacts, systemOfFile, testWords } from './descriptions.ts';

const record: SystemRecord = {
  name: 'shop',
  loaded: true,
  changed: 0,
  version: '1.2',
  file: '/p/shop.asd',
  origin: 'project',
  broken: null,
};
const progress: SystemProgress = {
  evaluation: 'e',
  system: 'shop',
  done: 3,
  total: 12,
  action: 'compile',
  component: 'shop/parts/part',
};
const outcome: TestOutcome = {
  name: 'shop',
  hasTests: true,
  success: false,
  framework: 'fiveam',
  ran: 3,
  failing: 1,
  exit: null,
  passed: 2,
  failed: 1,
  skipped: 1,
  expected: 0,
  total: 4,
  failures: [],
};

it('The words for a system say where it comes from [D9]', () => {
  expect([
    systemFacts(record),
    systemFacts({ ...record, version: null, loaded: false, origin: 'registry' }),
    systemFacts({ ...record, version: null, loaded: false, origin: 'ocicl' }),
    systemFacts({ ...record, version: null, changed: 2 }),
  ]).toEqual([
    'version 1.2, of this project, loaded',
    'from ASDF’s source registry',
    'from ocicl',
    'of this project, loaded, 2 files changed since',
  ]);
});

it('The words for a load say how far it is [D9]', () => {
  expect([
    progressWords(progress),
    progressWords({ ...progress, action: 'other', component: 'shop' }),
    progressWords({ ...progress, done: 12, action: 'other', component: '' }),
  ]).toEqual(['3 of 12 · compile shop/parts/part', '3 of 12 · shop', '12 of 12']);
});

it('The words for tests say how they went [D9]', () => {
  const uncounted = { passed: null, failed: null, skipped: null, expected: null, total: null, framework: null };
  expect([
    testWords(outcome),
    testWords({ ...outcome, passed: 1, failed: 0, skipped: 0, total: 1, success: true }),
    testWords({ ...outcome, ...uncounted, success: true }),
    testWords({ ...outcome, ...uncounted }),
    testWords({ ...outcome, ...uncounted, hasTests: false }),
  ]).toEqual([
    '4 checks: 2 passed, 1 failed, 1 skipped.',
    '1 check: 1 passed, 0 failed.',
    'The tests ended without an error, but were not counted.',
    'The tests failed.',
    'This system does not define how to test it.',
  ]);
});

it('The systems of the project stand before those of libraries [D9]', () => {
  const systems = ['alexandria', 'shop', 'shop/tests', 'zpb'].map((name): SystemRecord => ({
    ...record,
    name,
    origin: name.startsWith('shop') ? 'project' : 'registry',
  }));
  expect(ownFirst(systems).map(({ name }) => name)).toEqual(['shop', 'shop/tests', 'alexandria', 'zpb']);
});

it('A file belongs to the system that is defined nearest above it [D9]', () => {
  const systems = [
    { ...record, name: 'shop', file: '/p/shop.asd' },
    { ...record, name: 'shop/tests', file: '/p/shop.asd' },
    { ...record, name: 'zoo', file: '/p/zoo.asd' },
    { ...record, name: 'stock', file: '/p/lib/stock.asd' },
    { ...record, name: 'alexandria', file: '/usr/share/alexandria.asd' },
  ];
  const owners = ['/p/src/cart.lisp', '/p/zoo.asd', '/p/lib/deep/one.lisp', '/elsewhere/x.lisp'];
  expect(owners.map((file) => systemOfFile(systems, file))).toEqual(['shop', 'zoo', 'stock', null]);
});

it('What ASDF says of a failed load names the system that is missing [D9]', () => {
  expect([
    missingIn('ASDF:MISSING-DEPENDENCY: Component "not-there" not found, required by #<SYSTEM "dependent">'),
    missingIn('ASDF:MISSING-COMPONENT: Component "no/such" not found'),
    missingIn('ASDF:MISSING-DEPENDENCY: Component #:bare not found'),
    missingIn('1 file failed: cart.lisp.'),
  ]).toEqual(['not-there', 'no/such', '#:bare', null]);
});
