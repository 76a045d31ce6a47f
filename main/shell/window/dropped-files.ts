/**
 * Files that the person drops onto the page from a file manager. The preload reports them over a channel that the page cannot access,
 * because the person may save such files in any folder.
 */
import { ipcRenderer, webUtils } from 'electron';

/** A drag event. The main process's types do not include it, so only the fields that are read here are declared. */
interface Drag extends Event {
  readonly target: (EventTarget & { closest?(selector: string): unknown }) | null;
  readonly dataTransfer: { readonly types: readonly string[]; readonly files: Iterable<File>; dropEffect: string };
}

declare const window: {
  addEventListener(kind: 'dragover' | 'drop', listener: (event: Drag) => void, options: { capture: true }): void;
};

/** Elements of the page that open files dropped onto them. */
const TAKES_FILES = '[data-takes-files]';

/**
 * Accepts files that are dropped onto elements with the attribute `data-takes-files`. Events that the page itself has created are ignored.
 */
export function takeDroppedFiles(channel: string): void {
  window.addEventListener('dragover', (event) => void takes(event), { capture: true });
  window.addEventListener(
    'drop',
    (event) => {
      if (!takes(event)) return;
      const paths = Array.from(event.dataTransfer.files, (file) => webUtils.getPathForFile(file));
      ipcRenderer.send(`${channel}-dropped`, paths.filter(Boolean));
    },
    { capture: true },
  );
}

function takes(event: Drag): boolean {
  const { isTrusted, target, dataTransfer } = event;
  if (!isTrusted || !dataTransfer.types.includes('Files') || !target?.closest?.(TAKES_FILES)) return false;
  event.preventDefault();
  event.stopImmediatePropagation();
  dataTransfer.dropEffect = 'copy';
  return true;
}
