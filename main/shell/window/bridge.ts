/**
 * The bridge that a preload gives its page: calls and events by name over one channel. The main process checks every name, input and
 * sender.
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
        console.error(error); // only reported, because a failed listener must not block the others or the next batch
      }
    }
  };
  // Reports a batch as taken when the page is idle again. For this, the page sends itself a message, which arrives after all work that the
  // batch and the person have started. Unlike a timer, such a message is not delayed in a hidden window.
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
