import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Clients } from './clients.ts';

let folder: string;
let clients: Clients;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'clients-'));
  clients = new Clients(folder);
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('clients', () => {
  it('Clients are known by their token, also after a restart, and by nothing else [K1]', async () => {
    const { token } = await clients.mint('Claude Code');
    const again = new Clients(folder);
    expect([again.authenticate(token)?.name, again.authenticate(`${token}x`), again.authenticate('')]).toEqual([
      'Claude Code',
      null,
      null,
    ]);
    expect(readFileSync(path.join(folder, 'clients.json'), 'utf8')).not.toContain(token);
  });

  it.each(['person', 'Person', 'you', 'unknown'])(
    'A client cannot be called %s, which would pass for somebody else [K1]',
    async (name) => {
      await expect(clients.mint(name)).rejects.toThrow('mistaken for the person’s');
      await expect(clients.pair(name, false)).rejects.toThrow('mistaken for the person’s');
    },
  );

  it('A client loses its old token to a new one of the same name, whatever its case [K1]', async () => {
    const first = await clients.mint('codex');
    const second = await clients.mint('Codex');
    expect([clients.authenticate(first.token), clients.authenticate(second.token)?.id, clients.list().length]).toEqual([
      null,
      'client:codex',
      1,
    ]);
  });

  it('A client is forgotten when it is revoked, and whoever serves it is told [K1]', async () => {
    const { token, client } = await clients.mint('codex');
    const told: string[] = [];
    clients.events.on('revoked', ({ id }) => told.push(id));
    await clients.revoke(client.id);
    expect([clients.authenticate(token), clients.list(), told]).toEqual([null, [], ['client:codex']]);
    await expect(clients.revoke(client.id)).rejects.toThrow(/no longer exists/);
  });

  it('Clients with different names are different, however alike the names are [K1]', async () => {
    const names = ['a b', 'a-b', 'a.b', 'a_b'];
    for (const name of names) await clients.mint(name);
    expect(new Set(clients.list().map(({ id }) => id)).size).toBe(names.length);
  });

  it('Clients of a file with a damaged digest are told as lost, and nobody is authenticated [K1]', () => {
    const client = { id: 'client:x', name: 'x', digest: 'zz', createdAt: 0, lastSeenAt: null, hue: 1 };
    writeFileSync(path.join(folder, 'clients.json'), JSON.stringify({ version: 1, clients: [client] }));
    const again = new Clients(folder);
    expect([again.authenticate('lwb_x'), again.kept.problem]).toEqual([null, expect.stringContaining('is damaged')]);
  });

  it('Clients have four colours in turn [K1]', async () => {
    const hues: number[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) hues.push((await clients.mint(name)).client.hue);
    expect(hues).toEqual([1, 2, 3, 4, 1]);
  });

  it.each(['', ' ', '<b>', 'a/b', 'x'.repeat(41), '-dash'])('A client is not called %j [K1]', async (name) => {
    await expect(clients.mint(name)).rejects.toThrow(/letters, digits/);
  });

  it('A client counts its connections [K1]', async () => {
    const { token } = await clients.mint('codex');
    const actor = clients.authenticate(token)!;
    const leave = clients.connect(actor, 'test');
    clients.connect(actor, 'test');
    leave();
    leave();
    expect(clients.list()[0]!.connections).toBe(1);
  });
});
