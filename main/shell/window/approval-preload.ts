/**
 * The approval view's own connection to the main process. No other page has this connection, and the main process accepts its calls only
 * from this frame.
 */
import { exposeBridge } from './bridge.ts';

exposeBridge('approval');
