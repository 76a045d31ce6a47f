/** What a preload gives its page: calls and events by name over one channel. Main checks every name, input and sender. */
import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';

interface Answer {
  readonly ok?: unknown;
  readonly error?: { readonly message: string };
}

/** Exposes `window[channel]` with `call` and `on`. */
export function exposeBridge(channel: 'workbench' | 'approval'): void {
  const listeners = new Map<string, Set<(payload: unknown) => void>>();
  ipcRenderer.on(`${channel}-event`, (_event: IpcRendererEvent, name: string, payload: unknown) => {
    for (const listener of listeners.get(name) ?? []) listener(payload);
  });
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
