/** Opens addresses in the person's browser or mail program, because the window itself shows no other pages. */
import { shell } from 'electron';
import { messageOf, WorkbenchError } from '#core/base/error.ts';
import { outsideAddress } from '#core/base/outside-address.ts';

/**
 * Opens an address that the workbench itself has created. @throws WorkbenchError `system` if the system has no program that can open it.
 */
export async function openOutside(address: string): Promise<void> {
  await shell.openExternal(address).catch((error: unknown) => {
    throw new WorkbenchError('system', `No program of the system could open ${address}: ${messageOf(error)}`);
  });
}

/**
 * Opens an address that the page specifies, after the person has confirmed it. @throws WorkbenchError `refused` for an address that the
 * page could not have shown.
 */
export async function openAsShown(address: string): Promise<void> {
  if (outsideAddress(address) !== address)
    throw new WorkbenchError('refused', 'Lisp Workbench does not open addresses of this kind.');
  await openOutside(address);
}
