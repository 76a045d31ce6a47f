/** The main page's only way out: calls and events by name. Main checks every name, input and sender. */
import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';

interface Answer {
  readonly ok?: unknown;
  readonly error?: { readonly message: string };
}

contextBridge.exposeInMainWorld('workbench', {
  async call(name: string, input: unknown): Promise<unknown> {
    const answer = (await ipcRenderer.invoke('workbench', name, input)) as Answer;
    if (answer.error) throw new Error(answer.error.message);
    return answer.ok;
  },
  on(name: string, listener: (payload: unknown) => void): () => void {
    const hear = (_event: IpcRendererEvent, told: string, payload: unknown): void => {
      if (told === name) listener(payload);
    };
    ipcRenderer.on('workbench-event', hear);
    return () => ipcRenderer.off('workbench-event', hear);
  },
});
