/** Opens addresses in the person's browser or mail program: the window itself leads nowhere else. */
import { shell } from 'electron';
import { messageOf, WorkbenchError } from '#core/base/error.ts';
import { outsideAddress } from '#core/base/outside-address.ts';

/** Opens an address that the workbench has made itself. @throws WorkbenchError `system` where the system has nothing that opens it. */
export async function openOutside(address: string): Promise<void> {
  await shell.openExternal(address).catch((error: unknown) => {
    throw new WorkbenchError('system', `No program of the system could open ${address}: ${messageOf(error)}`);
  });
}

/** Opens an address that the page names after the person was asked. @throws WorkbenchError `refused` for any that it could not have been shown. */
export async function openAsShown(address: string): Promise<void> {
  if (outsideAddress(address) !== address) throw new WorkbenchError('refused', 'Lisp Workbench does not open addresses of this kind.');
  await openOutside(address);
}
