import { describe, expect, it } from 'vitest';
import type { DefinitionKind, DefinitionRecord, PackageDefinitions } from '#contract/definition.ts';
import { browserRows, countKinds, type Narrowing, shownName } from './model.ts';

const definition = (kind: DefinitionKind, name: string, actor: string | null = 'person'): DefinitionRecord => ({
  kind,
  name,
  lambdaList: null,
  value: null,
  documentation: null,
  source: null,
  actor,
  event: null,
  evaluation: null,
  time: null,
});
const inPackages = (...packages: PackageDefinitions[]): Map<string, PackageDefinitions> =>
  new Map(packages.map((each) => [each.package, each]));
const shop = inPackages(
  { package: 'CL-USER', definitions: [definition('function', 'SCRATCH')] },
  {
    package: 'SHOP',
    definitions: [
      definition('method', 'DISCOUNT (CUSTOMER LINE-ITEM)'),
      definition('function', 'TOTAL'),
      definition('generic-function', 'DISCOUNT'),
      definition('method', 'DISCOUNT (CLUB-MEMBER LINE-ITEM)', 'client:a'),
      definition('variable', '*CART*'),
      definition('function', '|Mixed Case|', null),
    ],
  },
);
const all: Narrowing = { text: '', kind: null, byAgents: false, waiting: null, among: null };
const outline = (narrowing: Partial<Narrowing>, expanded = true): string[] =>
  browserRows(shop, { ...all, ...narrowing }, () => expanded).rows.map(
    (row) => `${'  '.repeat(row.level - 1)}${row.label}`,
  );

describe('D8 the definitions browser', () => {
  it('lists packages with CL-USER last, definitions by name, methods under their generic function', () => {
    expect(outline({})).toEqual([
      'SHOP',
      '  *cart*',
      '  |Mixed Case|',
      '  discount',
      '    (club-member line-item)',
      '    (customer line-item)',
      '  total',
      'CL-USER',
      '  scratch',
    ]);
  });

  it('folds packages, but never while it is filtered', () => {
    expect(outline({}, false)).toEqual(['SHOP', 'CL-USER']);
    expect(outline({ text: 'TOT' }, false)).toEqual(['SHOP', '  total']);
  });

  it('filters by text, kind and author', () => {
    expect(outline({ text: 'club' })).toEqual(['SHOP', '  discount (club-member line-item)']);
    expect(outline({ kind: 'variable' })).toEqual(['SHOP', '  *cart*']);
    expect(outline({ byAgents: true })).toEqual(['SHOP', '  discount (club-member line-item)']);
    expect(outline({ text: 'nothing' })).toEqual([]);
  });

  it('numbers rows among their siblings', () => {
    const places = browserRows(shop, all, () => true).rows.map((row) => `${row.position}/${row.siblings}`);
    expect(places).toEqual(['1/2', '1/4', '2/4', '3/4', '1/2', '2/2', '4/4', '2/2', '1/1']);
  });

  it('counts kinds and agents', () => {
    const { kinds, byAgents, total } = countKinds(shop);
    expect([kinds.get('method'), kinds.get('function'), byAgents, total]).toEqual([2, 3, 1, 7]);
  });

  it('shows names as they are usually written', () => {
    expect(['TOTAL', '|a b|', 'FOO (BAR T)'].map(shownName)).toEqual(['total', '|a b|', 'foo (bar t)']);
  });
});
