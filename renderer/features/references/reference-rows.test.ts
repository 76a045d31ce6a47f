import { describe, expect, it } from 'vitest';
import type { CrossReference } from '#contract/image/introspection.ts';
import { referenceRows } from './reference-rows.ts';

function reference(name: string, file: string | null, line = 1): CrossReference {
  return {
    kind: 'function',
    name,
    source: file === null ? null : { file, line, offset: null },
    end: null,
    snippet: null,
    evaluation: null,
    actor: null,
    why: null,
  };
}

const shown = (rows: ReturnType<typeof referenceRows>): string[] =>
  rows.map((row) =>
    row.kind === 'relation'
      ? `${row.title} ${row.total}`
      : row.kind === 'file'
        ? ` ${row.file || 'no file'} ${row.count}`
        : row.kind === 'implementation'
          ? ` implementation ${row.count}`
          : row.kind === 'more'
            ? ` ${row.count} more`
            : `  ${row.reference.name}`,
  );

describe('rows of references', () => {
  const found = [
    {
      relation: 'called-by' as const,
      references: [
        reference('B', '/b.lisp', 9),
        reference('X', null),
        reference('A', '/a.lisp'),
        reference('C', '/b.lisp', 2),
      ],
      total: 6,
      implementation: 0,
    },
    { relation: 'binds' as const, references: [], total: 0, implementation: 0 },
  ];

  it('References stand by relation and file, in the order of their lines, and what is in no file comes last', () => {
    expect(shown(referenceRows(found, new Set(), null))).toEqual([
      'Called by 6',
      ' /b.lisp 2',
      '  C',
      '  B',
      ' /a.lisp 1',
      '  A',
      ' no file 1',
      '  X',
      ' 2 more',
    ]);
  });

  it('Folded relations and files show their heads alone', () => {
    expect(shown(referenceRows(found, new Set(['called-by:/b.lisp']), null))).not.toContain('  B');
    expect(shown(referenceRows(found, new Set(['called-by']), null))).toEqual(['Called by 6']);
  });

  it('Those of the project stand first, and those of the implementation under one row that is folded', () => {
    const called = {
      relation: 'called-by' as const,
      references: [
        reference('LIB', '/lib/a.lisp'),
        reference('MINE', '/shop/a.lisp'),
        reference('SB-IMPL::X', null),
        reference('SB-IMPL::Y', null),
      ],
      total: 5,
      implementation: 3,
    };
    const first = ['Called by 5', ' /shop/a.lisp 1', '  MINE', ' /lib/a.lisp 1', '  LIB', ' implementation 3'];
    expect(shown(referenceRows([called], new Set(), '/shop'))).toEqual(first);
    expect(shown(referenceRows([called], new Set(['called-by:implementation']), '/shop'))).toEqual([
      ...first,
      '  SB-IMPL::X',
      '  SB-IMPL::Y',
      ' 1 more',
    ]);
  });
});
