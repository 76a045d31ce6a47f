/** Detection of a container around this process. */
import { existsSync } from 'node:fs';
import path from 'node:path';

/** Files that Docker and Podman put into each container. */
const MARKS = ['.dockerenv', 'run/.containerenv'];

/**
 * Returns true when this process runs in a container: Docker, Podman, a pod of Kubernetes, or another one that says so by the
 * variable `container`, as systemd's do. `root`: where the file system begins.
 */
export function inContainer(environment: NodeJS.ProcessEnv, root = '/'): boolean {
  if (environment['container'] || environment['KUBERNETES_SERVICE_HOST']) return true;
  return MARKS.some((mark) => existsSync(path.join(root, mark)));
}
