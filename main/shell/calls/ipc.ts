/** Serves an rpc table. Each table has one channel. The sender's frame is checked, the input is parsed, and errors are mapped. */
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

/** A function that sends an event of a table at once, before events that are waiting for the page. */
export type SendNow<Events extends EventTable> = <Name extends keyof Events & string>(
  name: Name,
  payload: z.input<Events[Name]>,
) => void;

/** The time, in milliseconds, after which the program no longer waits for a page that has not drawn its content. */
const LONGEST_DRAWING_MS = 3_000;

interface Service {
  readonly table: CallTable;
  answer(name: string, input: unknown): unknown;
}

/**
 * The main process's end of a page's bridge. It exists before the page and before any handlers. Calls wait until their handlers are set. A
 * page receives events once it listens and its outbox is open.
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

  /** Only `page` may send calls on `channel`, and only while the page is at `origin`. */
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

  /** Resolves when the page has drawn its first content, or after some seconds at the latest. */
  get drawn(): Promise<void> {
    return this.#drawn.promise;
  }

  /** Resolves when the page has drawn its first content, however long that takes. From then on, the page receives all events. */
  get follows(): Promise<void> {
    return this.#follows.promise;
  }

  /** Calls `listener` with the paths of files that the person drops onto the page. */
  onDropped(listener: (paths: readonly string[]) => void): void {
    ipcMain.on(`${this.#channel}-dropped`, (event, paths: unknown) => {
      if (this.#isFromPage(event) && Array.isArray(paths)) listener(paths.map(String));
    });
  }

  /** Records that the page has drawn its first content. */
  noteDrawn(): void {
    this.#drawn.resolve();
    this.#follows.resolve();
  }

  /** Answers the calls of `table`, starting with those that are already waiting. */
  serve<Calls extends CallTable>(table: Calls, handlers: Handlers<Calls>): void {
    this.#service.resolve({
      table,
      answer: (name, input) => handlers[name as keyof Calls](input as never),
    });
  }

  /**
   * Opens the outbox of the page. The outbox begins to send when the page's preload listens, and sends the next batch when the page has
   * taken the previous one.
   */
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

  /** Returns true if the sender is the main frame of the page, at its own origin. */
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
