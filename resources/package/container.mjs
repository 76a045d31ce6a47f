/**
 * The container for the server without a window. Creates the files of its build context and, if docker, podman or buildah is installed, its
 * image.
 */
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ask, run } from '../setup/children.mjs';
import { inRoot, node } from '../setup/places.mjs';
import { SetupProblem } from '../setup/report.mjs';

const { version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));

/**
 * The programs that can build images, with their arguments. The first one that works on this machine is used. With these arguments, buildah
 * needs no daemon and, as root, no namespaces.
 */
const BUILDERS = {
  docker: ['build'],
  podman: ['build', '--format', 'docker'],
  buildah: ['--storage-driver', 'vfs', 'bud', '--format', 'docker', '--isolation', 'chroot'],
};

/**
 * Creates the build context from the content of `made` (SBCL, core, licences), and builds the image. `LISP_WORKBENCH_CONTAINER_BASE` names
 * an image that replaces the base of the Containerfile.
 * @returns {Promise<string[]>} the folder of the context, and the name of the image if one was built
 */
export async function makeContainer(made, report) {
  const context = join(made, 'container');
  rmSync(context, { recursive: true, force: true });
  mkdirSync(join(context, 'bin'), { recursive: true });
  const put = (from, to) => cpSync(from, join(context, to), { recursive: true });
  for (const name of ['lisp-workbench', 'healthy']) {
    copyFileSync(inRoot('resources', 'package', 'bin', 'container', name), join(context, 'bin', name));
    chmodSync(join(context, 'bin', name), 0o755);
  }
  put(node(), 'bin/node');
  cpSync(inRoot('out', 'cli'), join(context, 'cli'), { recursive: true, filter: (file) => !file.endsWith('.map') });
  put(inRoot('package.json'), 'package.json');
  cpSync(inRoot('lisp'), join(context, 'lisp'), { recursive: true, filter: (file) => basename(file) !== 'tests' });
  for (const part of ['sbcl', 'engine.core', 'THIRD-PARTY-LICENSES.txt']) put(join(made, part), part);
  put(inRoot('LICENSE'), 'LICENSE');
  const containerfile = inRoot('resources', 'package', 'Containerfile');
  copyFileSync(containerfile, join(context, 'Containerfile'));
  const builder = Object.keys(BUILDERS).find((name) => ask(name, ['info']) !== undefined);
  if (!builder) {
    report.line(
      `No ${Object.keys(BUILDERS).join(', ')} here: build the image of ${context} where there is one of them.`,
    );
    return [context];
  }
  const tag = `lisp-workbench:${version}`;
  const base = process.env.LISP_WORKBENCH_CONTAINER_BASE;
  const args = [...BUILDERS[builder], '--tag', tag, '--file', containerfile];
  const { code, all } = await run(builder, [...args, ...(base ? ['--build-arg', `BASE=${base}`] : []), context]);
  if (code !== 0) throw new SetupProblem(`${builder} could not build the image:\n${all.trim().slice(-1500)}`);
  return [context, tag];
}
