import { expect, test } from 'vitest';
import { PERSON } from '#contract/clients/known-actors.ts';
import type { ActivityFact } from '#contract/decisions/activity.ts';
import type { ServerRecord } from '#contract/clients/server.ts';
import { WorkbenchError } from '#core/base/error.ts';
import type { Listener, ListenerEvents, Listening } from './listener.ts';
import { Servers } from './servers.ts';

/** A listener whose starts do not finish until the test completes them. */
class Fake implements Listener {
  readonly kind = 'swank';
  readonly usualPort = 4201;
  readonly serves = 'SWANK';
  readonly closed: number[] = [];
  readonly done: string[] = [];
  starts: {
    port: number;
    events: ListenerEvents;
    stopped: AbortSignal;
    resolve: (on: Listening) => void;
    reject: (error: Error) => void;
  }[] = [];
  listen(port: number, events: ListenerEvents, stopped: AbortSignal): Promise<Listening> {
    return new Promise((resolve, reject) => this.starts.push({ port, events, stopped, resolve, reject }));
  }
  offers(): ServerRecord['offers'] {
    return [{ id: 'mend', title: 'Mend it' }];
  }
  async act(offer: string): Promise<void> {
    this.done.push(offer);
  }
  /** Completes the latest start as if the listener now listened on this port. */
  come(port: number): void {
    this.starts.at(-1)!.resolve({ address: `127.0.0.1:${port}`, port, close: async () => void this.closed.push(port) });
  }
}

const table = () => {
  const facts: ActivityFact[] = [];
  const servers = new Servers({ publish: (fact) => (facts.push(fact), { ...fact, at: 0, seq: 0 } as never) });
  const listener = new Fake();
  servers.add(listener);
  const told: ServerRecord['state'][] = [];
  servers.events.on('changed', ([record]) => told.push(record!.state));
  const changes = () =>
    facts.map((fact) => fact.kind === 'server-changed' && `${fact.actor.id} ${fact.change} ${fact.summary}`);
  return { servers, listener, told, changes };
};

/** Resolves when the listener has been started `nth` times. */
const asked = async (listener: Fake, nth = 1) => {
  await expect.poll(() => listener.starts.length).toBe(nth);
};

test('A server starts on its usual port and stops, and both are told with who did it [decision 23]', async () => {
  const { servers, listener, told, changes } = table();
  const starting = servers.start('swank');
  await asked(listener);
  expect(listener.starts[0]!.port).toBe(4201);
  expect(servers.record('swank').state).toBe('starting');
  listener.come(4201);
  expect(await starting).toMatchObject({ state: 'on', address: '127.0.0.1:4201', port: 4201, problem: null });
  listener.starts[0]!.events.changed({ connections: 2 });
  expect(servers.record('swank').connections).toBe(2);
  expect(await servers.stop('swank')).toMatchObject({ state: 'off', address: null, since: null, connections: null });
  expect(listener.closed).toEqual([4201]);
  expect(told).toEqual(['starting', 'on', 'on', 'off']);
  expect(changes()).toEqual([
    `${PERSON.id} started SWANK on 127.0.0.1:4201`,
    `${PERSON.id} stopped SWANK on 127.0.0.1:4201`,
  ]);
});

test('A start that fails says why and what can be done, and doing it starts the server again', async () => {
  const { servers, listener } = table();
  const starting = servers.start('swank', 0);
  await asked(listener);
  listener.starts[0]!.reject(new WorkbenchError('system', 'Port 4201 is taken by emacs.'));
  expect(await starting).toMatchObject({
    state: 'failed',
    problem: 'Port 4201 is taken by emacs.',
    offers: [{ id: 'mend' }],
  });
  await expect(servers.act('swank', 'sing')).rejects.toMatchObject({ code: 'not-found' });
  const again = servers.act('swank', 'mend');
  await asked(listener, 2);
  expect(listener.done).toEqual(['mend']);
  expect(listener.starts.map(({ port }) => port)).toEqual([0, 0]);
  listener.come(4201);
  expect(await again).toMatchObject({ state: 'on', problem: null, offers: [] });
});

test('Stopping a server that is about to start leaves it off, and closes what came of the start', async () => {
  const { servers, listener, changes } = table();
  const starting = servers.start('swank');
  await asked(listener);
  const stopping = servers.stop('swank');
  expect(listener.starts[0]!.stopped.aborted).toBe(true);
  listener.come(4201);
  expect(await starting).toMatchObject({ state: 'off' });
  expect(await stopping).toMatchObject({ state: 'off', problem: null });
  expect(listener.closed).toEqual([4201]);
  expect(changes().join()).not.toContain('started');
});

test('A server that ends by itself is told with why; what its earlier run still says changes nothing', async () => {
  const { servers, listener } = table();
  const starting = servers.start('swank');
  await asked(listener);
  listener.come(4201);
  await starting;
  const { events } = listener.starts[0]!;
  events.ended('The image was restarted. Start it again.');
  expect(servers.record('swank')).toMatchObject({
    state: 'failed',
    problem: 'The image was restarted. Start it again.',
  });
  const again = servers.start('swank');
  await asked(listener, 2);
  events.ended('late');
  listener.come(4202);
  await again;
  events.changed({ connections: 9 });
  expect(servers.record('swank')).toMatchObject({ state: 'on', port: 4202, connections: null });
});

test('A server that ended while its start was being answered is not told as one that is on', async () => {
  const { servers, listener } = table();
  const starting = servers.start('swank');
  await asked(listener);
  listener.starts[0]!.events.ended('gone');
  listener.come(4201);
  expect(await starting).toMatchObject({ state: 'failed', problem: 'gone' });
  expect(listener.closed).toEqual([4201]);
});

test('Two starts give one run, a start after the end of the program gives none, and unknown servers are named', async () => {
  const { servers, listener } = table();
  const both = [servers.start('swank'), servers.start('swank')];
  await asked(listener);
  listener.come(4201);
  expect((await Promise.all(both)).map(({ state }) => state)).toEqual(['on', 'on']);
  expect(listener.starts.length).toBe(1);
  await servers.dispose();
  expect(listener.closed).toEqual([4201]);
  expect(await servers.start('swank')).toMatchObject({ state: 'off' });
  expect(() => servers.start('telnet')).toThrow('This program has no Telnet server.');
});
