/** Has a copy of an image write it to a file, beside which the unfinished one lies until it is whole. */
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { WorkbenchError } from '#core/base/error.ts';
import type { LispImage } from '#core/lisp/image.ts';

interface Save {
  /** Asks the image for the copy that writes `unfinished`. `pid` is the copy's; null with the reason why there is none. */
  readonly request: (unfinished: string) => Promise<{ pid: number | null; reason: string | null }>;
  /** Done when the file is written and does not stand under its name yet. */
  readonly beforeItStands?: () => Promise<void>;
}

/** @throws WorkbenchError `refused` with why the image cannot be copied now, `system` when the file could not be written. */
export async function saveInCopy(image: LispImage, file: string, { request, beforeItStands }: Save): Promise<void> {
  const unfinished = `${file}.part`;
  const written = saved(image, unfinished);
  let saver: number | null = null;
  try {
    const { pid, reason } = await request(unfinished);
    saver = pid;
    if (pid === null) throw new WorkbenchError('refused', `The image cannot be saved now: ${reason}`);
    if (!(await written))
      throw new WorkbenchError('system', `The image could not be written to ${path.dirname(file)}.`);
    saver = null;
    await beforeItStands?.();
    await rename(unfinished, file);
  } finally {
    if (saver !== null) image.stopSaving(saver); // it outlives an image that ended, and would leave its file
    await rm(unfinished, { force: true });
  }
}

/** Resolves with true when the copy wrote the file; with false also when the image ended before it said so. */
function saved(image: LispImage, file: string): Promise<boolean> {
  return new Promise((resolve) => {
    const stop = image.events.on('event', (event) => {
      if (event.event !== 'world-saved' || event.file !== file) return;
      stop();
      resolve(event.written);
    });
    void image.lifeOver.then(() => resolve(false));
  });
}
