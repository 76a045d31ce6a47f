/** Makes a fork of an image write it to a file. The unfinished file is beside the final path until it is complete. */
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { WorkbenchError } from '#core/base/error.ts';
import type { LispImage } from '#core/lisp/image.ts';

interface Save {
  /**
   * Asks the image to fork a process that writes `unfinished`. Resolves with the id of that process, or with null and the reason if there
   * is none.
   */
  readonly request: (unfinished: string) => Promise<{ pid: number | null; reason: string | null }>;
  /** Called when the file has been written but does not have its final name yet. */
  readonly beforeItStands?: () => Promise<void>;
}

/**
 * Makes a fork of the image write `file`. @throws WorkbenchError `refused` if the image cannot be forked now, with the reason; `system` if
 * the file could not be written.
 */
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
    if (saver !== null) image.stopSaving(saver); // the process would outlive an ended image and leave its file behind
    await rm(unfinished, { force: true });
  }
}

/**
 * Resolves with true if the forked process wrote the file; with false if that process failed, or if the image ended before it reported the
 * result.
 */
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
