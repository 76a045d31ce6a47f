import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, beforeAll, afterAll, describe, expect, it } from 'vitest';
import type { Actor } from '#contract/image/session.ts';
import { clientRepl } from '#core/repl-connections.ts';
import { openTestWorkbench, type TestWorkbench } from '#core/workbench.fixture.ts';
import { newTelnetSecret, TelnetServer, type TelnetServerOptions } from './telnet-server.ts';

const SECRET = 'open sesame';
const IP = Buffer.from([255, 244]);

let bench: TestWorkbench;
let actor: Actor;
let refused: string[];
const servers: TelnetServer[] = [];
const sockets: Socket[] = [];

beforeAll(async () => {
  bench = await openTestWorkbench({ effects: 'deny' });
  actor = await bench.workbench.clients.pair('telnet', false);
}, 120_000);

afterAll(() => bench.close());

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) await server.close();
});

async function listen(options: Partial<TelnetServerOptions> = {}): Promise<number> {
  refused = [];
  const server = new TelnetServer({
    port: 0,
    address: '127.0.0.1',
    secret: SECRET,
    version: '1.2.3',
    connect: () => clientRepl(bench.workbench, actor, 'telnet', false),
    onRefused: (why) => refused.push(why),
    ...options,
  });
  servers.push(server);
  return server.listen();
}

interface Client {
  readonly socket: Socket;
  readonly got: () => string;
  readonly closed: Promise<void>;
  readonly until: (what: RegExp, from?: number) => Promise<string>;
  /** Sends a line. Resolves with the output up to the next prompt. */
  readonly ask: (line: string, prompt?: RegExp) => Promise<string>;
}

function dial(port: number): Client {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  let got = '';
  socket.on('data', (chunk: Buffer) => (got += chunk.toString('latin1')));
  socket.on('error', () => {});
  const until = async (what: RegExp, from = 0): Promise<string> => {
    await expect.poll(() => got.slice(from), { timeout: 60_000, interval: 10 }).toMatch(what);
    return got.slice(from);
  };
  return {
    socket,
    got: () => got,
    closed: new Promise((resolve) => socket.once('close', () => resolve())),
    until,
    ask: (line, prompt = /(?:\* |0\] )$/) => {
      const from = got.length;
      socket.write(`${line}\r\n`);
      return until(prompt, from);
    },
  };
}

async function enter(port: number): Promise<Client> {
  const client = dial(port);
  await client.until(/Secret: $/);
  await client.ask(SECRET);
  return client;
}

