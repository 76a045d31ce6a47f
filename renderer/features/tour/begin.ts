/** Starts the tour: opens the tour's project, loads its system with the tests, and shows its first text in the editor. */
import { layout, showPage } from '../../base/layout/layout-store.ts';
import { folderPath } from '../../base/text/paths.ts';
import { mirror } from '../../base/mirror.ts';
import { activeEditor } from '../../editor/groups/active-editor.ts';
import { textDrawn } from '../../editor/monaco/drawn.ts';
import { openFile } from '../../editor/files/files.ts';
import { notify, orNotice } from '../../base/notices/notices.tsx';
import { reloadSystem } from '../systems/loading.ts';
import { openTour, tour } from './tour-store.ts';
import { openFolder } from '../../base/open-folder.ts';

/** The system with the tests. Loading it also loads the tested system. */
const SYSTEM = 'lisp-tour/tests';

/** @param source absolute path of the first file, which is in the project's folder. */
export async function beginTour(source: string): Promise<void> {
  openTour(folderPath(source));
  layout.setState({ left: 'files' });
  await showText(source);
  loadOnceUp();
}

/** Opens the project of the tour again if another project is open. */
export async function reopenTour(folder: string): Promise<void> {
  if (await openFolder(folder)) loadOnceUp();
}

/** True while the system cannot be loaded yet because no image is running or the folder is not trusted. */
let isWaiting = false;

/**
 * Loads the system now, or once an image is running and the folder is trusted. At a first start the user may be faster than the image. A
 * folder that was made while the workbench used another home folder is not trusted automatically.
 */
function loadOnceUp(): void {
  const isReady = (): boolean => mirror.getState().session.pid !== null && mirror.getState().project?.trusted === true;
  if (isReady()) return void orNotice(reloadSystem(SYSTEM, null, ''));
  const lacking = mirror.getState().session.pid === null ? 'an image is running' : 'you trust the folder';
  notify(`${SYSTEM} will be loaded when ${lacking}; most steps need it.`);
  if (isWaiting) return;
  isWaiting = true;
  const stop = mirror.subscribe(() => {
    if (!isReady()) return;
    stop();
    isWaiting = false;
    const { open, folder } = tour.getState();
    if (open && mirror.getState().project?.path === folder) void orNotice(reloadSystem(SYSTEM, null, ''));
  });
}

async function showText(file: string): Promise<void> {
  showPage('editor');
  await openFile(file);
  await textDrawn();
  activeEditor()?.focus();
}
