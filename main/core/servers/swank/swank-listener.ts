/**
 * SWANK: Emacs with SLIME works in the shared image, as the person. The port belongs to this process and requires the secret. For each
 * Emacs, the image connects back, and the SWANK installed on the machine serves that connection. Without Emacs the image has no thread of
 * SWANK, so checkpoints are possible as usual.
 */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { EMACS, PERSON, WORKBENCH } from '#contract/clients/known-actors.ts';
import type { ServerRecord } from '#contract/clients/server.ts';
import type { ActivityStream } from '#core/activity/stream.ts';
import { messageOf, WorkbenchError } from '#core/base/error.ts';
import type { Session } from '#core/sessions/session.ts';
import { Refusals, refusedInWords } from '#core/transports/http/refusals.ts';
import type { Listener, ListenerEvents, Listening } from '../listener.ts';
import { SwankFront } from './front.ts';
import { awaitImage } from './image-link.ts';
import { createSecret, NoSecret, protectSecret, readSecret, secretFile } from './secret.ts';

export interface SwankOptions {
  readonly session: Session;
  readonly activity: ActivityStream;
  /** The person's home folder, which contains SLIME's secret. */
  readonly home: string;
  /**
   * Returns, at each start, a secret to use instead of the file's secret; null to use the file's. @throws WorkbenchError if it is
   * unreadable.
   */
  readonly secret: () => string | null;
  /** The address on which the server listens. */
  readonly address: string;
  /** The port to use if no port is requested; 4201 if omitted. */
  readonly port?: number;
}

const DEFAULT_PORT = 4201;
/**
 * The time limit, in milliseconds, for the image to end SWANK's threads. The next constant is the limit for the image to connect back after
 * it has received the request.
 */
const END_MS = 5_000;
const LINK_MS = 15_000;

const TITLES = {
  'create-secret': 'Create the Secret and Start',
  'protect-secret': 'Make It Private and Start',
} as const;

export class SwankListener implements Listener {
  readonly kind = 'swank';
  readonly serves = 'SWANK';
  readonly usualPort: number;
  readonly #options: SwankOptions;
  #offer: keyof typeof TITLES | null = null;

  constructor(options: SwankOptions) {
    this.#options = options;
    this.usualPort = options.port ?? DEFAULT_PORT;
  }

  offers(): ServerRecord['offers'] {
    return this.#offer === null ? [] : [{ id: this.#offer, title: TITLES[this.#offer] }];
  }

  async act(offer: string): Promise<void> {
    const file = secretFile(this.#options.home);
    if (offer === 'create-secret') await createSecret(file);
    else if (offer === 'protect-secret') await protectSecret(file);
  }

  async listen(port: number, events: ListenerEvents, stopped: AbortSignal): Promise<Listening> {
    this.#refuseInSandbox();
    const secret = await this.#secret();
    events.changed({
      notice: 'SWANK is being loaded into the image. The first time takes longer, because it is compiled.',
    });
    await this.#load(stopped);
    this.#refuseInSandbox();
    const { activity } = this.#options;
    const refusals = new Refusals((refused, since) => {
      events.changed({ refused });
      activity.publish({
        kind: 'server-changed',
        actor: WORKBENCH,
        change: 'refused',
        summary: `SWANK: ${refusedInWords(refused, since)}`,
      });
    });
    const front = new SwankFront({
      port,
      address: this.#options.address,
      secret,
      onConnection: (socket) => void this.#serve(socket),
      onCount: (connections) => events.changed({ connections }),
      onRefused: (why) => refusals.add(why),
    });
    const taken = await front.listen();
    events.changed({ connections: 0 });
    return {
      address: `127.0.0.1:${taken}`,
      port: taken,
      notice: `In Emacs: M-x slime-connect RET 127.0.0.1 RET ${taken} RET. While Emacs is connected, checkpoints are not possible.`,
      close: async () => {
        await front.close();
        refusals.dispose();
        await this.#endInImage();
      },
    };
  }

  async #secret(): Promise<string> {
    this.#offer = null;
    const { home } = this.#options;
    const secret = this.#options.secret();
    if (secret !== null) return secret;
    try {
      return await readSecret(secretFile(home));
    } catch (error) {
      if (error instanceof NoSecret) this.#offer = error.offer;
      throw error;
    }
  }

