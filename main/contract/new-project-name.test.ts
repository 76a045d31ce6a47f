import { expect, it } from 'vitest';
import { nameFault } from './new-project-name.ts';

it.each([
  ['', /needs a name/],
  ['Shop', /lower-case names: shop\.$/],
  ['My Shop', /lower-case names: my-shop\.$/],
  ['my shop', /spaces: my-shop\.$/],
  ['shop/tests', /cannot contain slashes/],
  ['shop.asd', /Omit \.asd: shop\.$/],
  ['../shop', /cannot contain slashes/],
  ['1shop', /must start with a letter/],
  ['ährenfeld', /must start with a letter/],
  ['sh(op', /letters from a to z/],
  ['shop"', /letters from a to z/],
  ['shop.', /must end with/],
  ['cl-user', /a package of Common Lisp/],
  ['sb-posix', /a package of Common Lisp/],
  ['nil', /a package of Common Lisp/],
  ['lisp-workbench', /workbench’s own/],
  ['con', /reserved name/],
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
