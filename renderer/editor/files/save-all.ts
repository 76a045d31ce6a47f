/** Saves all texts at once. A text that cannot be saved does not stop the others. */
import { orNotice } from '../../base/notices/notices.tsx';
import { buffers, type TextBuffer } from '../text/buffers.ts';
import { save } from './files.ts';

/** Returns the texts that differ from their files, and texts without a file. */
export function unsaved(): TextBuffer[] {
  return buffers.getState().buffers.filter(({ dirty }) => dirty);
}

/**
 * Saves the unsaved texts, those with files first. A failed save shows a notice, and the others continue. For texts without a file, prompts
 * for a path one by one until the person cancels.
 */
export async function saveAll(): Promise<void> {
  const texts = unsaved();
  for (const { id, path } of texts) if (path !== null) await orNotice(save(id));
  for (const { id, path } of texts) if (path === null && !(await save(id))) return;
}
