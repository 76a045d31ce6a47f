import { describe, expect, it } from 'vitest';
import { aCard, anEffect } from './card.fixture.ts';
import { choicesOf, scopeOf } from './choices.ts';

const scope = { id: 'target', label: 'effect delete for /p/a.csv', matched: 3, of: 12 };

describe('restarts of an effect', () => {
  it('The restarts of an effect have the numbers and names of the image, and only those that it offers [G3]', () => {
    expect(aCard({ effect: anEffect() }, { scopes: [scope] }).choices.map(({ restart }) => restart)).toEqual([
      '0: [PROCEED]',
      '1: [PROCEED-ALWAYS]',
      '2: [USE-PATH]',
      '3: [DENY]',
      '4: [ABORT]',
    ]);
    const fewest = aCard({ effect: anEffect({ redirectable: false, abortable: false }) });
    expect(fewest.choices.map(({ kind }) => kind)).toEqual(['proceed', 'deny']);
  });

  it('The call of a tool offers no restarts [G3]', () => {
    expect(aCard({}, { scopes: [scope] }).choices).toEqual([]);
  });

  it.each<[string, string[], number, string[]]>([
    [
      'one that did nothing before',
      ['/p/a'],
      0,
      [
        'Lets this call proceed. The next one needs approval again.',
        'Uses another file of the project, which you name.',
        'Signals EFFECT-DENIED in the code, with your reason.',
        'Unwinds to the top level. The evaluation had no earlier effects outside the image.',
      ],
    ],
    [
      'two after others',
      ['/p/a', '/p/b'],
      3,
      [
        'Lets all 2 proceed. The next one needs approval again.',
        'Uses another file of the project, which you name.',
        'Signals EFFECT-DENIED in the code of all 2, with your reason.',
        'Unwinds to the top level. Earlier effects of the evaluation are not undone.',
      ],
    ],
  ])('The restarts of %s say what each does [G3]', (_name, targets, beforeCount, details) => {
    expect(choicesOf(anEffect({ targets, beforeCount }), []).map(({ detail }) => detail)).toEqual(details);
  });

  it('A restart that remembers names its rule and says what it would have answered; one that reviews says what follows [G3]', () => {
    const reviewed = { id: 'reviewed', label: 'TOTAL as reviewed', matched: 0, of: 0 };
    const [, target, review] = choicesOf(anEffect(), [scope, reviewed].map(scopeOf));
    expect([target, review]).toMatchObject([
      {
        key: 'always target',
        scope: 'target',
        title: 'Always for this target',
        detail: 'It would have answered 3 of the last 12 requests.',
      },
      {
        key: 'always reviewed',
        scope: 'reviewed',
        title: 'Proceed, and mark the definition as reviewed',
        detail: 'If you call it, it runs as your own code, until an agent changes it.',
      },
    ]);
  });
});

describe('rule of a restart', () => {
  const rule = (label: string, program: boolean, id = 'target'): string | null =>
    choicesOf(anEffect({ program, targets: ['rm a'] }), [scopeOf({ ...scope, id, label })])[1]!.rule;

  it.each<[string, boolean, string, string]>([
    [
      'effect run-program for rm a (program /bin/rm, program SHA-256 0a), until 10 minutes after its last use',
      true,
      'target',
      'The same command with the same files, folder and environment, until 10 minutes after its last use',
    ],
    [
      'effect delete for rm a, until 10 minutes after its last use',
      false,
      'target',
      'The same action on the same target, until 10 minutes after its last use',
    ],
    [
      'effect delete of this evaluation, until it ends',
      false,
      'evaluation',
      'Every effect of this evaluation of the kind “delete”, until it ends',
    ],
    [
      'every effect of system shop of this evaluation, until it ends',
      false,
      'evaluation',
      'every effect of system shop of this evaluation, until it ends',
    ],
    [
      'effect install-libraries for the dist quicklisp, until 10 minutes after its last use',
      false,
      'target',
      'effect install-libraries for the dist quicklisp, until 10 minutes after its last use',
    ],
  ])('The rule “%s” is short if the card shows its target', (label, program, id, expected) => {
    expect(rule(label, program, id)).toBe(expected);
  });
});

describe('rule that a card offers', () => {
  it.each([
    [0, 0, 'There are no earlier requests to test it with.'],
    [1, 1, 'It would have answered the last request.'],
    [0, 1, 'It would not have answered the last request.'],
    [0, 12, 'It would have answered none of the last 12 requests.'],
    [3, 12, 'It would have answered 3 of the last 12 requests.'],
    [12, 12, 'It would have answered all of the last 12 requests.'],
  ])('A rule says what it would have answered: %i of %i [G3]', (matched, of, words) => {
    expect(scopeOf({ ...scope, matched, of }).tried).toBe(words);
  });

  it('The words of a rule leave out the middle of a long target, which stands on the card [G2]', () => {
    expect(scopeOf({ ...scope, label: 'effect write for /p' }).words).toBe('effect write for /p');
    const { words } = scopeOf({ ...scope, label: `effect run-program for ${'x'.repeat(20_000)}, until it ends` });
    expect(words.length).toBeLessThan(400);
    expect(words).toMatch(
      /^effect run-program for x+ … 19,[0-9]{3} characters of the target above … x+, until it ends$/,
    );
  });

  it('The words of a rule hide no character [K2, G2]', () => {
    expect(scopeOf({ ...scope, label: 'a\u202Eb\nc\td' }).words).toBe('a⟨U+202E⟩b⟨U+000A⟩c⟨U+0009⟩d');
  });
});
