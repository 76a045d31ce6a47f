import { describe, expect, it } from 'vitest';
import { fileName, folderPath, hasFolder, pathParts, pathWithin, withSlashes } from './paths.ts';

describe('paths', () => {
  const all = (path: string, windows: boolean) => ({
    name: fileName(path, windows),
    folder: folderPath(path, windows),
    parts: pathParts(path, windows),
    hasFolder: hasFolder(path, windows),
    slashes: withSlashes(path, windows),
  });

  it('A backslash is a character of a name, but on Windows, where it stands between folders', () => {
    expect(all('/shop/a\\b.lisp', false)).toEqual({
      name: 'a\\b.lisp',
      folder: '/shop',
      parts: ['shop', 'a\\b.lisp'],
      hasFolder: true,
      slashes: '/shop/a\\b.lisp',
    });
    expect(all('C:\\shop\\a/b.lisp', true)).toEqual({
      name: 'b.lisp',
      folder: 'C:\\shop\\a',
      parts: ['C:', 'shop', 'a', 'b.lisp'],
      hasFolder: true,
      slashes: 'C:/shop/a/b.lisp',
    });
    expect([all('a\\b.lisp', false), all('a.lisp', true)]).toEqual([
      { name: 'a\\b.lisp', folder: '', parts: ['a\\b.lisp'], hasFolder: false, slashes: 'a\\b.lisp' },
      { name: 'a.lisp', folder: '', parts: ['a.lisp'], hasFolder: false, slashes: 'a.lisp' },
    ]);
  });

  it('A path is told from its folder on where it stands in it, and a folder of a longer name is another', () => {
    const within = [
      pathWithin('/shop', '/shop/src/a.lisp', false),
      pathWithin('/shop', '/shop-old/a.lisp', false),
      pathWithin('/shop', '/shop\\a.lisp', false),
      pathWithin('/shop', '/shop', false),
      pathWithin('C:\\shop', 'C:\\shop\\src\\a.lisp', true),
    ];
    expect(within).toEqual(['src/a.lisp', null, null, null, 'src\\a.lisp']);
  });
});
