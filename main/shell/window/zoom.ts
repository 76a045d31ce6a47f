/** One zoom level for the whole window: if the page and Review had different levels, they would overlap. */
import { type BrowserWindow, type WebContents, webContents } from 'electron';
import { Emitter } from '#core/base/emitter.ts';

/** A level is a fifth larger or smaller than the one before; a step is half a level. */
const STEP = 0.5;
const LOWEST = -3;
const HIGHEST = 4;

class Zoom {
  readonly events = new Emitter<{ changed: number }>();
  #window: BrowserWindow | null = null;

  /** Attaches the window. Its page keeps its level across restarts; the other views get the same level after their first load. */
  attach(window: BrowserWindow): void {
    this.#window = window;
    window.webContents.on('did-finish-load', () => this.#apply(window.webContents.getZoomLevel()));
    this.#hear(window.webContents);
  }

  /** Gives another view of the window the page's zoom level whenever the view is loaded. */
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

  /** Handles the mouse wheel with Ctrl. */
  #hear(contents: WebContents): void {
    contents.on('zoom-changed', (_event, direction) => this.change(direction === 'in' ? 'larger' : 'smaller'));
  }

  #apply(level: number): void {
    for (const contents of webContents.getAllWebContents()) contents.setZoomLevel(level);
    this.events.emit('changed', this.factor);
  }
}

/** The zoom of the one window. */
export const zoom = new Zoom();
