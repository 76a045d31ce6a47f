/** Requests about sockets, which show the address to which the socket connects. */
import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AGENT, decideAll } from '../effects.fixture.ts';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';

let image: TestImage;

beforeEach(async () => {
  image = await openTestImage();
});

afterEach(() => image.close());

describe('sockets', () => {
  let server: Server;

  beforeEach(async () => {
    server = createServer((socket) => socket.end('welcome\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterEach(() => new Promise((resolve) => server.close(resolve)));

  const socket = "(make-instance 'sb-bsd-sockets:inet-socket :type :stream :protocol :tcp)";

  it('A socket connects when it may, to the host and port that were shown [G1]', async () => {
    const { port } = server.address() as { port: number };
    const code = `(let ((s ${socket}))
      (unwind-protect (progn (sb-bsd-sockets:socket-connect s #(127 0 0 1) ${port})
                             (read-line (sb-bsd-sockets:socket-make-stream s :input t)))
        (sb-bsd-sockets:socket-close s)))`;
    const denied = image.evaluate(code, AGENT);
    const { effect } = await image.next('effect-requested');
    expect(effect).toMatchObject({ kind: 'connect', operator: 'SOCKET-CONNECT', target: `127.0.0.1:${port}` });
    await image.ask('decide-effect', { effect: effect.effect, decision: 'deny', path: null, reason: null });
    expect((await denied).condition?.type).toBe('LISP-WORKBENCH:EFFECT-DENIED');
    decideAll(image, 'proceed');
    expect(await image.value(code, AGENT)).toBe('"welcome"');
  });

  it('A socket listens and sends to a peer only when it may [G1]', async () => {
    const asked = decideAll(image, 'proceed');
    await image.value(
      `(let ((s ${socket}) (u (make-instance 'sb-bsd-sockets:inet-socket :type :datagram :protocol :udp)))
         (sb-bsd-sockets:socket-bind s #(127 0 0 1) 0)
         (sb-bsd-sockets:socket-listen s 1)
         (sb-bsd-sockets:socket-send u "hi" 2 :address '(#(127 0 0 1) 9))
         (sb-bsd-sockets:socket-close u)
         (sb-bsd-sockets:socket-close s))`,
      AGENT,
    );
    expect(asked.map(({ kind, operator }) => `${kind} ${operator}`)).toEqual([
      'listen SOCKET-BIND',
      'listen SOCKET-LISTEN',
      'connect SOCKET-SEND',
    ]);
    expect(asked[0]!.target).toBe('127.0.0.1:0');
    expect(asked[1]!.target).toMatch(/^127\.0\.0\.1:[1-9]\d+$/);
    expect(asked[2]!.target).toBe('127.0.0.1:9');
  });
});
