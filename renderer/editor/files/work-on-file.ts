/** Opens a file for further work: shows its text in the editor and focuses it. */
import { showPage } from '../../base/layout/layout-store.ts';
import { showRegion } from '../../base/layout/regions.ts';
import { openFile } from './files.ts';

/** Opens a file, shows its text and focuses it. Rejects if the file cannot be read; then the focus does not move. */
export async function workOnFile(path: string): Promise<void> {
  await openFile(path);
  showRegion('Editor', () => showPage('editor'));
}
