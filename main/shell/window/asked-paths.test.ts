import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askedBy, askedOn } from './asked-paths.ts';

const place = mkdtempSync(path.join(tmpdir(), 'asked-'));
const file = path.join(place, 'two words', 'cart.lisp');

beforeAll(() => {
  mkdirSync(path.dirname(file));
  writeFileSync(file, '');
});
afterAll(() => rmSync(place, { recursive: true }));

describe('what the program is asked to open', () => {
  it.each<[string, readonly string[], boolean, object]>([
    ['nothing of a package', ['lisp-workbench', '--no-sandbox'], true, { folder: null, file: null }],
    ['nothing of a checkout', ['electron', '-r', 'loader.js', '.'], false, { folder: null, file: null }],
    ['a folder', ['lisp-workbench', path.dirname(file)], true, { folder: path.dirname(file), file: null }],
    ['a file', ['electron', '.', file, '--flag'], false, { folder: null, file }],
    ['a relative file', ['lisp-workbench', 'two words/cart.lisp'], true, { folder: null, file }],
    [
      'an address, as a file manager has it',
      ['lisp-workbench', pathToFileURL(file).href],
      true,
      { folder: null, file },
    ],
    ['what is not there', ['lisp-workbench', 'gone'], true, { folder: path.join(place, 'gone'), file: null }],
    ['an address of another host', ['lisp-workbench', 'file://other/cart.lisp'], true, { folder: null, file: null }],
  ])('The command line asks for %s', (_what, argv, packaged, asked) => {
    expect(askedOn(argv, packaged, place)).toEqual(asked);
  });

  it('A file of the file manager of macOS is a path', () => {
    expect(askedBy(file)).toEqual({ folder: null, file });
  });
});
