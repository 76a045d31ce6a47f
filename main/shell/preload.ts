/** The main page's only way out: calls and events by name. Main checks every name, input and sender. */
import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';

interface Answer {
  readonly ok?: unknown;
  readonly error?: { readonly message: string };
}

const listeners = new Map<string, Set<(payload: unknown) => void>>();

ipcRenderer.on('workbench-event', (_event: IpcRendererEvent, name: string, payload: unknown) => {
  for (const listener of listeners.get(name) ?? []) listener(payload);
});

contextBridge.exposeInMainWorld('workbench', {
  async call(name: string, input: unknown): Promise<unknown> {
    const answer = (await ipcRenderer.invoke('workbench', name, input)) as Answer;
    if (answer.error) throw new Error(answer.error.message);
    return answer.ok;
  },
  on(name: string, listener: (payload: unknown) => void): () => void {
    const heard = listeners.get(name) ?? new Set();
    listeners.set(name, heard.add(listener));
    return () => heard.delete(listener);
  },
});
