import { describe, expect, it } from 'vitest';
import { nameFault } from './file-names.ts';

describe('names of new files', () => {
  it.each([
    'cart.lisp',
    'src/deep/cart.lisp',
    'src/',
    'a b.lisp',
    '[x]*?\\.lisp',
    'Ω 漢字.lisp',
    '.envrc',
    'aux.lisp',
    '...',
  ])('The name %s can be used [issue 39.3]', (name) => expect(nameFault(name, 'linux')).toBeNull());

  it.each([
    ['', /Enter a name/],
    ['   ', /Enter a name/],
    ['/etc/passwd', /inside the project/],
    ['../cart.lisp', /\.\. does not name/],
    ['src/./cart.lisp', /\. does not name/],
    ['src//cart.lisp', /has no name/],
    ['a\nb.lisp', /control characters/],
    ['.git/hooks/pre-commit', /version control/],
    ['.GIT', /version control/],
    ['é'.repeat(128), /at most 255 bytes/],
  ])('The name %j is refused with a reason [issue 39.3]', (name, reason) =>
    expect(nameFault(name, 'linux')).toMatch(reason),
  );

  it.each(['aux.lisp', 'NUL', 'src/com1.txt', 'a?.lisp', 'a\\b', 'a.', 'a '])(
    'The name %j is refused on Windows only [issue 39.3]',
    (name) => {
      expect(nameFault(name, 'linux')).toBeNull();
      expect(nameFault(name, 'win32')).toMatch(/Windows/);
    },
  );
});
