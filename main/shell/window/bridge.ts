/**
 * The bridge that a preload gives its page: calls and events by name over one channel. Main checks every name, input and sender.
 */
import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';

interface Answer {
  readonly ok?: unknown;
  readonly error?: { readonly message: string };
}

/** Exposes `window[channel]` with `call` and `on`. */
export function exposeBridge(channel: 'workbench' | 'approval'): void {
  const listeners = new Map<string, Set<(payload: unknown) => void>>();
  const tell = (name: string, payload: unknown): void => {
    for (const listener of listeners.get(name) ?? []) {
      try {
        listener(payload);
      } catch (error) {
        console.error(error); // one that fails keeps neither the others nor the next batch away
      }
    }
  };
  // A batch is taken when the page has time for something else again: a message to itself comes after what the batch and the
  // person have set going, and unlike a timer it is not slowed down in a window that is not seen.
  const { port1: said, port2: say } = new MessageChannel();
  said.addEventListener('message', (event) => {
    ipcRenderer.send(`${channel}-taken`, (event as MessageEvent).data);
  });
  said.start();
  ipcRenderer.on(
    `${channel}-events`,
    (_event: IpcRendererEvent, batch: number | null, events: [name: string, payload: unknown][]) => {
      for (const [name, payload] of events) tell(name, payload);
      if (batch !== null) say.postMessage(batch);
    },
  );
  ipcRenderer.send(`${channel}-listens`);
  contextBridge.exposeInMainWorld(channel, {
    async call(name: string, input: unknown): Promise<unknown> {
      const answer = (await ipcRenderer.invoke(channel, name, input)) as Answer;
      if (answer.error) throw new Error(answer.error.message);
      return answer.ok;
    },
    on(name: string, listener: (payload: unknown) => void): () => void {
      const heard = listeners.get(name) ?? new Set();
      listeners.set(name, heard.add(listener));
      return () => heard.delete(listener);
    },
  });
}
