/** Saving all texts at once: one that cannot be saved keeps no other from its file. */
import { orNotice } from '../../base/notices/notices.tsx';
import { buffers, type TextBuffer } from '../text/buffers.ts';
import { save } from './files.ts';

/** The texts that differ from their files, those that have none yet among them. */
export function unsaved(): TextBuffer[] {
  return buffers.getState().buffers.filter(({ dirty }) => dirty);
}

/**
 * Saves the unsaved texts, those of files first. A file that is refused has a notice, and the others go on; texts without a file
 * are asked about one after the other until the person cancels.
 */
export async function saveAll(): Promise<void> {
  const texts = unsaved();
  for (const { id, path } of texts) if (path !== null) await orNotice(save(id));
  for (const { id, path } of texts) if (path === null && !(await save(id))) return;
}
