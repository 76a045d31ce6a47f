/** `npm run build`: bundles the program into out/ if a source has changed since the last build. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './children.mjs';
import { inRoot, node, root, tools } from './places.mjs';
import { SetupProblem } from './report.mjs';

const SOURCES = ['main', 'renderer', 'package.json', 'package-lock.json', 'vite.config.ts', 'tsconfig.json'];
const RESULTS = [
  'out/main/app.js',
  'out/preload/preload.cjs',
  'out/preload/approval-preload.cjs',
  'out/renderer/index.html',
  'out/cli/cli.js',
];
const stamp = () => inRoot('out', 'build.json');

/** The sources of the commands without a window. This build includes them, and `build-command.mjs` builds only them. */
export const COMMAND_SOURCES = ['main', 'package.json', 'package-lock.json', 'vite.config.ts', 'tsconfig.json'];
export const commandStamp = () => inRoot('out', 'cli', 'build.json');

/**
 * Builds the program unless out/ already contains the result of these sources. @throws SetupProblem with Vite's message if the build fails.
 */
export async function build(report, { force = false } = {}) {
  const [digest, digestOfCommand] = [digestOf(SOURCES), digestOf(COMMAND_SOURCES)];
  if (!force && isBuilt(digest)) return report.ready('build');
  const started = Date.now();
  const stop = report.working('building');
  const { code, all } = await run(node(), [tools.vite, 'build', '--logLevel', 'warn'], {
    env: { ...process.env, NODE_ENV: 'production' },
  });
  stop();
  if (code !== 0) throw new SetupProblem(`The build failed:\n${all.trim()}`, ['npm run build']);
  if (all.trim()) report.line(all.trim());
  mkdirSync(inRoot('out'), { recursive: true });
  writeFileSync(stamp(), JSON.stringify({ digest }));
  stampCommand(digestOfCommand);
  report.done('build', started);
}

/** Records the sources from which the commands were built. */
export function stampCommand(digest) {
  writeFileSync(commandStamp(), JSON.stringify({ digest }));
}

function isBuilt(digest) {
  try {
    return (
      JSON.parse(readFileSync(stamp(), 'utf8')).digest === digest && RESULTS.every((file) => existsSync(inRoot(file)))
    );
  } catch {
    return false;
  }
}

/**
 * Returns a digest of names and contents. Times are not included, because a fresh checkout of the same sources must count as the same
 * build.
 */
export function digestOf(sources) {
  const hash = createHash('sha256');
  const add = (path) => {
    const full = join(root, path);
    if (!existsSync(full)) return;
    if (statSync(full).isDirectory()) {
      for (const name of readdirSync(full).sort()) add(`${path}/${name}`);
    } else if (!/\.test\.tsx?$/.test(path)) {
      hash.update(`${path}\0`).update(readFileSync(full)).update('\0');
    }
  };
  for (const path of sources) add(path);
  return hash.digest('hex');
}

/**
 * Runs the command. This is a function, because with a top-level `await` the setup's steps, which import this module, would wait forever.
 */
async function main() {
  const { createReport } = await import('./report.mjs');
  const report = createReport();
  try {
    const { setUp } = await import('./steps.mjs');
    await setUp('commands', createReport(process.stdout, { quiet: true }));
    await build(report, { force: true });
  } catch (error) {
    report.problem(error);
    process.exitCode = 1;
  }
}

if (fileURLToPath(import.meta.url) === process.argv[1]) void main();
