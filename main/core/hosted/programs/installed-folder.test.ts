import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshBeside, restore, setAside, settle } from './installed-folder.ts';

let root: string;
let folder: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'installed-'));
  folder = path.join(root, 'program');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function make(place: string, text: string): void {
  mkdirSync(place, { recursive: true });
  writeFileSync(path.join(place, 'run'), text);
}

const held = (): string | null =>
  existsSync(path.join(folder, 'run')) ? readFileSync(path.join(folder, 'run'), 'utf8') : null;

describe('folder of an installation', () => {
  it.each([
    ['an installation', 'old'],
    ['none', null],
  ])(
    'What was there before, %s, comes back if the program ended while another one was made [issue 33.2]',
    async (_what, old) => {
      if (old !== null) make(folder, old);
      make(freshBeside(folder), 'half');
      await setAside(folder);
      make(folder, 'half');
      await restore(folder);
      expect([held(), readdirSync(root)]).toEqual([old, old === null ? [] : ['program']]);
    },
  );

  it('What is complete stays, and what was there before goes [issue 33.2]', async () => {
    make(folder, 'old');
    await setAside(folder);
    make(folder, 'new');
    await settle(folder);
    await restore(folder);
    expect([held(), readdirSync(root)]).toEqual(['new', ['program']]);
  });
});
