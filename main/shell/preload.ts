/** The main page's only way out. */
import { exposeBridge } from './bridge.ts';

exposeBridge('workbench');
