/**
 * The configuration with which electron-builder makes the packages of the program. The program's code is in the archive `app.asar`; the
 * files for images are beside the archive.
 */
import { chmodSync, copyFileSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from '../setup/places.mjs';

const APP = 'Lisp Workbench';
const COMMAND = 'lisp-workbench';
const { homepage } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));

/** The Debian libraries that Electron loads, under their names from before and after time_t was changed to 64 bits. */
const DEBIAN = [
  'libgtk-3-0 | libgtk-3-0t64',
  'libnotify4',
  'libnss3',
  'libxss1',
  'libxtst6',
  'xdg-utils',
  'libatspi2.0-0 | libatspi2.0-0t64',
  'libuuid1',
  'libsecret-1-0',
  'libgbm1',
  'libasound2 | libasound2t64',
];

/**
 * Returns the configuration of electron-builder.
 * @param {object} parts
 * @param {string} parts.made the folder with the parts that this package includes: `sbcl`, `engine.core`, `THIRD-PARTY-LICENSES.txt`
 * @param {{ dist: string, version: string } | null} parts.standIn the runtime that replaces the official Electron; null for the official
 * one
 * @param {'xz' | 'gz'} parts.compression of the deb
 * @param {string[]} parts.libraries the Debian packages that the included SBCL needs
 */
export function configuration({ made, standIn, compression, libraries }) {
  return {
    appId: 'org.lisp-workbench.app',
    productName: APP,
    // The file name must show that the runtime is unofficial, because such a package must not be mistaken for a release.
    artifactName: `${COMMAND}-\${version}-\${os}-\${arch}${standIn ? `-electron-${standIn.version}-stand-in` : ''}.\${ext}`,
    ...(standIn ? { electronVersion: standIn.version, electronDist: standIn.dist } : {}),
    npmRebuild: false,
    ...(compression === 'gz' ? { compression: 'store' } : {}),
    // Each package names a feed of updates, for an updater that a person may add. The program itself has no updater and connects to no
    // server.
    publish: { provider: 'generic', url: `${homepage}/updates` },
    directories: { output: inRoot('out', 'packages'), buildResources: inRoot('resources', 'package') },
    // No other modules are needed, because the bundles include all libraries.
    files: ['out/{main,preload,renderer,cli}/**', '!**/*.map', '!**/build.json', '!node_modules/**', 'package.json'],
    asar: true,
    extraResources: [
      { from: 'lisp', to: 'lisp', filter: ['**/*.lisp', '**/*.asd', '!tests/**'] },
      { from: join(made, 'sbcl'), to: 'sbcl' },
      { from: join(made, 'engine.core'), to: 'engine.core' },
      { from: 'resources/tour', to: 'tour' },
      { from: 'resources/plugin', to: 'plugin' },
      { from: 'LICENSE', to: 'LICENSE.txt' },
      { from: join(made, 'THIRD-PARTY-LICENSES.txt'), to: 'THIRD-PARTY-LICENSES.txt' },
    ],
    electronLanguages: ['en-US'],
    toolsets: { appimage: '1.0.3' },
    afterPack,
    fileAssociations: [
      association('lisp', 'Common Lisp source', 'text/x-common-lisp'),
      association('asd', 'ASDF system definition', 'text/x-asdf'),
    ],
    linux: {
      target: ['deb', 'rpm', 'AppImage', 'tar.gz'],
      executableName: COMMAND,
      syncDesktopName: true,
      icon: inRoot('resources', 'package', 'icons'),
      category: 'Development',
      synopsis: 'Workbench for a live Common Lisp image',
      vendor: 'The Lisp Workbench developers',
      desktop: { entry: { Name: APP, StartupWMClass: APP, Keywords: 'lisp;sbcl;repl;' } },
    },
    deb: { compression, packageCategory: 'lisp', depends: [...DEBIAN, ...libraries], recommends: ['bubblewrap'] },
    mac: {
      target: ['dmg', 'zip'],
      icon: inRoot('resources', 'package', 'icons', 'icon.icns'),
      category: 'public.app-category.developer-tools',
      hardenedRuntime: true,
      extraResources: [{ from: 'resources/package/bin/lisp-workbench-mac', to: 'bin/lisp-workbench' }],
    },
    win: {
      target: ['nsis', 'zip'],
      icon: inRoot('resources', 'package', 'icons', 'icon.ico'),
      extraResources: [{ from: 'resources/package/bin/lisp-workbench.cmd', to: 'bin/lisp-workbench.cmd' }],
    },
    nsis: { oneClick: false, perMachine: false, allowToChangeInstallationDirectory: true },
  };
}

/** Returns a file association. Linux needs a separate entry, with its own type, for each file name extension. */
function association(ext, name, mimeType) {
  return { ext, name, mimeType, role: 'Editor' };
}

/**
 * Sets the runtime's fuses, and then, on Linux, replaces the program by the command. The order matters, because the fuses are searched for
 * in the file that has the program's name.
 */
async function afterPack(context) {
  const { FuseV1Options: Fuse, FuseVersion } = await import('@electron/fuses');
  await context.packager.addElectronFuses(context, {
    version: FuseVersion.V1,
    strictlyRequireAllFuses: false,
    // The commands without a window run in the program's own Node.
    [Fuse.RunAsNode]: true,
    [Fuse.EnableCookieEncryption]: true,
    [Fuse.EnableNodeOptionsEnvironmentVariable]: false,
    [Fuse.EnableNodeCliInspectArguments]: false,
    [Fuse.EnableEmbeddedAsarIntegrityValidation]: true,
    [Fuse.OnlyLoadAppFromAsar]: true,
    [Fuse.LoadBrowserProcessSpecificV8Snapshot]: false,
    [Fuse.GrantFileProtocolExtraPrivileges]: false,
  });
  if (context.electronPlatformName !== 'linux') return;
  const at = (name) => join(context.appOutDir, name);
  renameSync(at(COMMAND), at(`${COMMAND}-desktop`));
  copyFileSync(inRoot('resources', 'package', 'bin', COMMAND), at(COMMAND));
  chmodSync(at(COMMAND), 0o755);
}
