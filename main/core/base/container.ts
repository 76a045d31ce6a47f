/** Detects whether this process runs in a container. */
import { existsSync } from 'node:fs';
import path from 'node:path';

/** Files that Docker and Podman put into each container. */
const MARKS = ['.dockerenv', 'run/.containerenv'];

/**
 * Returns true if this process runs in a container: Docker, Podman, a Kubernetes pod, or another one that sets the variable `container`, as
 * systemd does. `root`: the root of the file system.
 */
export function inContainer(environment: NodeJS.ProcessEnv, root = '/'): boolean {
  if (environment['container'] || environment['KUBERNETES_SERVICE_HOST']) return true;
  return MARKS.some((mark) => existsSync(path.join(root, mark)));
}
