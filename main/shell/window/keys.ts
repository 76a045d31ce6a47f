/** Keys that work in both views. The main process receives them before the two pages do (decision 39). */
import type { Input, WebContents } from 'electron';

export type SharedKey = 'next-region' | 'previous-region' | 'next-request' | 'palette' | 'stop-agents';

/** Returns the key of an input event; null if the key belongs to the pages. */
function sharedKey(
  input: Pick<Input, 'type' | 'key' | 'code' | 'control' | 'shift' | 'alt' | 'meta'>,
  platform: NodeJS.Platform = process.platform,
): SharedKey | null {
  if (input.type !== 'keyDown' || input.alt) return null;
  const command = platform === 'darwin' ? input.meta : input.control;
  if (!command && input.key === 'F6') return input.shift ? 'previous-region' : 'next-region';
  if (!command && !input.shift && input.key === 'F7') return 'next-request';
  if (command && input.shift && input.code === 'KeyP') return 'palette';
  if (command && input.shift && input.code === 'Period') return 'stop-agents';
  return null;
}

export function watchKeys(contents: WebContents, onKey: (key: SharedKey) => boolean): void {
  contents.on('before-input-event', (event, input) => {
    const key = sharedKey(input);
    if (key && onKey(key)) event.preventDefault();
  });
}
