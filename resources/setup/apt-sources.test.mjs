import { describe, expect, it } from 'vitest';
import { aptSources } from './apt-sources.mjs';

describe("sources of the machine's apt", () => {
  it('The sources of apt are read in the format of one line each', () => {
    const text = `# deb http://old.example/debian stable main
deb http://mirror.example/debian bookworm main contrib # here
deb [arch=amd64 signed-by=/usr/share/keyrings/a.gpg] https://mirror.example/security bookworm-security main
deb-src http://mirror.example/debian bookworm main
`;
    expect(aptSources([{ name: '/etc/apt/sources.list', text }])).toEqual([
      { uri: 'http://mirror.example/debian', suites: ['bookworm'], keyring: undefined },
      { uri: 'https://mirror.example/security', suites: ['bookworm-security'], keyring: '/usr/share/keyrings/a.gpg' },
    ]);
  });

  it('The sources of apt are read in stanzas, without those that are switched off or whose key cannot be named again', () => {
    const text = `Types: deb deb-src
# a remark
URIs: http://one.example/debian
 http://two.example/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/b.gpg

Enabled: no
Types: deb
URIs: http://off.example/debian
Suites: bookworm

Types: deb
URIs: http://inline.example/debian
Suites: bookworm
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 -----END PGP PUBLIC KEY BLOCK-----

Types: deb-src
URIs: http://source.example/debian
Suites: bookworm
`;
    const suites = ['bookworm', 'bookworm-updates'];
    const keyring = '/usr/share/keyrings/b.gpg';
    expect(aptSources([{ name: '/etc/apt/sources.list.d/debian.sources', text }])).toEqual([
      { uri: 'http://one.example/debian', suites, keyring },
      { uri: 'http://two.example/debian', suites, keyring },
      { uri: 'http://inline.example/debian', suites: ['bookworm'], keyring: undefined },
    ]);
  });
});
