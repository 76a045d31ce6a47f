/**
 * `npm run package [-- TARGET…]`: makes packages of the program with an SBCL inside, in `out/packages`. Targets are electron-builder's
 * targets for this system (`dir`, `deb`, `rpm`, `tar.gz`, `AppImage`, …); `mcpb`, the bundle for MCP clients; and `container`, the image of
 * the server without a window. By default, all usual targets of this system except `container` are made. `LISP_WORKBENCH_PACKAGE_SBCL`
 * names the SBCL to include. Without it, the release's SBCL is built from its source, once. `LISP_WORKBENCH_PACKAGE_FAST=1` uses the
 * machine's own SBCL and compresses less, for tests of the packages.
 */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build as buildBundles } from '../setup/build.mjs';
import { ask } from '../setup/children.mjs';
import { electronRuntime } from '../setup/electron-runtime.mjs';
import { endWithParent } from '../setup/parent.mjs';
import { inRoot, root } from '../setup/places.mjs';
import { createReport } from '../setup/report.mjs';
import { findSbcl } from '../setup/sbcl.mjs';
import { setUp } from '../setup/steps.mjs';
import { makeBundle } from './bundle.mjs';
import { configuration } from './config.mjs';
import { makeContainer } from './container.mjs';
import { thirdPartyLicences } from './licences.mjs';
import { sbclOfRelease } from './sbcl-source.mjs';
import { buildCore, collectSbcl } from './sbcl.mjs';

const report = createReport();
endWithParent();
try {
  await setUp('packages', report);
  await buildBundles(report);
  for (const file of await packages(process.argv.slice(2))) report.line(`✓ ${file}`);
} catch (error) {
  report.problem(error);
  process.exitCode = 1;
}

async function packages(targets) {
  const made = inRoot('out', 'package');
  mkdirSync(made, { recursive: true });
  const libraries = await bringAlong(made);
  const others = [];
  if (targets.length === 0 || targets.includes('mcpb'))
    others.push(...(await makeBundle(made, inRoot('out', 'packages'))));
  if (targets.includes('container')) others.push(...(await makeContainer(made, report)));
  const wanted = targets.filter((target) => target !== 'mcpb' && target !== 'container');
  if (wanted.length === 0 && targets.length > 0) return others;
  return [...others, ...(await applications(made, libraries, wanted))];
}

/** Makes the packages of the desktop in `out/packages`. Without targets, makes the usual ones for this system. */
async function applications(made, libraries, targets) {
  const compression = process.env.LISP_WORKBENCH_PACKAGE_FAST ? 'gz' : 'xz';
  const config = configuration({ made, standIn: standIn(), compression, libraries });
  nameTools();
  const { build, Platform } = await import('electron-builder');
  const platform = Platform.current();
  return build({
    projectDir: root,
    config,
    publish: 'never',
    targets: platform.createTarget(targets.length === 0 ? undefined : targets),
  });
}

/**
 * Puts the parts that the package includes into `made`: SBCL, a core of the engine for this SBCL, and the licences. @returns the libraries
 * that this SBCL needs.
 */
async function bringAlong(made) {
  const command = await sbclOfPackage();
  const stop = report.working('building the core of the package');
  const sbcl = join(made, 'sbcl');
  try {
    const { version, libraries } = collectSbcl(command, sbcl);
    report.ready(`SBCL ${version} for the package`);
    await buildCore(sbcl, join(made, 'engine.core'));
    writeFileSync(join(made, 'THIRD-PARTY-LICENSES.txt'), thirdPartyLicences());
    return libraries;
  } finally {
    stop();
  }
}

/**
 * Returns the SBCL to include: the requested one if there is one, the machine's own SBCL for test packages, and otherwise the release's
 * SBCL.
 */
async function sbclOfPackage() {
  const asked = process.env.LISP_WORKBENCH_PACKAGE_SBCL;
  if (asked) return asked;
  return process.env.LISP_WORKBENCH_PACKAGE_FAST ? findSbcl().command : sbclOfRelease(report);
}

/**
 * Returns a copy of the runtime that replaces the official Electron if the official one could not be downloaded. The copy lacks the files
 * that only a checkout needs. Returns null if the official Electron is used.
 */
function standIn() {
  const { dist, version, override } = electronRuntime();
  if (!override) return null;
  const copy = inRoot('out', 'package', 'electron');
  rmSync(copy, { recursive: true, force: true });
  cpSync(dist, copy, { recursive: true });
  for (const name of ['ready.json', join('resources', 'default_app.asar')])
    rmSync(join(copy, name), { recursive: true, force: true });
  return { dist: copy, version };
}

/** Tells electron-builder to use the installed programs, which it would otherwise download. */
function nameTools() {
  if (process.platform !== 'linux') return;
  const sevenZip = ask('sh', ['-c', 'command -v 7za']);
  if (sevenZip) process.env.ELECTRON_BUILDER_7ZIP_PATH ??= sevenZip;
  if (ask('sh', ['-c', 'command -v fpm']) !== undefined) process.env.USE_SYSTEM_FPM ??= 'true';
  else process.env.CUSTOM_FPM_PATH ??= inRoot('resources', 'package', 'fpm.mjs');
}
