import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newToken } from '#core/base/tokens.ts';
import { ReplHistory } from './repl-history.ts';

let folder: string;
let file: string;
let said: string[];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'history-'));
  file = path.join(folder, 'state', 'repl-history');
  said = [];
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (): ReplHistory => new ReplHistory(file, (problem) => said.push(problem));

describe('history of the terminal', () => {
  it('What was typed is there at the next start, in its order and with its lines, once where it was repeated [D18]', () => {
    const history = open();
    for (const text of ['(a\n b)', '(c)', '(c)', '   ', '(d)\n']) history.add(text);
    expect(history.entries).toEqual(['(a\n b)', '(c)', '(d)']);
    expect(open().entries).toEqual(['(a\n b)', '(c)', '(d)']);
    expect(said).toEqual([]);
  });

  it('The file is its owner’s alone, also where it was not, and holds no token [K1]', () => {
    const token = newToken();
    open().add(`(connect "${token}")`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toContain(token);
    chmodSync(file, 0o644);
    open();
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('A torn or foreign line is left out, and the others are kept [case 31]', () => {
    open().add('(a)');
    writeFileSync(file, `${readFileSync(file, 'utf8')}{"x": 1}\n"torn`);
    const history = open();
    expect(history.entries).toEqual(['(a)']);
    history.add('(b)');
    expect(open().entries).toEqual(['(a)', '(b)']);
  });

  it('The latest thousand are kept, and the file does not grow without end', () => {
    const history = open();
    for (let entry = 0; entry < 2_100; entry += 1) history.add(`(${entry})`);
    expect([history.entries.length, history.entries.at(-1)]).toEqual([1_000, '(2099)']);
    open();
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(1_000);
  });

  it('A file that cannot be written is told of once, and typing goes on [case 31]', () => {
    writeFileSync(path.join(folder, 'state'), 'no folder');
    const history = open();
    history.add('(a)');
    history.add('(b)');
    expect(said).toEqual([expect.stringMatching(/^The history cannot be saved in .*repl-history: /)]);
    expect(history.entries).toEqual(['(a)', '(b)']);
  });
});
