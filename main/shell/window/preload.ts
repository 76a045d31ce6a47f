/** The main page's only connection to the main process. */
import { exposeBridge } from './bridge.ts';
import { takeDroppedFiles } from './dropped-files.ts';

exposeBridge('workbench');
takeDroppedFiles('workbench');
