import { expect, it } from 'vitest';
import { nameFault } from './new-project-name.ts';

it.each([
  ['', /needs a name/],
  ['Shop', /lower-case names: shop\.$/],
  ['My Shop', /lower-case names: my-shop\.$/],
  ['my shop', /no blanks: my-shop\.$/],
  ['shop/tests', /no slashes/],
  ['shop.asd', /Leave \.asd away: shop\.$/],
  ['../shop', /no slashes/],
  ['1shop', /begins with a letter/],
  ['ährenfeld', /begins with a letter/],
  ['sh(op', /letters from a to z/],
  ['shop"', /letters from a to z/],
  ['shop.', /ends with/],
  ['cl-user', /of Lisp’s own/],
  ['sb-posix', /of Lisp’s own/],
  ['nil', /of Lisp’s own/],
  ['lisp-workbench', /workbench’s own/],
  ['con', /for a device/],
  ['a'.repeat(65), /at most 64/],
])('A project named %j is told what is wrong with its name [D9]', (name, fault) => {
  expect(nameFault(name)).toMatch(fault);
});

it.each(['shop', 'my-shop', 'cl-shop', 'shop2', 'a', 'x.y', 'i18n_texts', 'c++'])(
  'A project can be named %s [D9]',
  (name) => {
    expect(nameFault(name)).toBeNull();
  },
);
