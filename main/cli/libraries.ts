/** The commands `install`, `search` and `update`: libraries of the person's Quicklisp, without starting Lisp. */
import type { DistUpdate, InstallPlan } from '#contract/libraries.ts';
import { plural, sizeInWords } from '#contract/text/text.ts';
import { WorkbenchError } from '#core/base/error.ts';
import { messageForPerson } from '#core/base/system-faults.ts';
import { ClientLibraries, distAddresses, type WorkReport } from '#core/libraries/libraries.ts';
import { findPaths } from '#core/settings/paths.ts';
import { storedSetting } from './options/stored-setting.ts';
import type { CommandLine } from './options/arguments.ts';
import { say } from './headless.ts';

type Request = Pick<CommandLine, 'words' | 'dryRun'>;

function clientLibraries(): ClientLibraries {
  const { dists } = storedSetting('libraries', findPaths().config);
  return new ClientLibraries({
    environment: process.env,
    addresses: () => distAddresses(process.env, dists),
  });
}

/** Runs a command. Errors of the system become sentences, and Ctrl+C ends the command. @throws WorkbenchError with advice. */
async function withSentences(work: (report: (verb: string) => WorkReport) => Promise<number>): Promise<number> {
  const cancel = new AbortController();
  process.once('SIGINT', () => cancel.abort());
  try {
    return await work((verb) => reportOnTerminal(verb, cancel.signal));
  } catch (error) {
    if (cancel.signal.aborted)
      throw new WorkbenchError('cancelled', 'Cancelled. What was being installed left nothing.');
    throw error instanceof WorkbenchError
      ? error
      : new WorkbenchError('system', messageForPerson(error), { cause: error });
  }
}

/** Returns a report that writes the name of each part on standard error. */
function reportOnTerminal(verb: string, signal: AbortSignal): WorkReport {
  let shown = '';
  return {
    signal,
    progress: (part) => {
      if (shown === part) return;
      shown = part;
      say(`${verb} ${part} …`);
    },
  };
}

/**
 * Installs libraries with everything that they need. Sets up Quicklisp first if there is none. @returns the exit code. @throws
 * WorkbenchError with advice.
 */
export function install({ words, dryRun }: Request): Promise<number> {
  return withSentences(async (reportFor) => {
    const libraries = clientLibraries();
    const plan = await libraries.plan(words);
    process.stdout.write(`${planText(plan, libraries.home.folder)}\n`);
    if (dryRun) return 0;
    const report = reportFor('Installing');
    if (!libraries.home.hasClient) {
      say(`Setting up Quicklisp in ${libraries.home.folder} …`);
      await libraries.setUp(report);
    }
    await libraries.install(words, report);
    return 0;
  });
}

function planText({ systems, releases, size, missing }: InstallPlan, folder: string): string {
  const wanted = releases.filter(({ installed }) => !installed);
  const lines = wanted.map(({ project, release, size: octets, dist, version, licence }) =>
    [`  ${project}`, release, sizeInWords(octets), `${dist} ${version}`, licence]
      .filter((part) => part !== null)
      .join('  '),
  );
  const here = releases.length - wanted.length;
  const head =
    wanted.length === 0
      ? `${systems.join(', ')}: everything is installed (${plural(here, 'release')} in ${folder}).`
      : `${systems.join(', ')}: ${plural(wanted.length, 'release')}, ${sizeInWords(size)}, into ${folder}; ${here} installed before.`;
  const absent = missing.length === 0 ? [] : [`Not in any dist: ${missing.join(', ')}.`];
  return [head, ...lines, ...absent].join('\n');
}

/**
 * Lists the systems whose names or descriptions contain all words. @returns the exit code: 1 if there are none. @throws WorkbenchError with
 * advice.
 */
export function search({ words }: Request): Promise<number> {
  return withSentences(async () => {
    const { found } = await clientLibraries().search(words);
    const lines = found.map(
      ({ system, release, dist, installed, description }) =>
        `${system}  ${release}, ${dist}${installed ? ', installed' : ''}${description === null ? '' : `  ${description}`}\n`,
    );
    process.stdout.write(lines.length === 0 ? 'No system matches.\n' : lines.join(''));
    return lines.length === 0 ? 1 : 0;
  });
}

/**
 * Updates dists to their newest versions: all of them, or the named one. With a version after the name, changes the dist to that version,
 * which may be an older one. @returns the exit code. @throws WorkbenchError with advice.
 */
export function update({ words, dryRun }: Request): Promise<number> {
  return withSentences(async (reportFor) => {
    const libraries = clientLibraries();
    const { dists, problem } = await libraries.overview();
    if (problem !== null) throw new WorkbenchError('system', problem);
    const [named, version = null] = words;
    const names = named === undefined ? dists.map(({ name }) => name) : [named];
    if (names.length === 0)
      throw new WorkbenchError(
        'not-found',
        'There is no Quicklisp with a dist. lisp-workbench install NAME sets it up.',
      );
    for (const name of names) {
      const difference = await libraries.compare(name, version);
      process.stdout.write(
        difference === null
          ? `${name} is up to date (${dists.find((dist) => dist.name === name)?.version}).\n`
          : updateText(difference),
      );
      if (difference !== null && !dryRun) await libraries.update(name, difference.after, reportFor('Installing'));
    }
    return 0;
  });
}

function updateText({ dist, before, after, added, changed, removed, used, size }: DistUpdate): string {
  const mark = (project: string): string => (used.includes(project) ? '* ' : '  ');
  return [
    `${dist} ${before} -> ${after}: ${plural(used.length, 'installed release')} (*) to change, ${sizeInWords(size)}.`,
    `New: ${added.length}`,
    ...added.map((name) => `  ${name}`),
    `Changed: ${changed.length}`,
    ...changed.map((pair) => `${mark(pair.project)}${pair.before} -> ${pair.after}`),
    `Removed: ${removed.length}`,
    ...removed.map(
      ({ project, neededBy }) =>
        `${mark(project)}${project}${neededBy.length > 0 ? `, needed by ${neededBy.join(', ')}` : ''}`,
    ),
    '',
  ].join('\n');
}