  async #load(stopped?: AbortSignal): Promise<void> {
    const { session } = this.#options;
    const evaluation = randomUUID();
    const request = { evaluation, actor: PERSON, context: evaluation, ...(stopped ? { signal: stopped } : {}) };
    try {
      const { reply } = await session.run('load-swank', request, {}, 'load SWANK');
      if (reply.status === 'ok') return;
      throw new WorkbenchError('system', loadProblem(reply.condition));
    } finally {
      session.forget(evaluation);
    }
  }

  #refuseInSandbox(): void {
    if (this.#options.session.view().sandbox === null) return;
    throw new WorkbenchError(
      'refused',
      'The image runs in the sandbox, which has no network. To use SWANK, turn the sandbox off in Settings (or leave out --sandbox) and restart the image.',
    );
  }

  /** Makes the image serve a connection that has sent the secret. */
  async #serve(socket: Socket): Promise<void> {
    const { session, activity } = this.#options;
    const evaluation = randomUUID();
    const who = { evaluation, actor: EMACS, context: evaluation };
    try {
      this.#refuseInSandbox();
      if (!(await this.#link(socket, who))) {
        await this.#load(); // the image may have been replaced since the start
        if (!(await this.#link(socket, who)))
          throw new WorkbenchError('not-found', 'SWANK is not loaded in the image.');
      }
    } catch (error) {
      socket.destroy();
      session.forget(evaluation);
      const summary = `Emacs could not be connected: ${messageOf(error)}`;
      activity.publish({ kind: 'server-changed', actor: WORKBENCH, change: 'refused', summary });
      return;
    }
    const told = { kind: 'client-changed', actor: EMACS, session: session.id } as const;
    activity.publish({ ...told, change: 'connected', summary: 'through SWANK' });
    const ended = (): void => {
      session.forget(evaluation);
      activity.publish({ ...told, change: 'disconnected', summary: 'through SWANK' });
    };
    if (socket.destroyed) ended();
    else socket.once('close', ended);
  }

  /** Connects Emacs's connection to one that the image opens. Returns false if the image has no SWANK yet. */
  async #link(socket: Socket, who: Parameters<Session['serveSwank']>[0]): Promise<boolean> {
    const link = await awaitImage();
    try {
      const { port, nonce } = link;
      const { loaded } = await this.#options.session.serveSwank(who, { port, nonce });
      if (!loaded) return false;
      const image = await Promise.race([link.connected, setTimeout(LINK_MS, null, { ref: false })]);
      if (image === null) throw new WorkbenchError('system', 'The image did not open its connection for Emacs.');
      join(socket, image);
      return true;
    } finally {
      link.close();
    }
  }

  async #endInImage(): Promise<void> {
    const ended = this.#options.session.lookUpIfUp('end-swank', {}).catch(() => null);
    await Promise.race([ended, setTimeout(END_MS, null, { ref: false })]);
  }
}

/** Connects two sockets: each receives the other's data and closes with it. */
function join(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    from.once('close', () => to.destroySoon());
  }
  if (one.destroyed) other.destroy();
  if (other.destroyed) one.destroy();
}

function loadProblem(condition: { type: string; message: string } | null): string {
  if (condition?.type.includes('MISSING-COMPONENT') || condition?.type.includes('SYSTEM-NOT-FOUND'))
    return 'SWANK is not installed, or ASDF cannot find it. Install it (on Debian: apt install slime cl-swank; with Quicklisp: (ql:quickload "swank")), and start again.';
  return `SWANK could not be loaded: ${condition?.message ?? 'it was interrupted'}.`;
}
