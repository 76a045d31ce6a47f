/** The page's side of the RPC table: the functions exposed by the preload, typed by the contract. */
import { messageOf as thrownMessage } from '#contract/text/text.ts';
import type { WorkbenchBridge } from '#contract/rpc.ts';

declare global {
  interface Window {
    readonly workbench: WorkbenchBridge;
  }
}

/** Calls the core. Rejects with an `Error` whose message can be shown unchanged. */
export const call: WorkbenchBridge['call'] = (name, input) => window.workbench.call(name, input);

/** Listens to an event of the core. Returns a function that stops listening. */
export const on: WorkbenchBridge['on'] = (name, listener) => window.workbench.on(name, listener);

/** Returns the message of any thrown value. */
export function messageOf(error: unknown): string {
  return thrownMessage(error).replace(/^Error invoking remote method '[^']*': (\w*Error: )?/, '');
}
