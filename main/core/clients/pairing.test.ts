import { describe, expect, it } from 'vitest';
import { Pairing } from './pairing.ts';
import { Clients } from './clients.ts';

function open(minutes = 5): { clients: Clients; pairing: Pairing } {
  const clients = new Clients(null);
  return { clients, pairing: new Pairing(clients, () => minutes) };
}

const somebody = { label: 'claude-code', process: null };

describe('client without a token', () => {
  it('A client without a token is paired by the person alone, under the name that they give [D14]', async () => {
    const { clients, pairing } = open();
    const { decided } = pairing.request(somebody)!;
    const [waiting] = pairing.list();
    expect(waiting).toMatchObject(somebody);
    await pairing.admit(waiting!.id, 'my claude');
    expect((await decided).actor).toEqual({ id: 'client:my claude', kind: 'client', name: 'my claude' });
    expect(clients.list()).toMatchObject([{ name: 'my claude', mode: 'collaborate' }]);
    expect(pairing.list()).toEqual([]);
  });

  it('A paired client is known to have been seen once it is connected, though it bears no token [D14]', async () => {
    const { clients, pairing } = open();
    const { decided } = pairing.request(somebody)!;
    await pairing.admit(pairing.list()[0]!.id, 'my claude');
    const { actor } = await decided;
    clients.connect(actor!, 'MCP over stdio')();
    await expect.poll(() => clients.list()[0]?.lastSeenAt).toBeGreaterThan(0);
  });

  it('A paired client gets the standing of a known client, whose token stays valid [D14]', async () => {
    const { clients, pairing } = open();
    const { token } = await clients.mint('codex');
    await clients.change({ id: 'client:codex', mode: 'observe' });
    const { decided } = pairing.request(somebody)!;
    await pairing.admit(pairing.list()[0]!.id, 'Codex');
    expect((await decided).actor?.id).toBe('client:codex');
    expect(clients.authenticate(token)?.id).toBe('client:codex');
    expect(clients.list()).toMatchObject([{ mode: 'observe' }]);
  });

  it('A client is paired with an image of its own, or with the shared one, as the person says each time [D14]', async () => {
    const { clients, pairing } = open();
    for (const ownImage of [true, false, true]) {
      const { decided } = pairing.request(somebody)!;
      await pairing.admit(pairing.list()[0]!.id, 'codex', ownImage);
      expect((await decided).actor?.id).toBe('client:codex');
      expect(clients.standing('client:codex').ownImage).toBe(ownImage);
      expect(clients.list()).toHaveLength(1);
    }
  });

  it('Clients without a token are suggested under the names that they give, and never under that of a client with a token [issue 35.5]', async () => {
    const { clients, pairing } = open();
    await clients.mint('Codex');
    await clients.change({ id: 'client:codex', mode: 'observe' });
    const suggested = (label: string): string => {
      const knock = pairing.request({ label, process: null })!;
      const { name } = pairing.list().at(-1)!;
      knock.leave();
      return name;
    };
    expect(['codex', 'Codex', 'foo', 'unnamed client', '!!'].map(suggested)).toEqual([
      'codex 2',
      'Codex 2',
      'foo',
      'unnamed client',
      'client',
    ]);
    for (const label of ['codex', 'foo', 'bar']) {
      const { decided } = pairing.request({ label, process: null })!;
      const { id, name } = pairing.list()[0]!;
      await pairing.admit(id, name);
      await clients.change({ id: (await decided).actor!.id, mode: label === 'foo' ? 'observe' : 'propose' });
    }
    expect(clients.list().map(({ name, mode }) => [name, mode])).toEqual([
      ['Codex', 'observe'],
      ['codex 2', 'propose'],
      ['foo', 'observe'],
      ['bar', 'propose'],
    ]);
    // At the next connection, each program that got no token is offered its own name again.
    expect(['codex', 'foo'].map(suggested)).toEqual(['codex 2', 'foo']);
    await clients.mint('foo');
    expect(suggested('foo')).toBe('foo 2');
  });

  it('A client without a token is refused by the person, and told so [D14]', async () => {
    const { pairing } = open();
    const told: string[] = [];
    pairing.events.on('refused', ({ label }) => told.push(label));
    const { decided } = pairing.request(somebody)!;
    pairing.refuse(pairing.list()[0]!.id);
    expect(await decided).toEqual({ actor: null, reason: 'The person refused this client.' });
    expect(told).toEqual(['claude-code']);
  });

  it('Pairing is refused when nobody decides until the deadline, and when the workbench ends [D14]', async () => {
    const soon = open(0.0005);
    expect((await soon.pairing.request(somebody)!.decided).reason).toBe('The person did not decide in time.');
    const { pairing } = open();
    const { decided } = pairing.request(somebody)!;
    pairing.dispose();
    expect((await decided).actor).toBeNull();
  });

  it('A client without a token is turned away where three wait already [K1, D14]', () => {
    const { pairing } = open();
    const three = [1, 2, 3].map(() => pairing.request(somebody));
    expect(three.every(Boolean)).toBe(true);
    expect(pairing.request(somebody)).toBeNull();
    three[0]!.leave();
    expect(pairing.request(somebody)).not.toBeNull();
    pairing.dispose();
  });

  it('A client cannot be paired twice, nor after it left, nor without a name [D14]', async () => {
    const { pairing } = open();
    const { leave } = pairing.request(somebody)!;
    const { id } = pairing.list()[0]!;
    await expect(pairing.admit(id, '')).rejects.toThrow(/letters, digits/);
    leave();
    await expect(pairing.admit(id, 'x')).rejects.toThrow(/no longer waiting/);
    expect(() => pairing.refuse(id)).toThrow(/no longer waiting/);
  });
});
