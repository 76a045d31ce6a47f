import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentItem } from '#contract/clients/hosted-agent.ts';
import { KeptConversations, type StoredConversation } from './kept-conversations.ts';

const PROJECT = '/somewhere/shop';
const ID = '00000000-0000-4000-8000-000000000000';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'conversations-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const asked = (text: string): AgentItem => ({ kind: 'asked', seq: 1, at: 1, text, cut: 0, context: [], images: [] });

function conversation(startedAt: number, ...items: AgentItem[]): Omit<StoredConversation, 'version'> {
  return {
    id: randomUUID(),
    program: 'codex',
    title: 'Codex',
    standing: 'unconfined',
    session: 's',
    startedAt,
    isInTurn: false,
    items,
  };
}

const files = (): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => path.join(folder, name));

describe('conversations that are kept', () => {
  it('The newest come first, and one in which nothing was asked is not kept [issue 14.3]', async () => {
    const kept = new KeptConversations(folder);
    await kept.keep(PROJECT, conversation(1, asked('the first\nof two lines')));
    await kept.keep(PROJECT, conversation(2, asked('the second')));
    await kept.keep(PROJECT, conversation(3));
    expect((await kept.list(PROJECT)).map(({ about, items }) => [about, items])).toEqual([
      ['the second', 1],
      ['the first', 1],
    ]);
    expect(await kept.list('/somewhere/else')).toEqual([]);
  });

  it('A file is read for the list once, and again when it is another [issue 14.3]', async () => {
    const kept = new KeptConversations(folder);
    await kept.keep(PROJECT, conversation(1, asked('before')));
    const [file] = files();
    const [earlier, later] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-01-01T00:00:01Z')];
    utimesSync(file!, earlier, earlier);
    expect((await kept.list(PROJECT)).map(({ about }) => about)).toEqual(['before']);
    writeFileSync(file!, readFileSync(file!, 'utf8').replace('before', 'behind'));
    utimesSync(file!, earlier, earlier);
    expect((await kept.list(PROJECT)).map(({ about }) => about)).toEqual(['before']);
    utimesSync(file!, later, later);
    expect((await kept.list(PROJECT)).map(({ about }) => about)).toEqual(['behind']);
    writeFileSync(file!, 'damaged');
    expect(await kept.list(PROJECT)).toEqual([]);
  });

  it('Of more than a hundred the oldest go [issue 14.3]', async () => {
    const kept = new KeptConversations(folder);
    for (let at = 1; at <= 102; at += 1) await kept.keep(PROJECT, conversation(at, asked(`number ${at}`)));
    const listed = await kept.list(PROJECT);
    expect([listed.length, listed.at(0)?.about, listed.at(-1)?.about]).toEqual([100, 'number 102', 'number 3']);
    expect(files()).toHaveLength(100);
  });
});

/** Saves a conversation, then changes its record on the disk. */
async function keepAs(change: Record<string, unknown>): Promise<KeptConversations> {
  const kept = new KeptConversations(folder);
  await kept.keep(PROJECT, {
    id: ID,
    program: 'some',
    title: 'Agent',
    standing: 'unconfined',
    session: 'session-1',
    startedAt: 1,
    isInTurn: false,
    items: [{ kind: 'asked', seq: 1, at: 1, text: 'greet me', cut: 0, context: [], images: [] }],
  });
  const [file] = files();
  const record = JSON.parse(readFileSync(file!, 'utf8')) as Record<string, unknown>;
  writeFileSync(file!, JSON.stringify({ ...record, ...change }));
  return kept;
}

describe('records of conversations', () => {
  it('The standing of a conversation stands in the list [issue 14.3]', async () => {
    const kept = await keepAs({});
    expect(await kept.list(PROJECT)).toEqual([
      { id: ID, program: 'some', title: 'Agent', standing: 'unconfined', startedAt: 1, about: 'greet me', items: 1 },
    ]);
  });

  it.each(['everything', 7, null, undefined])(
    'A record whose standing is %j is gone on with as closed off as can be [issue 14.3]',
    async (standing) => {
      const kept = await keepAs({ standing });
      expect((await kept.read(PROJECT, ID)).standing).toBe('workbench-only');
      expect(await kept.list(PROJECT)).toMatchObject([{ standing: 'workbench-only' }]);
    },
  );

  it('A conversation whose turn nobody saw end is one that was interrupted there, and says so once [issue 14.3]', async () => {
    const call = { kind: 'call', seq: 2, at: 2, id: 'c', title: 'x', status: 'running', tool: null, call: null };
    const texts = { input: { text: '', cut: 0 }, output: { text: '', cut: 0 }, files: [] };
    const asked = { kind: 'asked', seq: 1, at: 1, text: 'greet me', cut: 0, context: [] };
    const kept = await keepAs({ isInTurn: true, items: [asked, { ...call, ...texts }] });
    const read = await kept.read(PROJECT, ID);
    expect(read.isInTurn).toBe(false);
    expect(read.items).toMatchObject([
      { kind: 'asked' },
      { kind: 'call', status: 'failed' },
      { kind: 'notice', seq: 3, tone: 'warning', text: expect.stringContaining('ended during this turn') },
    ]);
    await kept.keep(PROJECT, read);
    expect((await kept.read(PROJECT, ID)).items).toEqual(read.items);
  });

  it('A record that is none otherwise is left out, and cannot be gone on with [issue 14.3]', async () => {
    const kept = await keepAs({ items: 'all' });
    expect(await kept.list(PROJECT)).toEqual([]);
    await expect(kept.read(PROJECT, ID)).rejects.toThrow('is no longer saved, or its file is damaged');
  });
});
