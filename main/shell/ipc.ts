/** Walks an rpc table: one channel a table, the sender's frame checked, input parsed, errors mapped, output parsed. */
import { ipcMain, type IpcMainEvent, type IpcMainInvokeEvent, type WebContents, type WebFrameMain } from 'electron';
import type { z } from 'zod';
import type { CallTable, EventTable } from '#contract/rpc.ts';
import { messageForPerson } from '#core/system-faults.ts';
import { Outbox, type Channel } from './outbox.ts';
import { onPageGone } from './page-gone.ts';

export type Handlers<Calls extends CallTable> = {
  [Name in keyof Calls]: (
    input: z.output<Calls[Name]['input']>,
  ) => Promise<z.input<Calls[Name]['output']>> | z.input<Calls[Name]['output']>;
};

/** Serves `table` on `channel` to the main frame of `page` at `origin`, and to nobody else. */
export function serveCalls<Calls extends CallTable>(
  channel: string,
  table: Calls,
  handlers: Handlers<Calls>,
  page: () => WebContents,
  origin: string,
): void {
  ipcMain.handle(channel, async (event: IpcMainInvokeEvent, name: unknown, input: unknown) => {
    if (!isFrameOf(event.senderFrame, page(), origin))
      return { error: { message: 'This page may not call the workbench.' } };
    const call = typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined;
    if (!call) return { error: { message: `There is no call ${String(name).slice(0, 80)}.` } };
    const parsed = call.input.safeParse(input);
    if (!parsed.success)
      return {
        error: { message: `The call ${String(name)} has a wrong input: ${parsed.error.issues[0]?.message ?? ''}` },
      };
    try {
      return { ok: await handlers[name as keyof Calls](parsed.data as never) };
    } catch (error) {
      return { error: { message: messageForPerson(error) } };
    }
  });
}

/** A function that sends an event of a table past all that waits for its page. */
export type SendNow<Events extends EventTable> = <Name extends keyof Events & string>(
  name: Name,
  payload: z.input<Events[Name]>,
) => void;

/** The outbox of a page: it begins when the page's preload listens, and goes on when that has taken a batch. */
export function openOutbox(
  channel: string,
  page: WebContents,
  origin: string,
  channels: (wake: () => void) => readonly Channel[],
): Outbox {
  const outbox: Outbox = new Outbox({
    send: (batch, events) => {
      if (!page.isDestroyed()) page.send(`${channel}-events`, batch, events);
    },
    channels: channels(() => outbox.wake()),
  });
  const heard = (event: IpcMainEvent): boolean => !page.isDestroyed() && isFrameOf(event.senderFrame, page, origin);
  ipcMain.on(`${channel}-listens`, (event) => {
    if (heard(event)) outbox.begin();
  });
  ipcMain.on(`${channel}-taken`, (event, batch: unknown) => {
    if (heard(event) && typeof batch === 'number') outbox.taken(batch);
  });
  onPageGone(page, () => outbox.end());
  return outbox;
}

function isFrameOf(frame: WebFrameMain | null, page: WebContents, origin: string): boolean {
  return frame !== null && frame.parent === null && frame === page.mainFrame && frame.origin === origin;
}
