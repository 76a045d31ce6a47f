/** The approval view's own way to main. No other page has it, and main takes its calls from this frame alone. */
import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';

interface Answer {
  readonly ok?: unknown;
  readonly error?: { readonly message: string };
}

const listeners = new Map<string, Set<(payload: unknown) => void>>();

ipcRenderer.on('approval-event', (_event: IpcRendererEvent, name: string, payload: unknown) => {
  for (const listener of listeners.get(name) ?? []) listener(payload);
});

contextBridge.exposeInMainWorld('approval', {
  async call(name: string, input: unknown): Promise<unknown> {
    const answer = (await ipcRenderer.invoke('approval', name, input)) as Answer;
    if (answer.error) throw new Error(answer.error.message);
    return answer.ok;
  },
  on(name: string, listener: (payload: unknown) => void): () => void {
    const heard = listeners.get(name) ?? new Set();
    listeners.set(name, heard.add(listener));
    return () => heard.delete(listener);
  },
});
