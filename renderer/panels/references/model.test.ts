import { describe, expect, it } from 'vitest';
import type { CrossReference } from '#contract/introspection.ts';
import { referenceRows } from './model.ts';

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
    },
    { relation: 'binds' as const, references: [], total: 0 },
  ];

  it('References stand by relation and file, in the order of their lines, and what is in no file comes last', () => {
    expect(shown(referenceRows(found, new Set()))).toEqual([
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
    expect(shown(referenceRows(found, new Set(['called-by:/b.lisp'])))).not.toContain('  B');
    expect(shown(referenceRows(found, new Set(['called-by'])))).toEqual(['Called by 6']);
  });
});
