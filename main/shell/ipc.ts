/** Walks an rpc table: one channel a table, the sender's frame checked, input parsed, errors mapped, output parsed. */
import { ipcMain, type IpcMainInvokeEvent, type WebContents, type WebFrameMain } from 'electron';
import type { z } from 'zod';
import { messageOf } from '#core/error.ts';

type CallTable = Record<string, { input: z.ZodType; output: z.ZodType }>;
type EventTable = Record<string, z.ZodType>;

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
      return { error: { message: messageOf(error) } };
    }
  });
}

/** Sends events of `table` to a page, if it is still there. */
export function eventSender<Events extends EventTable>(
  channel: string,
  page: () => WebContents | null,
): <Name extends keyof Events & string>(name: Name, payload: z.input<Events[Name]>) => void {
  return (name, payload) => {
    const contents = page();
    if (contents && !contents.isDestroyed()) contents.send(channel, name, payload);
  };
}

function isFrameOf(frame: WebFrameMain | null, page: WebContents, origin: string): boolean {
  return frame !== null && frame.parent === null && frame === page.mainFrame && frame.origin === origin;
}
