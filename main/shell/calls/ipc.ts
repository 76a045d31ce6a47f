/** Walks an rpc table: one channel a table, the sender's frame checked, input parsed, errors mapped. */
import { ipcMain, type IpcMainEvent, type IpcMainInvokeEvent, type WebContents } from 'electron';
import type { z } from 'zod';
import type { CallTable, EventTable } from '#contract/rpc.ts';
import { messageForPerson } from '#core/base/system-faults.ts';
import { Outbox, type Channel } from '../feed/outbox.ts';
import { onPageGone } from '../window/page-gone.ts';

export type Handlers<Calls extends CallTable> = {
  [Name in keyof Calls]: (
    input: z.output<Calls[Name]['input']>,
  ) => Promise<z.input<Calls[Name]['output']>> | z.input<Calls[Name]['output']>;
};

/** A function that sends an event of a table past all that waits for its page. */
export type SendNow<Events extends EventTable> = <Name extends keyof Events & string>(
  name: Name,
  payload: z.input<Events[Name]>,
) => void;

/** A page that has drawn nothing after this many milliseconds is not waited for. */
const LONGEST_DRAWING_MS = 3_000;

interface Service {
  readonly table: CallTable;
  answer(name: string, input: unknown): unknown;
}

/**
 * The main process's end of a page's bridge. It is there before the page, and before there is anything that answers or tells:
 * calls wait until they are served, and a page that listens already is told from the moment that its outbox opens.
 */
export class PageLink {
  readonly #channel: string;
  readonly #page: WebContents;
  readonly #origin: string;
  readonly #service = Promise.withResolvers<Service>();
  readonly #drawn = Promise.withResolvers<void>();
  readonly #follows = Promise.withResolvers<void>();
  #listens = false;
  #outbox: Outbox | null = null;

  /** `page` may call on `channel` as long as it is at `origin`, and nobody else. */
  constructor(channel: string, page: WebContents, origin: string) {
    this.#channel = channel;
    this.#page = page;
    this.#origin = origin;
    ipcMain.handle(channel, (event, name: unknown, input: unknown) => this.#called(event, name, input));
    ipcMain.on(`${channel}-listens`, (event) => {
      if (!this.#isFromPage(event)) return;
      this.#listens = true;
      this.#outbox?.begin();
    });
    ipcMain.on(`${channel}-taken`, (event, batch: unknown) => {
      if (this.#isFromPage(event) && typeof batch === 'number') this.#outbox?.taken(batch);
    });
    setTimeout(() => this.#drawn.resolve(), LONGEST_DRAWING_MS).unref();
    onPageGone(page, () => {
      this.#listens = false;
      this.#outbox?.end();
    });
  }

  /** Resolves when the page has drawn what it begins with, and at the latest after some seconds. */
  get drawn(): Promise<void> {
    return this.#drawn.promise;
  }

  /** Resolves when the page has drawn what it begins with, however long that takes: what it is told from then on is heard. */
  get follows(): Promise<void> {
    return this.#follows.promise;
  }

  /** Listens to files that the person drops onto the page, by their paths. */
  onDropped(listener: (paths: readonly string[]) => void): void {
    ipcMain.on(`${this.#channel}-dropped`, (event, paths: unknown) => {
      if (this.#isFromPage(event) && Array.isArray(paths)) listener(paths.map(String));
    });
  }

  /** Notes that the page has drawn what it begins with. */
  noteDrawn(): void {
    this.#drawn.resolve();
    this.#follows.resolve();
  }

  /** Answers the calls of `table`, those that wait already first. */
  serve<Calls extends CallTable>(table: Calls, handlers: Handlers<Calls>): void {
    this.#service.resolve({
      table,
      answer: (name, input) => handlers[name as keyof Calls](input as never),
    });
  }

  /** Opens the outbox of the page: it begins when the page's preload listens, and goes on when that has taken a batch. */
  openOutbox(channels: (wake: () => void) => readonly Channel[]): Outbox {
    const outbox: Outbox = new Outbox({
      send: (batch, events) => {
        if (!this.#page.isDestroyed()) this.#page.send(`${this.#channel}-events`, batch, events);
      },
      channels: channels(() => outbox.wake()),
    });
    this.#outbox = outbox;
    if (this.#listens) outbox.begin();
    return outbox;
  }

  async #called(event: IpcMainInvokeEvent, name: unknown, input: unknown): Promise<unknown> {
    if (!this.#isFromPage(event)) return { error: { message: 'This page may not call the workbench.' } };
    const { table, answer } = await this.#service.promise;
    const call = typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined;
    if (!call) return { error: { message: `There is no call ${String(name).slice(0, 80)}.` } };
    const parsed = call.input.safeParse(input);
    if (!parsed.success)
      return {
        error: { message: `The call ${String(name)} has an invalid input: ${parsed.error.issues[0]?.message ?? ''}` },
      };
    try {
      return { ok: await answer(String(name), parsed.data) };
    } catch (error) {
      return { error: { message: messageForPerson(error) } };
    }
  }

  /** Returns true when the main frame of the page speaks, at its own origin. */
  #isFromPage({ senderFrame: frame }: IpcMainEvent | IpcMainInvokeEvent): boolean {
    return (
      !this.#page.isDestroyed() &&
      frame !== null &&
      frame.parent === null &&
      frame === this.#page.mainFrame &&
      frame.origin === this.#origin
    );
  }
}
