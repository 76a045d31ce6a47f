/** The package mirrors configured in this machine's apt, in both formats that apt reads. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from './children.mjs';

/**
 * Returns every enabled source of binary packages.
 * @returns {{ uri: string, suites: string[], keyring: string | undefined }[]} `keyring` is the file of keys that verify the source;
 * undefined for apt's own trusted keys.
 */
export function aptSources(files = sourceFiles()) {
  return files.flatMap(({ name, text }) => (name.endsWith('.sources') ? fromStanzas(text) : fromLines(text)));
}

function sourceFiles() {
  const shell =
    ask('apt-config', ['shell', 'LIST', 'Dir::Etc::sourcelist/f', 'PARTS', 'Dir::Etc::sourceparts/d']) ?? '';
  const [list, parts] = ['LIST', 'PARTS'].map((name) => new RegExp(`^${name}='(.*)'$`, 'm').exec(shell)?.[1]);
  const names = [list ?? '/etc/apt/sources.list', ...namesIn(parts ?? '/etc/apt/sources.list.d')];
  return names.flatMap((name) => {
    try {
      return [{ name, text: readFileSync(name, 'utf8') }];
    } catch {
      return [];
    }
  });
}

function namesIn(folder) {
  try {
    return readdirSync(folder)
      .filter((name) => /\.(list|sources)$/.test(name))
      .toSorted()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** Reads lines such as `deb [signed-by=/usr/share/keyrings/x.gpg arch=amd64] URI SUITE COMPONENT …`. */
function fromLines(text) {
  return text.split('\n').flatMap((line) => {
    const found = /^\s*deb\s+(?:\[([^\]]*)\]\s*)?(\S+)\s+(\S+)\s/.exec(`${line.replace(/#.*/, '')} `);
    if (!found) return [];
    const [, options = '', uri, suite] = found;
    return [{ uri, suites: [suite], keyring: keyring(/(?:^|\s)signed-by=(\S+)/i.exec(options)?.[1]) }];
  });
}

/** Reads stanzas with `Types:`, `URIs:`, `Suites:`, `Components:`, `Signed-By:`. */
function fromStanzas(text) {
  const lines = text.split('\n').filter((line) => !line.startsWith('#'));
  return lines
    .join('\n')
    .split(/\n\s*\n/)
    .flatMap((stanza) => {
      const field = (name) => new RegExp(`^${name}:((?:.*)(?:\\n[ \\t].*)*)`, 'im').exec(stanza)?.[1].trim() ?? '';
      const words = (name) => field(name).split(/\s+/).filter(Boolean);
      if (!words('Types').includes('deb') || /^no$/i.test(field('Enabled'))) return [];
      return words('URIs').map((uri) => ({ uri, suites: words('Suites'), keyring: keyring(field('Signed-By')) }));
    });
}

/**
 * Returns a keyring if it is a file, because only files can be passed to other programs. Ignores other values, such as a fingerprint or a
 * key in the source itself.
 */
const keyring = (value) => (value?.startsWith('/') && !/\s/.test(value) ? value : undefined);
