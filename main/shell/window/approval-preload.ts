/** The approval view's own way to main. No other page has it, and main takes its calls from this frame alone. */
import { exposeBridge } from './bridge.ts';

exposeBridge('approval');
