/** Opens a file for the person to work on: shows its text in the editor and focuses it. */
import { showPage } from '../../base/layout/layout-store.ts';
import { showRegion } from '../../base/layout/regions.ts';
import { openFile } from './files.ts';

/** Opens a file, shows its text and focuses it. If the file cannot be read, rejects without moving the focus. */
export async function workOnFile(path: string): Promise<void> {
  await openFile(path);
  showRegion('Editor', () => showPage('editor'));
}
