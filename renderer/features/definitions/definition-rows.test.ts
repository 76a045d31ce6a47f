import { describe, expect, it } from 'vitest';
import type { DefinitionKind, DefinitionRecord, PackageDefinitions } from '#contract/image/definition.ts';
import { browserRows, countKinds, type Narrowing, shownName, withFound } from './definition-rows.ts';

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
  { package: 'CL-USER', definitions: [definition('function', 'SCRATCH')], more: 0 },
  {
    package: 'SHOP',
    more: 0,
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
const outline = (
  narrowing: Partial<Narrowing>,
  expanded = true,
  listed: ReadonlyMap<string, PackageDefinitions> = shop,
): string[] =>
  browserRows(listed, { ...all, ...narrowing }, () => expanded).rows.map(
    (row) => `${'  '.repeat(row.level - 1)}${row.label}`,
  );

describe('definitions browser', () => {
  it('The browser lists packages with CL-USER last, definitions by name, methods under their generic function [D8]', () => {
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

  it('The browser folds packages, but never while it is filtered [D8]', () => {
    expect(outline({}, false)).toEqual(['SHOP', 'CL-USER']);
    expect(outline({ text: 'TOT' }, false)).toEqual(['SHOP', '  total']);
  });

  it('The browser filters by text, kind and author [D8]', () => {
    expect(outline({ text: 'club' })).toEqual(['SHOP', '  discount (club-member line-item)']);
    expect(outline({ kind: 'variable' })).toEqual(['SHOP', '  *cart*']);
    expect(outline({ byAgents: true })).toEqual(['SHOP', '  discount (club-member line-item)']);
    expect(outline({ text: 'nothing' })).toEqual([]);
  });

  it('The browser numbers rows among their siblings [D8]', () => {
    const places = browserRows(shop, all, () => true).rows.map((row) => `${row.position}/${row.siblings}`);
    expect(places).toEqual(['1/2', '1/4', '2/4', '3/4', '1/2', '2/2', '4/4', '2/2', '1/1']);
  });

  it('The browser says how many of a big package are not listed, and takes in those that are found by name [D8]', () => {
    const big = inPackages({ package: 'SHOP', definitions: [definition('function', 'A')], more: 98_000 });
    expect(outline({}, true, big)).toEqual(['SHOP', '  a', '  98,000 more: filter by name to see them']);
    const hit = { package: 'SHOP', definitions: [definition('function', 'A'), definition('function', 'ZA')], more: 3 };
    expect(outline({ text: 'a' }, true, withFound(big, [hit]))).toEqual([
      'SHOP',
      '  a',
      '  za',
      '  3 more: filter by name to see them',
    ]);
    expect(outline({ text: 'b' }, true, withFound(big, []))).toEqual([]);
    expect(countKinds(big)).toMatchObject({ listed: 1, total: 98_001 });
  });

  it('The browser counts kinds and agents [D8]', () => {
    const { kinds, byAgents, total } = countKinds(shop);
    expect([kinds.get('method'), kinds.get('function'), byAgents, total]).toEqual([2, 3, 1, 7]);
  });

  it('The browser shows names as they are usually written [D8]', () => {
    expect(['TOTAL', '|a b|', 'FOO (BAR T)'].map(shownName)).toEqual(['total', '|a b|', 'foo (bar t)']);
  });
});
