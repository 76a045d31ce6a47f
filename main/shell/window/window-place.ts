/** Stores the position that the window has when it is closed. */
import path from 'node:path';
import type { BrowserWindow } from 'electron';
import { z } from 'zod';
import { Document, type StoredFile } from '#core/settings/document.ts';

const place = z.object({
  x: z.int().optional(),
  y: z.int().optional(),
  width: z.int().min(400),
  height: z.int().min(300),
  maximized: z.boolean(),
});

/** The position and size of the window, in screen pixels. Without `x` and `y`, the window is centred. */
export type Place = z.infer<typeof place>;

/** Saves the position of the window when it is closed. Returns the state of the stored file. */
export function keepPlace(window: BrowserWindow, config: string): StoredFile {
  const document = new Document({
    file: path.join(config, 'window.json'),
    schema: place,
    initial: { width: 1600, height: 1000, maximized: false },
    title: 'The position of the window',
    late: false,
  });
  window.on('close', () => {
    // An error is ignored, because nothing depends on saving the position.
    document.write({ ...window.getNormalBounds(), maximized: window.isMaximized() }).catch(() => {});
  });
  return document;
}
