/** The way to a file for whoever goes on working in it: its text is shown and has the keyboard, wherever that was before. */
import { showPage } from '../../base/layout/layout-store.ts';
import { showRegion } from '../../base/layout/regions.ts';
import { openFile } from './files.ts';

/** Opens a file, shows its text and focuses it. Rejects where the file cannot be read; the keyboard stays where it is then. */
export async function workOnFile(path: string): Promise<void> {
  await openFile(path);
  showRegion('Editor', () => showPage('editor'));
}
