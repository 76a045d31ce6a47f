/** The main page's only way out. */
import { exposeBridge } from './bridge.ts';
import { takeDroppedFiles } from './dropped-files.ts';

exposeBridge('workbench');
takeDroppedFiles('workbench');
