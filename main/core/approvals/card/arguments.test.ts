import { describe, expect, it } from 'vitest';
import { aCard, aChange, anEffect } from './card.fixture.ts';

describe('arguments of a request', () => {
  it('The arguments of a request are all listed, and what is long is shown below them [X14]', () => {
    const { arguments: args, sections } = aCard({
      arguments: [
        { name: 'system', value: 'alexandria' },
        { name: 'code', value: '(a)\n(b)' },
      ],
    });
    expect([args, sections]).toEqual([
      [
        { name: 'system', value: 'alexandria', place: 'line', size: '10 bytes' },
        { name: 'code', value: '(a)\n(b)', place: 'below', size: '7 bytes' },
      ],
      [
        {
          key: 'argument code',
          label: 'code',
          content: { kind: 'argument', name: 'code' },
          lisp: true,
          reason: null,
        },
      ],
    ]);
  });

  it('The size of an argument is that of its bytes in UTF-8 [X14]', () => {
    expect(aCard({ arguments: [{ name: 'text', value: 'thé' }] }).arguments[0]!.size).toBe('4 bytes');
  });

  it.each([
    ['Why.', ['line', 'claim']],
    ['Else.', ['line', 'line']],
    [null, ['line', 'line']],
  ])('The argument that is the claim %j stands there, and only that [X14]', (claim, places) => {
    const args = [
      { name: 'path', value: 'a.lisp' },
      { name: 'description', value: 'Why.' },
    ];
    expect(aCard({ arguments: args, claim }).arguments.map(({ place }) => place)).toEqual(places);
  });
});

describe('change on a card', () => {
  const hunk = {
    lines: [{ kind: 'added', text: '(a)', before: null, after: 1 }],
    title: null,
    name: null,
    what: 'Line 1',
    evidence: null,
  } as const;
  const content = { name: 'content', value: '(a)\n' };
  const passage = { name: 'original', value: '(b)\n(c)\n' };

  it('The arguments that a change compares stand in it, in full on demand [X14]', () => {
    const change = aChange({ bytesBefore: null, hunks: [{ ...hunk, lines: [...hunk.lines] }] });
    const { arguments: args, sections } = aCard({ arguments: [content, passage], editable: 'content', change });
    expect(args.map(({ place }) => place)).toEqual(['change', 'change']);
    expect(sections).toEqual([
      { key: 'change', label: 'Change to a.lisp', content: { kind: 'change' }, lisp: true, reason: null },
    ]);
  });

  it('The new text itself is shown, with why, where nothing was compared [X14]', () => {
    const change = aChange({ withoutDiff: 'The file on disk is not UTF-8 text.' });
    const { arguments: args, sections } = aCard({ arguments: [content, passage], editable: 'content', change });
    expect(args.map(({ place }) => place)).toEqual(['below', 'below']);
    expect(sections.map(({ label, content: shown, reason }) => [label, shown, reason])).toEqual([
      ['New text of a.lisp', { kind: 'argument', name: 'content' }, 'The file on disk is not UTF-8 text.'],
      ['original', { kind: 'argument', name: 'original' }, null],
    ]);
  });

  it.each([
    [{ bytesBefore: null, bytesAfter: 0 }, 'The file will be empty.'],
    [{ bytesBefore: 4, bytesAfter: 4 }, 'The file already has this text. Nothing in it will change.'],
  ])('A card says when there is no difference: %o [X14]', (bytes, reason) => {
    const card = aCard({ arguments: [content], editable: 'content', change: aChange(bytes) });
    expect(card.sections[0]!.reason).toBe(reason);
  });
});

describe('sections of an effect', () => {
  it('The card of an effect counts the targets that wait for one decision [G2]', () => {
    const { sections } = aCard({ effect: anEffect({ targets: ['/p/1', '/p/2'] }) });
    expect(sections).toMatchObject([
      { key: 'targets', label: '2 targets, one decision', content: { kind: 'targets' } },
    ]);
  });

  it('The card of an effect has a section for a long target and for each long fact, after one another [G2]', () => {
    const environment = Array.from({ length: 90 }, (_, index) => `A${index}=1`).join('\n');
    const effect = anEffect({ targets: ['x'.repeat(400)], facts: [{ name: 'environment', value: environment }] });
    expect(aCard({ effect }).sections.map(({ key, label }) => [key, label])).toEqual([
      ['targets', 'Target'],
      ['fact environment', 'Environment'],
    ]);
  });

  it('The card of an effect has no section for what stands in a line [G2]', () => {
    expect(aCard({ effect: anEffect({ facts: [{ name: 'contents', value: 'deleted too' }] }) }).sections).toEqual([]);
  });
});
