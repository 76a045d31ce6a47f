/** Tells whether this machine lets programs make the sandbox. In some containers namespaces cannot be made; there the program must say so. */
import { execFileSync } from 'node:child_process';

export const sandboxIsPossible = ((): boolean => {
  try {
    execFileSync('bwrap', ['--ro-bind', '/', '/', '--unshare-net', '--unshare-pid', '--proc', '/proc', 'true']);
    return true;
  } catch {
    return false;
  }
})();
