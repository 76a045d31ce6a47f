import { describe, expect, it } from 'vitest';
import { Admissions } from './admissions.ts';
import { Clients } from './clients.ts';

function open(minutes = 5): { clients: Clients; admissions: Admissions } {
  const clients = new Clients(null);
  return { clients, admissions: new Admissions(clients, () => minutes) };
}

const somebody = { label: 'claude-code', process: null };

describe('D14 a client without a token', () => {
  it('is let in by the person alone, under the name that they give', async () => {
    const { clients, admissions } = open();
    const { decided } = admissions.knock(somebody)!;
    const [waiting] = admissions.list();
    expect(waiting).toMatchObject(somebody);
    await admissions.admit(waiting!.id, 'my claude');
    expect((await decided).actor).toEqual({ id: 'client:my claude', kind: 'client', name: 'my claude' });
    expect(clients.list()).toMatchObject([{ name: 'my claude', mode: 'collaborate' }]);
    expect(admissions.list()).toEqual([]);
  });

  it('gets the standing of a known client, whose token stays valid', async () => {
    const { clients, admissions } = open();
    const { token } = await clients.mint('codex');
    await clients.change({ id: 'client:codex', mode: 'observe' });
    const { decided } = admissions.knock(somebody)!;
    await admissions.admit(admissions.list()[0]!.id, 'Codex');
    expect((await decided).actor?.id).toBe('client:codex');
    expect(clients.authenticate(token)?.id).toBe('client:codex');
    expect(clients.list()).toMatchObject([{ mode: 'observe' }]);
  });

  it('is let into an image of its own, or into the shared one, as the person says each time', async () => {
    const { clients, admissions } = open();
    for (const ownImage of [true, false, true]) {
      const { decided } = admissions.knock(somebody)!;
      await admissions.admit(admissions.list()[0]!.id, 'codex', ownImage);
      expect((await decided).actor?.id).toBe('client:codex');
      expect(clients.standing('client:codex').ownImage).toBe(ownImage);
      expect(clients.list()).toHaveLength(1);
    }
  });

  it('is refused by the person, and told so', async () => {
    const { admissions } = open();
    const told: string[] = [];
    admissions.events.on('refused', ({ label }) => told.push(label));
    const { decided } = admissions.knock(somebody)!;
    admissions.refuse(admissions.list()[0]!.id);
    expect(await decided).toEqual({ actor: null, reason: 'The person refused it.' });
    expect(told).toEqual(['claude-code']);
  });

  it('is refused when nobody decides until the deadline, and when the workbench ends', async () => {
    const soon = open(0.0005);
    expect((await soon.admissions.knock(somebody)!.decided).reason).toBe('Nobody decided in time.');
    const { admissions } = open();
    const { decided } = admissions.knock(somebody)!;
    admissions.dispose();
    expect((await decided).actor).toBeNull();
  });

  it('K1 is turned away where three wait already', () => {
    const { admissions } = open();
    const three = [1, 2, 3].map(() => admissions.knock(somebody));
    expect(three.every(Boolean)).toBe(true);
    expect(admissions.knock(somebody)).toBeNull();
    three[0]!.leave();
    expect(admissions.knock(somebody)).not.toBeNull();
    admissions.dispose();
  });

  it('cannot be let in twice, nor after it left, nor without a name', async () => {
    const { admissions } = open();
    const { leave } = admissions.knock(somebody)!;
    const { id } = admissions.list()[0]!;
    await expect(admissions.admit(id, '')).rejects.toThrow(/letters, digits/);
    leave();
    await expect(admissions.admit(id, 'x')).rejects.toThrow(/does not wait/);
    expect(() => admissions.refuse(id)).toThrow(/does not wait/);
  });
});
