/**
 * Checks whether programs can create the sandbox on this machine. Some containers do not allow namespaces; there the program must report
 * that the sandbox is impossible.
 */
import { execFileSync } from 'node:child_process';

export const sandboxIsPossible = ((): boolean => {
  try {
    execFileSync('bwrap', ['--ro-bind', '/', '/', '--unshare-net', '--unshare-pid', '--proc', '/proc', 'true']);
    return true;
  } catch {
    return false;
  }
})();
