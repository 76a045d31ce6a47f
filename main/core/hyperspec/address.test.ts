import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PUBLIC_HYPERSPEC } from '#contract/hyperspec/public-address.ts';
import type { HyperspecTopic } from '#contract/hyperspec/topics.ts';
import { addressOf } from './address.ts';
import { placeOf } from './location.ts';

const symbol = (name: string): HyperspecTopic => ({ kind: 'symbol', name });

describe('pages on the web', () => {
  it.each<[HyperspecTopic, string]>([
    [symbol('car'), 'Body/f_car_c.htm'],
    [symbol('*'), 'Body/a_st.htm'],
    [{ kind: 'directive', name: '~R' }, 'Body/22_cba.htm'],
    [{ kind: 'reader-macro', name: "#'" }, 'Body/02_dhb.htm'],
    [{ kind: 'term', name: 'argument' }, 'Body/26_glo_a.htm#argument'],
    [{ kind: 'section', name: '22.3.1' }, 'Body/22_ca.htm'],
  ])('The page about %j of the public HyperSpec is %s', async (topic, page) => {
    expect(await addressOf(topic, PUBLIC_HYPERSPEC)).toBe(`${PUBLIC_HYPERSPEC}${page}`);
  });

  it('An address may be that of the HyperSpec with or without a slash, or of one of its pages', async () => {
    const written = [
      'https://lisp.example/clhs',
      'https://lisp.example/clhs/Front/index.htm',
      ' https://lisp.example/clhs/Body/ ',
    ];
    expect(await Promise.all(written.map((place) => addressOf(symbol('car'), place)))).toEqual(
      written.map(() => 'https://lisp.example/clhs/Body/f_car_c.htm'),
    );
  });

  it('Without any setting the public HyperSpec is meant', async () => {
    expect(await addressOf(symbol('car'), ' ')).toBe(`${PUBLIC_HYPERSPEC}Body/f_car_c.htm`);
  });

  it('There is no page about what the standard does not have', async () => {
    await expect(addressOf(symbol('frobnicate'), PUBLIC_HYPERSPEC)).rejects.toThrow(
      'The standard has no page about frobnicate.',
    );
  });

  it.each(['javascript:alert(1)', 'ftp://lisp.example/', 'HyperSpec', '../HyperSpec', 'http://'])(
    'The setting %j is refused in a sentence',
    async (place) => {
      await expect(addressOf(symbol('car'), place)).rejects.toThrow(/is neither an address|is not an address/);
    },
  );
});

describe('a copy of the HyperSpec in a folder', () => {
  let around: string;
  let copy: string;
  const write = async (file: string, text = ''): Promise<void> => {
    await mkdir(path.dirname(path.join(copy, file)), { recursive: true });
    await writeFile(path.join(copy, file), text);
  };
  const map = (...lines: string[]): Promise<void> => write('Data/Map_Sym.txt', `${lines.join('\r\n')}\r\n`);
  const address = (file: string): string => pathToFileURL(path.join(copy, file)).href;

  beforeEach(async () => {
    around = await realpath(await mkdtemp(path.join(tmpdir(), 'hyperspec-')));
    copy = path.join(around, 'HyperSpec');
    await map('CAR', '../Body/f_other.htm#car', 'CDR', '../Body/f_gone.htm');
    for (const page of ['f_other.htm', 'f_car_c.htm', 'm_defun.htm', '26_glo_a.htm']) await write(`Body/${page}`);
  });
  afterEach(() => rm(around, { recursive: true, force: true }));

  it('The index of the copy says which page is about a symbol', async () => {
    expect(await addressOf(symbol('car'), copy)).toBe(`${address('Body/f_other.htm')}#car`);
  });

  it('A symbol that the index leaves out, and what is no symbol, has the page of the same name as on the web', async () => {
    expect(await addressOf(symbol('defun'), copy)).toBe(address('Body/m_defun.htm'));
    expect(await addressOf({ kind: 'term', name: 'alist' }, copy)).toBe(`${address('Body/26_glo_a.htm')}#alist`);
  });

  it('The folder may also be the one around the copy, or one of its parts, or written as an address', async () => {
    const written = [around, path.join(copy, 'Body'), pathToFileURL(copy).href];
    expect(await Promise.all(written.map(async (place) => (await placeOf(place)).root))).toEqual([copy, copy, copy]);
  });

  it('A folder without a copy is told as such, with what to choose', async () => {
    await rm(path.join(copy, 'Data'), { recursive: true });
    await expect(placeOf(copy)).rejects.toThrow(/has no copy of the HyperSpec.*Choose the folder that contains Body/);
  });

  it('A page that the copy lacks is told with the place where it was looked for', async () => {
    await expect(addressOf(symbol('cdr'), copy)).rejects.toThrow(/lacks the page about cdr: .*f_gone\.htm/);
  });

  it('An index that names something outside of the copy, or no page, opens nothing', async () => {
    await writeFile(path.join(around, 'secret.htm'), '');
    await write('Body/tool.sh');
    await symlink(path.join(around, 'secret.htm'), path.join(copy, 'Body', 'link.htm'));
    await map('CAR', '../../secret.htm', 'CDR', '../Body/tool.sh', 'CONS', '../Body/link.htm');
    for (const name of ['car', 'cdr', 'cons'])
      await expect(addressOf(symbol(name), copy)).rejects.toThrow(new RegExp(`for ${name}, but that page is missing`));
  });
});
