/**
 * A release's SBCL, built from source. Its version and the source's digest are the same on all machines, and the result is stored in the
 * cache. As root on a Debian-like system, SBCL is built in an older Debian, so that it works with every C library from that release on. On
 * other systems it is built with the machine's own tools.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { aptSources } from '../setup/apt-sources.mjs';
import { run } from '../setup/children.mjs';
import { canInstall } from '../setup/debian.mjs';
import { withLock } from '../setup/lock.mjs';
import { cacheFolder } from '../setup/places.mjs';
import { SetupProblem } from '../setup/report.mjs';
import { findSbcl } from '../setup/sbcl.mjs';

const VERSION = '2.6.4';
/** SBCL's source, in SBCL's release archive and in Debian's repacked archive, which may be available from the machine's own apt sources. */
const RELEASED = {
  url: `https://downloads.sourceforge.net/project/sbcl/sbcl/${VERSION}/sbcl-${VERSION}-source.tar.bz2`,
  sha256: '3ba53e654b60feb7c4f50466199d6d5260f2661c711ba22d4b770b655400d57b',
};
const PACKED = {
  file: `pool/main/s/sbcl/sbcl_${VERSION}.orig.tar.xz`,
  sha256: '57421bfa0d4d94a5f9743aa9c5e28628162c92b3f8b410f784ede308d1460324',
};
/** The Debian release in which SBCL is built. Its C library is version 2.31, from 2020. */
const OLDER = 'bullseye';
/** The file with Debian's keys. On systems other than Debian, the package debian-archive-keyring provides it. */
const KEYS = '/usr/share/keyrings/debian-archive-keyring.gpg';
const BUILDERS = ['sbcl', 'gcc', 'libc6-dev', 'make'];
const MINUTE = 60_000;

/**
 * Returns the path of the release's SBCL. If it does not exist yet, builds it, which takes minutes.
 * @throws SetupProblem with the last output of the failed step.
 */
export async function sbclOfRelease(report) {
  const inOlder = canInstall() && process.arch === 'x64';
  const kept = join(cacheFolder(), `sbcl-${VERSION}-${inOlder ? OLDER : 'own'}`);
  const command = join(kept, 'bin', process.platform === 'win32' ? 'sbcl.exe' : 'sbcl');
  await withLock(`${kept}.lock`, async () => {
    if (existsSync(command)) return;
    mkdirSync(cacheFolder(), { recursive: true });
    const work = mkdtempSync(join(cacheFolder(), 'sbcl-source-'));
    try {
      const archive = join(work, 'source.tar');
      writeFileSync(archive, await downloaded());
      const stop = report.working(`building SBCL ${VERSION}`);
      const built = await (inOlder ? builtInOlder(work, archive) : builtHere(work, archive)).finally(stop);
      rmSync(kept, { recursive: true, force: true });
      renameSync(built, kept);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  });
  return command;
}

/** Downloads the source. @returns the source from the first location that provides it with the expected digest. */
async function downloaded() {
  const packed = aptSources().map(({ uri }) => ({
    url: `${uri.replace(/\/$/, '')}/${PACKED.file}`,
    sha256: PACKED.sha256,
  }));
  const places = new Map([...packed, RELEASED].map(({ url, sha256 }) => [url, sha256]));
  const tried = [];
  for (const [url, sha256] of places) {
    try {
      const response = await fetch(url);
      if (!response.ok) throw new Error(`status ${response.status}`);
      const bytes = Buffer.from(await response.arrayBuffer());
      const digest = createHash('sha256').update(bytes).digest('hex');
      if (digest !== sha256) throw new Error(`its SHA-256 is ${digest}, not ${sha256}`);
      return bytes;
    } catch (error) {
      tried.push(`${url}: ${error.cause?.code ?? error.message}`);
    }
  }
  throw new SetupProblem(
    `The source of SBCL ${VERSION} could not be downloaded (${tried.join('; ')}). LISP_WORKBENCH_PACKAGE_SBCL names an SBCL to take instead.`,
  );
}

/** Builds SBCL in a separate Debian system, with that system's own SBCL as the host compiler. @returns the folder of the installation. */
async function builtInOlder(work, archive) {
  const system = join(work, 'system');
  // If the machine's apt sources have no Debian mirror, debootstrap uses Debian's own mirror.
  const mirror = aptSources().find(({ uri }) => /\/debian\/?$/.test(uri));
  // Without Debian's keys, debootstrap would accept any download as a system. A release must be built from verified parts.
  const checked = ['--force-check-gpg', `--keyring=${KEYS}`];
  await must('debootstrap', [
    ...checked,
    '--variant=minbase',
    `--include=${BUILDERS.join(',')}`,
    OLDER,
    system,
    ...(mirror ? [mirror.uri] : []),
  ]);
  const source = join(system, 'srv', 'source');
  await unpacked(archive, source);
  const entered = ['--bind', system, '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp', '--unshare-net'];
  const own = ['--die-with-parent', '--clearenv', '--setenv', 'PATH', '/usr/bin:/bin', '--setenv', 'LANG', 'C.UTF-8'];
  await must('bwrap', [...entered, ...own, '--chdir', '/srv/source', 'sh', '-c', buildScript('/srv/built')]);
  return join(system, 'srv', 'built');
}

/** Builds SBCL with this machine's C compiler and SBCL. The result needs this machine's version of the C library, or a newer one. */
async function builtHere(work, archive) {
  const host = findSbcl()?.command;
  if (!host) throw new SetupProblem('An SBCL is needed to build the one of the release, and none is there.');
  const source = join(work, 'source');
  await unpacked(archive, source);
  const built = join(work, 'built');
  const PATH = `${dirname(host)}${delimiter}${process.env.PATH}`;
  await must('sh', ['-c', buildScript(built)], { cwd: source, env: { ...process.env, PATH } });
  return built;
}

async function unpacked(archive, folder) {
  mkdirSync(folder, { recursive: true });
  await must('tar', ['-xf', archive, '-C', folder, '--strip-components=1']);
  // Writes the version, because the source tree of a release tag does not contain it.
  writeFileSync(join(folder, 'version.lisp-expr'), `"${VERSION}"\n`);
}

/** Returns the script that builds SBCL. The build omits contribs whose C libraries are missing. */
const buildScript = (folder) => {
  const quoted = `'${folder.replaceAll("'", String.raw`'\''`)}'`;
  return `sh make.sh --prefix=${quoted} && sh install.sh && cp COPYING ${quoted}`;
};

async function must(program, args, options = {}) {
  const { code, all } = await run(program, args, { ...options, timeout: 60 * MINUTE });
  if (code !== 0) throw new SetupProblem(`${program} failed:\n${all.trim().slice(-1500)}`);
}