describe('telnet', () => {
  it('The secret comes first, and is not echoed; then there is a REPL [L27, decision 25]', async () => {
    const client = dial(await listen());
    expect(await client.until(/Secret: $/)).toBe('\u00FF\u00FB\u0001Lisp Workbench 1.2.3\r\nSecret: ');
    expect(await client.ask(SECRET)).toBe('\r\n\u00FF\u00FC\u0001* ');
    expect(await client.ask('(values (+ 1 2) "a\\b")')).toBe('3\r\n"ab"\r\n* ');
    client.socket.write('\u0004');
    await client.closed;
    expect(refused).toEqual([]);
  });

  it('Three wrong secrets end a connection, and nothing was evaluated [L27, K1, case 4]', async () => {
    const client = dial(await listen());
    await client.until(/Secret: $/);
    client.socket.write('(+ 1 2)\r\n\r\nopen sesam\r\n(+ 3 4)\r\n');
    await client.closed;
    expect(client.got().match(/Secret: /g)).toHaveLength(3);
    expect(client.got()).toMatch(/The secret was wrong\. The connection is closed\.\r\n$/);
    expect(refused).toEqual(['The secret was wrong.']);
  });

  it('After many wrong secrets nobody is asked for a while, whoever comes [L27, K1]', async () => {
    const port = await listen();
    for (let connection = 0; connection < 4; connection += 1) {
      const client = dial(port);
      client.socket.write('a\r\nb\r\nc\r\n');
      await client.closed;
    }
    const client = dial(port);
    await client.closed;
    expect(client.got()).toBe('There were too many wrong secrets. Try again in a minute.\r\n');
  });

  it.each<[string, string | Buffer]>([
    ['a request of a browser', 'POST / HTTP/1.1\r\nHost: x\r\n\r\n(+ 1 2)\r\nopen sesame\r\n'],
    ['a line without end', Buffer.alloc(5_000, 97)],
  ])('A connection that is no client of telnet is closed: %s [L27, K1, case 9]', async (_what, sent) => {
    const client = dial(await listen());
    client.socket.write(sent);
    await client.closed;
    expect(client.got()).toMatch(/This is not a telnet client\./);
    expect(refused).toEqual(['This is not a telnet client.']);
  });

  it('A secret that does not come in time is not waited for [L27, K1, case 10]', async () => {
    const client = dial(await listen({ secretMs: 50 }));
    await client.closed;
    expect(client.got()).toMatch(/No secret was entered in time\./);
  });

  it('Of many connections the last are turned away [L27, K1]', async () => {
    const port = await listen();
    const open = Array.from({ length: 8 }, () => dial(port));
    for (const client of open) await client.until(/Secret: $/);
    const ninth = dial(port);
    await ninth.closed;
    expect(ninth.got()).toBe('There are too many telnet connections. Close one of them first.\r\n');
    open[0]!.socket.destroy();
    await expect
      .poll(async () => {
        const again = dial(port);
        await again.until(/\r\n|Secret: $/);
        return again.got();
      })
      .toMatch(/Lisp Workbench/);
  });

  it('Each connection has a package, a history and a debugger of its own in the same image [L27, decision 22]', async () => {
    const port = await listen();
    const [one, two] = [await enter(port), await enter(port)];
    await one.ask('(defvar *shared* :shared)');
    await one.ask('(progn (in-package :keyword) 1)');
    expect(await two.ask('(list *shared* (package-name *package*))')).toBe('(:SHARED "COMMON-LISP-USER")\r\n* ');
    expect(await two.ask('(error "mine")')).toMatch(/debugger invoked on a SIMPLE-ERROR:\r\n {2}mine\r\n[^]*\r\n0\] $/);
    expect(await one.ask('(cl:list cl:* cl:+)')).toBe(
      '(1 (COMMON-LISP:PROGN (COMMON-LISP:IN-PACKAGE :KEYWORD) 1))\r\n* ',
    );
    expect(await two.ask('abort')).toBe('; Aborted.\r\n* ');
  });

  it('The client telnet is guarded, and told of in activity [L27, G1, P1]', async () => {
    const client = await enter(await listen());
    expect(await client.ask('(delete-file "/tmp/not-there")')).toMatch(/EFFECT-DENIED:\r\n {2}Denied: DELETE-FILE/);
    await client.ask('abort');
    await client.ask('(defun by-telnet () 1)');
    const { activity, session } = bench.workbench;
    await expect
      .poll(() => session.definitions.state().find(({ name }) => name.includes('BY-TELNET'))?.actor)
      .toBe('client:telnet');
    const calls = activity
      .newest(100)
      .filter(({ kind, actor: who }) => kind === 'call-finished' && who.id === actor.id);
    expect(calls.length).toBeGreaterThan(0);
    expect(bench.workbench.clients.list()).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'telnet' })]),
    );
  });

  it('A paused client is told so, and nothing runs [L27, D14]', async () => {
    const client = await enter(await listen());
    await bench.workbench.clients.change({ id: actor.id, paused: true });
    expect(await client.ask('(defvar *ran* t)')).toMatch(/^; Not approved: .*paused/);
    await bench.workbench.clients.change({ id: actor.id, paused: false });
    expect(await client.ask("(boundp '*ran*)")).toBe('NIL\r\n* ');
  });

  it('A client that is given another image is told to connect again [L27, decision 22]', async () => {
    const port = await listen();
    const client = await enter(port);
    await client.ask('(defvar *of-the-first* t)');
    await bench.workbench.clients.change({ id: actor.id, ownImage: true });
    expect(await client.ask('(+ 1 2)')).toBe('; This client now uses another image. Connect again.\r\n* ');
    expect(await (await enter(port)).ask("(boundp '*of-the-first*)")).toBe('NIL\r\n* ');
    await bench.workbench.clients.change({ id: actor.id, ownImage: false });
  });

  it('IAC IP and Ctrl-C interrupt, and what was sent ahead is forgotten [L20, L27, K6]', async () => {
    const client = await enter(await listen());
    for (const interrupt of [IP, Buffer.from([3])]) {
      const from = client.got().length;
      // Sends both forms at once, so that the second form has already arrived when the first is interrupted.
      client.socket.write(
        '(let ((word :begun)) (print word) (finish-output) (loop (sleep 0.01)))\r\n(print :never)\r\n',
      );
      await client.until(/:BEGUN/, from);
      client.socket.write(interrupt);
      await client.until(/interrupted:[^]*0\] $/, from);
      expect(await client.ask('abort')).toBe('; Aborted.\r\n* ');
      expect(client.got().slice(from)).not.toContain(':NEVER');
    }
  });

  it('A connection that goes ends what runs for it [L27, K6]', async () => {
    const port = await listen();
    const client = await enter(port);
    client.socket.write('(progn (print :begun) (finish-output) (loop (sleep 0.01)))\r\n');
    await client.until(/:BEGUN/);
    client.socket.destroy();
    await expect.poll(() => bench.workbench.session.underway).toEqual([]);
    const debugged = await enter(port);
    await debugged.ask('(error "left behind")');
    expect(bench.workbench.session.debuggers).toHaveLength(1);
    debugged.socket.end();
    await expect.poll(() => bench.workbench.session.debuggers).toEqual([]);
  });

  it('What was sent before the client closed its side is evaluated to its end [L27]', async () => {
    const client = await enter(await listen());
    const from = client.got().length;
    client.socket.end('(progn (sleep 0.2) (list 1 2))\r\n(+ 1 2)\r\n');
    await client.closed;
    expect(client.got().slice(from)).toBe('(1 2)\r\n* 3\r\n* ');
  });

  it('A reader who stands still costs no memory, and is told what it missed [L27, K6]', async () => {
    const port = await listen();
    const client = await enter(port);
    client.socket.pause();
    // The code prints 45 MB. The kernel and the server buffer a part of them, and the rest is dropped.
    const print = '(let ((line (make-string 100 :initial-element #\\x))) (dotimes (i 90000) (write-string line)))\r\n';
    client.socket.write(`${print.repeat(5)}(defvar *all-printed* t)\r\n`);
    const other = await enter(port);
    await expect.poll(() => other.ask("(boundp '*all-printed*)"), { timeout: 60_000 }).toMatch(/^T/);
    client.socket.resume();
    const got = await client.until(/\*ALL-PRINTED\*\r\n\* $/);
    expect(got).toMatch(/; \D+ \d+ characters were left out: your connection was too slow\./);
    expect(got.length).toBeLessThan(30_000_000);
  }, 120_000);

  it('The transport listens on loopback alone, and says who has a port that is taken [L27, K1, case 8]', async () => {
    const port = await listen();
    await expect(listen({ port })).rejects.toThrow(`Port ${port} is taken by`);
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((each) => each && !each.internal && each.family === 'IPv4');
    const reached = await new Promise<boolean>((resolve) => {
      const socket = connect(port, outside?.address ?? '127.0.0.2');
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
      sockets.push(socket);
    });
    expect(reached).toBe(false);
  });

  it('A secret that is made is long, and another each time [L27, K1]', () => {
    expect(newTelnetSecret()).toMatch(/^[\w-]{24}$/);
    expect(newTelnetSecret()).not.toBe(newTelnetSecret());
  });
});
