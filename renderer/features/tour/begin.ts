/** Beginning the tour: its project opened and loaded with its tests, and its first text in the editor. */
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

/** The system with the tests; it brings the one that it tests. */
const SYSTEM = 'lisp-tour/tests';

/** @param source absolute path of the file to begin in, which stands in the project's folder. */
export async function beginTour(source: string): Promise<void> {
  openTour(folderPath(source));
  layout.setState({ left: 'files' });
  await showText(source);
  loadOnceUp();
}

/** Opens the project of the tour again, where another one is open by now. */
export async function reopenTour(folder: string): Promise<void> {
  if (await openFolder(folder)) loadOnceUp();
}

/** True while the system waits for an image to be loaded into. */
let isWaiting = false;

/**
 * Loads the system now, or once there is an image and the folder is trusted: at a first start the person may be quicker than the image, and
 * a folder that another home has made is not trusted by itself.
 */
function loadOnceUp(): void {
  const isReady = (): boolean => mirror.getState().session.pid !== null && mirror.getState().project?.trusted === true;
  if (isReady()) return void orNotice(reloadSystem(SYSTEM, null, ''));
  const lacking = mirror.getState().session.pid === null ? 'there is an image' : 'you trust the folder';
  notify(`${SYSTEM} is loaded once ${lacking}; most steps need it.`);
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
