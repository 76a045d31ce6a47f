import { expect, test } from 'vitest';
import type { DefinitionRecord, PackageDefinitions } from '#contract/image/definition.ts';
import { sortedPackages } from './package-order.ts';

function holding(file: string | null, actor: string | null = null): Pick<DefinitionRecord, 'actor' | 'source'> {
  return { actor, source: file === null ? null : { file, offset: 0, line: 1 } };
}

test('Packages with own work come first, then CL-USER, then those of libraries, each by name', () => {
  const of = (...definitions: ReturnType<typeof holding>[]): PackageDefinitions =>
    ({
      package: '',
      more: 0,
      definitions: definitions.map((each) => ({ kind: 'function', name: 'F', ...each })),
    }) as never;
  const definitions = new Map([
    ['ALEXANDRIA', of(holding('/lib/alexandria/a.lisp', 'person'))],
    ['CL-USER', of(holding(null))],
    ['SHOP', of(holding('/home/shop/cart.lisp'))],
    ['BY-HAND', of(holding('/lib/x.lisp'), holding('untitled', 'person'))],
    ['APP', of(holding('/home/shop-copy/x.lisp'))],
  ]);
  expect(sortedPackages(definitions, '/home/shop')).toEqual(['BY-HAND', 'SHOP', 'CL-USER', 'ALEXANDRIA', 'APP']);
  expect(sortedPackages(definitions, '/home/shop-copy')).toEqual(['APP', 'BY-HAND', 'CL-USER', 'ALEXANDRIA', 'SHOP']);
  expect(sortedPackages(definitions, null)).toEqual(['BY-HAND', 'CL-USER', 'ALEXANDRIA', 'APP', 'SHOP']);
});
