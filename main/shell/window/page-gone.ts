/** Detects the end of a page's process, even if Electron's event is missing. */
import type { WebContents } from 'electron';

/** How often, in milliseconds, a page is checked. */
const LOOK_MS = 1_000;

/** Calls `listener` each time the process of `page` has ended, until the page is destroyed. */
export function onPageGone(page: WebContents, listener: () => void): void {
  let told = false;
  const tell = (): void => {
    told = true;
    listener();
  };
  page.on('render-process-gone', tell);
  const looking = setInterval(() => {
    if (page.isDestroyed()) return;
    if (!page.isCrashed()) told = false;
    else if (!told) tell();
  }, LOOK_MS).unref();
  page.once('destroyed', () => clearInterval(looking));
}
