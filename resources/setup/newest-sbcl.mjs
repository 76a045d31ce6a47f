/**
 * The newest SBCL in the machine's own package mirror. Tests run with it in addition to the machine's own SBCL, to cover both the oldest
 * and the newest supported version. It comes from a newer suite of the same mirror, and runs here with that suite's C library.
 *
 * apt itself downloads and verifies this SBCL, with separate lists and sources, so nothing else on the machine changes. It is downloaded
 * once and stored in the setup's cache. To download it again, delete `newest-sbcl` there.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { aptSources } from './apt-sources.mjs';
import { ask, run } from './children.mjs';
import { cacheFolder } from './places.mjs';
import { SetupProblem } from './report.mjs';

/** Newer suites of each distribution, newest first, and the components that contain SBCL. The keys are IDs from os-release. */
const NEWER = {
  debian: { suites: ['unstable', 'testing'], components: 'main' },
  ubuntu: { suites: ['devel'], components: 'main universe' },
};
const PACKAGES = ['sbcl', 'libc6', 'libzstd1'];
const LIBRARIES = join('usr', 'lib', 'x86_64-linux-gnu');
const MINUTE = 60_000;

const folder = () => join(cacheFolder(), 'newest-sbcl');
const command = () => join(folder(), 'usr', 'bin', 'sbcl');

/**
 * Returns the newest SBCL; undefined if it was not downloaded.
 * @returns {{ command: string, version: string, title: string } | undefined}
 */
export function newestSbcl() {
  if (!existsSync(command())) return undefined;
  const version = /^SBCL (\d\S*)/.exec(ask(command(), ['--version'], withoutHome()) ?? '')?.[1];
  return version && { command: command(), version, title: `SBCL ${version} for tests on the newest` };
}

/** Returns the environment without SBCL_HOME, so that an SBCL finds its own contribs. */
export function withoutHome({ SBCL_HOME: _home, ...env } = process.env) {
  return env;
}

/** The step that downloads the newest SBCL. A failed download is an error only on a build server. */
export const newestSbclStep = {
  check: () => newestSbcl()?.title ?? (problem === undefined ? undefined : `without the newest SBCL: ${problem}`),
  async mend(report) {
    problem = whyNot() ?? (await fetched(report));
    if (problem !== undefined && process.env.CI)
      throw new SetupProblem(`The tests need the newest SBCL where CI is set, and it could not be had: ${problem}`);
  },
};

/** The reason why the newest SBCL is missing, which is shown for the skipped tests; undefined before the first attempt. */
let problem;
export const newestSbclProblem = () => problem;

function whyNot() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'it is only known how on Linux for x86-64.';
  if (!(distribution().ID in NEWER)) return 'it is only known how on Debian and Ubuntu.';
  for (const needed of ['apt-get', 'dpkg-deb']) if (!onPath(needed)) return `there is no ${needed} here.`;
  if (mirrors().length === 0) return "apt's sources name no mirror.";
  return undefined;
}

/**
 * Downloads the newest SBCL.
 * @returns {Promise<string | undefined>} the reason if it could not be downloaded
 */
async function fetched(report) {
  const stop = report.working('fetching the newest SBCL for the tests');
  mkdirSync(cacheFolder(), { recursive: true });
  const work = mkdtempSync(join(cacheFolder(), 'newest-sbcl-'));
  try {
    const apt = privateApt(work);
    // Ignores errors of the update if the packages are found, because third-party sources may not have these suites.
    const updated = await attempt('apt-get', [...apt, 'update'], work);
    await must('apt-get', [...apt, 'download', ...PACKAGES], join(work, 'packages')).catch((error) => {
      throw updated.said === undefined ? error : new Error(`apt-get update failed: ${updated.said}`);
    });
    await must('apt-get', [...apt, 'download', `patchelf/${distribution().VERSION_CODENAME}`], join(work, 'tools'));
    for (const part of ['packages', 'tools']) await unpack(join(work, part));
    await adapt(join(work, 'packages', 'root'), join(work, 'tools', 'root', 'usr', 'bin', 'patchelf'));
    rmSync(folder(), { recursive: true, force: true });
    renameSync(join(work, 'packages', 'root'), folder());
    if (!newestSbcl()) return 'what was fetched does not run here.';
    return undefined;
  } catch (error) {
    return error.message;
  } finally {
    rmSync(work, { recursive: true, force: true });
    stop();
  }
}

