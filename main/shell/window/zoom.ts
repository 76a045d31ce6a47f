/** One size for all that the window shows: the page and Review zoomed apart would lie over each other. */
import { type BrowserWindow, type WebContents, webContents } from 'electron';
import { Emitter } from '#core/base/emitter.ts';

/** A level is a fifth larger or smaller than the one before; half of one is a step. */
const STEP = 0.5;
const LOWEST = -3;
const HIGHEST = 4;

class Zoom {
  readonly events = new Emitter<{ changed: number }>();
  #window: BrowserWindow | null = null;

  /** The window's page keeps its level over restarts; the rest of the window has the same from its first load on. */
  attach(window: BrowserWindow): void {
    this.#window = window;
    window.webContents.on('did-finish-load', () => this.#apply(window.webContents.getZoomLevel()));
    this.#hear(window.webContents);
  }

  /** Follows another view of the window, which is as large as the page whenever it is loaded. */
  follow(contents: WebContents): void {
    contents.on('did-finish-load', () => {
      if (this.#window && !this.#window.isDestroyed()) contents.setZoomLevel(this.#window.webContents.getZoomLevel());
    });
    this.#hear(contents);
  }

  /** How many pixels of the screen one of the page takes. */
  get factor(): number {
    return this.#window === null || this.#window.isDestroyed() ? 1 : this.#window.webContents.getZoomFactor();
  }

  change(to: 'larger' | 'smaller' | 'actual'): void {
    if (this.#window === null || this.#window.isDestroyed()) return;
    const level = this.#window.webContents.getZoomLevel();
    const wanted = to === 'actual' ? 0 : level + (to === 'larger' ? STEP : -STEP);
    this.#apply(Math.max(LOWEST, Math.min(HIGHEST, wanted)));
  }

  /** The wheel with Ctrl. */
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
