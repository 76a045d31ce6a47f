/** The approval view's own way to main. No other page has it, and main takes its calls from this frame alone. */
import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';

interface Answer {
  readonly ok?: unknown;
  readonly error?: { readonly message: string };
}

contextBridge.exposeInMainWorld('approval', {
  async call(name: string, input: unknown): Promise<unknown> {
    const answer = (await ipcRenderer.invoke('approval', name, input)) as Answer;
    if (answer.error) throw new Error(answer.error.message);
    return answer.ok;
  },
  on(name: string, listener: (payload: unknown) => void): () => void {
    const hear = (_event: IpcRendererEvent, told: string, payload: unknown): void => {
      if (told === name) listener(payload);
    };
    ipcRenderer.on('approval-event', hear);
    return () => ipcRenderer.off('approval-event', hear);
  },
});
