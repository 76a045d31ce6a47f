import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { withSecretFiles } from './secret-files.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'secrets-'));

afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  writeFileSync(path.join(folder, name), text);
  return path.join(folder, name);
}

it('A secret is the first line of the file that its variable with _FILE names, also with LISPLY_ before it [L33, K1]', () => {
  const given = {
    LANG: 'C',
    TELNET_SECRET_FILE: file('telnet', 's e\n'),
    LISPLY_SWANK_SECRET_FILE: file('swank', 'ünicode\r\nsecond'),
    LISP_WORKBENCH_TOKEN_FILE: file('token', 'lw_1'),
    HTTPS_KEY_FILE: '/its/own/meaning',
    SWANK_SECRET_FILE: '',
  };
  expect(withSecretFiles(given)).toEqual({
    ...given,
    TELNET_SECRET: 's e',
    LISPLY_SWANK_SECRET: 'ünicode',
    LISP_WORKBENCH_TOKEN: 'lw_1',
  });
});

it.each<[string, Record<string, string>, RegExp]>([
  [
    'both are set',
    { TELNET_SECRET: 'x', TELNET_SECRET_FILE: file('both', 'y') },
    /^TELNET_SECRET and TELNET_SECRET_FILE are both set\. Set only one of them\.$/,
  ],
  [
    'there is no such file',
    { SWANK_SECRET_FILE: path.join(folder, 'none') },
    /^The file that SWANK_SECRET_FILE names cannot be read \(.*ENOENT/,
  ],
  [
    'the file is empty',
    { TELNET_SECRET_FILE: file('empty', '\nx') },
    /^The first line of .*empty, which .* names, is empty/,
  ],
])('A secret in a file is refused where %s', (_what, environment, message) => {
  expect(() => withSecretFiles(environment)).toThrow(message);
});
