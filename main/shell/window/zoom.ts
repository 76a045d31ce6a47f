/** One zoom level for the whole window. If the page and Review had different levels, they would overlap. */
import { type BrowserWindow, type WebContents, webContents } from 'electron';
import { Emitter } from '#core/base/emitter.ts';

/** Each whole level is a fifth larger than the previous one; a step is half a level. */
const STEP = 0.5;
const LOWEST = -3;
const HIGHEST = 4;

class Zoom {
  readonly events = new Emitter<{ changed: number }>();
  #window: BrowserWindow | null = null;

  /** Attaches the window. Its page's zoom level is kept across restarts. The other views get the same level after they are loaded. */
  attach(window: BrowserWindow): void {
    this.#window = window;
    window.webContents.on('did-finish-load', () => this.#apply(window.webContents.getZoomLevel()));
    this.#hear(window.webContents);
  }

  /** Applies the page's zoom level to another view of the window whenever that view is loaded. */
  follow(contents: WebContents): void {
    contents.on('did-finish-load', () => {
      if (this.#window && !this.#window.isDestroyed()) contents.setZoomLevel(this.#window.webContents.getZoomLevel());
    });
    this.#hear(contents);
  }

  /** The number of screen pixels for one pixel of the page. */
  get factor(): number {
    return this.#window === null || this.#window.isDestroyed() ? 1 : this.#window.webContents.getZoomFactor();
  }

  change(to: 'larger' | 'smaller' | 'actual'): void {
    if (this.#window === null || this.#window.isDestroyed()) return;
    const level = this.#window.webContents.getZoomLevel();
    const wanted = to === 'actual' ? 0 : level + (to === 'larger' ? STEP : -STEP);
    this.#apply(Math.max(LOWEST, Math.min(HIGHEST, wanted)));
  }

  /** Handles the mouse wheel while Ctrl is pressed. */
  #hear(contents: WebContents): void {
    contents.on('zoom-changed', (_event, direction) => this.change(direction === 'in' ? 'larger' : 'smaller'));
  }

  #apply(level: number): void {
    for (const contents of webContents.getAllWebContents()) contents.setZoomLevel(level);
    this.events.emit('changed', this.factor);
  }
}

/** The zoom level of the window. */
export const zoom = new Zoom();