/**
 * Returns options that make apt-get use separate lists, a separate cache and separate sources in `work`. The keyrings and the proxy remain
 * the machine's.
 */
function privateApt(work) {
  for (const part of ['lists/partial', 'archives/partial', 'packages', 'tools'])
    mkdirSync(join(work, part), { recursive: true });
  const { suites, components } = NEWER[distribution().ID];
  const own = distribution().VERSION_CODENAME;
  writeFileSync(
    join(work, 'sources.list'),
    mirrors()
      .flatMap(({ uri, keyring }) =>
        [...suites, own].map(
          (suite) => `deb ${keyring ? `[signed-by=${keyring}] ` : ''}${uri} ${suite} ${components}\n`,
        ),
      )
      .join(''),
  );
  writeFileSync(join(work, 'status'), '');
  const options = {
    'Dir::Etc::SourceList': join(work, 'sources.list'),
    'Dir::Etc::SourceParts': '/dev/null',
    'Dir::Etc::Preferences': '/dev/null',
    'Dir::Etc::PreferencesParts': '/dev/null',
    'Dir::State': work,
    'Dir::State::Lists': join(work, 'lists'),
    'Dir::State::Status': join(work, 'status'),
    'Dir::Cache': work,
    'Dir::Cache::Archives': join(work, 'archives'),
    'APT::Architectures': 'amd64',
    'APT::Architecture': 'amd64',
    'APT::Default-Release': '',
    'APT::Get::AllowUnauthenticated': 'false',
    // As root, apt would otherwise download as a user that cannot write here.
    'APT::Sandbox::User': 'root',
    'Acquire::Languages': 'none',
    'Acquire::Retries': '2',
  };
  const settings = Object.entries(options).map(([name, value]) => `${name} "${value}";\n`);
  // Turns off the hooks that this machine runs after an update of the lists.
  settings.push(
    '#clear APT::Update::Post-Invoke-Success;\n',
    '#clear APT::Update::Post-Invoke;\n',
    '#clear DPkg::Post-Invoke;\n',
  );
  writeFileSync(join(work, 'apt.conf'), settings.join(''));
  return ['-q', '-c', join(work, 'apt.conf')];
}

/** Returns the mirrors that provide this machine's own release. */
function mirrors() {
  const { VERSION_CODENAME: own } = distribution();
  return aptSources().filter(({ suites }) => suites.includes(own));
}

async function unpack(part) {
  const root = join(part, 'root');
  const packages = readdirSync(part).filter((name) => name.endsWith('.deb'));
  for (const name of packages) await must('dpkg-deb', ['-x', join(part, name), root], part);
}

/** Modifies the program so that it finds its own C library in the final folder. */
async function adapt(root, patchelf) {
  const at = (...parts) => join(folder(), ...parts);
  const loader = join('lib64', 'ld-linux-x86-64.so.2');
  const interpreter = existsSync(join(root, 'usr', loader)) ? at('usr', loader) : at(loader);
  await must(
    patchelf,
    ['--set-interpreter', interpreter, '--force-rpath', '--set-rpath', at(LIBRARIES), join(root, 'usr', 'bin', 'sbcl')],
    root,
  );
  rmSync(join(root, 'usr', 'share'), { recursive: true, force: true });
}

async function must(program, args, cwd) {
  const { code, said } = await attempt(program, args, cwd);
  if (code !== 0) throw new Error(`${program} failed: ${said ?? `exit code ${code}`}`);
}

/** Runs a program. In the result, `said` is the first error or warning that the program printed. */
async function attempt(program, args, cwd) {
  const env = { ...process.env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' };
  const { code, all } = await run(program, args, { cwd, env, timeout: 10 * MINUTE });
  const lines = all.split('\n').map((line) => line.trim());
  const said =
    lines.find((line) => /^(E|Err|W)(:\d*\s|:)/.test(line)) ?? (code === 0 ? undefined : lines.findLast(Boolean));
  return { code, said: said?.slice(0, 200) };
}

function distribution() {
  let text = '';
  try {
    text = readFileSync('/etc/os-release', 'utf8');
  } catch {
    // This system has no os-release.
  }
  return Object.fromEntries(
    text
      .split('\n')
      .map((line) => /^(\w+)="?([^"]*)"?$/.exec(line))
      .filter(Boolean)
      .map(([, name, value]) => [name, value]),
  );
}

const onPath = (name) =>
  (process.env.PATH ?? '').split(delimiter).some((place) => place && existsSync(join(place, name)));
