import { describe, expect, it } from 'vitest';
import type { DefinitionRecord, PackageDefinitions } from '#contract/image/definition.ts';
import { buildDifferences } from './build-differences.ts';

const definition = (name: string, more: Partial<DefinitionRecord> = {}): DefinitionRecord => ({
  kind: 'function',
  name,
  lambdaList: '()',
  value: null,
  documentation: null,
  source: { file: '/shop/till.lisp', offset: 0, line: 1 },
  actor: null,
  event: null,
  evaluation: null,
  time: null,
  ...more,
});
const listed = (name: string, ...definitions: DefinitionRecord[]): PackageDefinitions => ({
  package: name,
  definitions,
  more: 0,
});
const told = (image: PackageDefinitions[], build: PackageDefinitions[]): string[] =>
  buildDifferences({ image, build }, [], '/shop').map(
    ({ state, package: name, definition: each, words }) => `${state} ${name} ${each.name}: ${words}`,
  );

describe('differences of an image from a build', () => {
  it('Libraries that were loaded by hand are no ghosts, and a definition that was typed into their package is one', () => {
    const library = definition('SCAN', { source: { file: '/lib/scan.lisp', offset: 0, line: 1 }, actor: 'person' });
    const typed = definition('MINE', { source: { file: 'REPL', offset: 0, line: 1 }, actor: 'person' });
    const undefinedPlace = definition('SEEN', { source: null, actor: 'person' });
    expect(told([listed('PPCRE', library, typed, undefinedPlace)], [])).toEqual([
      'only-in-image PPCRE MINE: in no file',
    ]);
  });

  it('A package of the project is known by the image too, as a build that failed has no sources', () => {
    const ghost = definition('GHOST', { source: null, actor: 'client:codex' });
    const failed = listed('SHOP', definition('TOTAL', { source: null }));
    expect(told([listed('SHOP', definition('TOTAL'), ghost)], [failed])).toEqual([
      'only-in-image SHOP GHOST: in no file',
    ]);
  });

  it('The accessors of a ghost structure are told with it, functions of other forms and of later ones by themselves', () => {
    const source = { file: 'REPL', offset: 0, line: 1 };
    const structure = definition('POINT', { kind: 'structure', source, actor: 'person', event: 1 });
    const brought = ['POINT-X', 'MAKE-POINT'].map((name) => definition(name, { source, actor: 'person' }));
    const typed = definition('NORM', { source, actor: 'person', event: 2 });
    const elsewhere = definition('POINT-P', { source: { ...source, offset: 40 }, actor: 'person' });
    expect(
      told(
        [listed('SHOP', definition('TOTAL'), structure, ...brought, typed, elsewhere)],
        [listed('SHOP', definition('TOTAL'))],
      ),
    ).toEqual([
      'only-in-image SHOP NORM: in no file',
      'only-in-image SHOP POINT: in no file, with 2 definitions of its form',
      'only-in-image SHOP POINT-P: in no file',
    ]);
  });

  it('What a library of the build defines and the image has not is no matter of the files', () => {
    const library = definition('SCAN', { source: { file: '/lib/scan.lisp', offset: 0, line: 1 } });
    expect(told([], [listed('PPCRE', library), listed('SHOP', definition('TOTAL'))])).toEqual([
      'only-in-files SHOP TOTAL: not in the image',
    ]);
  });

  it('A constant with another value and another documentation string are differences, the value of a variable is none', () => {
    const [one, two] = ['1', '2'].map((value) => ({ value, lambdaList: null }));
    expect(
      told(
        [
          listed(
            'SHOP',
            definition('+K+', { kind: 'constant', ...one }),
            definition('*V*', { kind: 'variable', ...one }),
            definition('F'),
          ),
        ],
        [
          listed(
            'SHOP',
            definition('+K+', { kind: 'constant', ...two }),
            definition('*V*', { kind: 'variable', ...two }),
            definition('F', { documentation: 'Told.' }),
          ),
        ],
      ),
    ).toEqual(['different SHOP +K+: 1 in the image, 2 when built', 'different SHOP F: another documentation string']);
  });
});
