/** The commands `install` and `search`: libraries of the person's Quicklisp, without starting Lisp. */
import { plural } from '#contract/text/text.ts';
import { ClientLibraries, type InstallPlan } from '#core/libraries/libraries.ts';
import type { CommandLine } from './options/arguments.ts';
import { say } from './headless.ts';

type Words = Pick<CommandLine, 'words'>;

/** Installs libraries with everything that they need. @returns the exit code. @throws WorkbenchError with advice. */
export async function install({ words }: Words): Promise<number> {
  const libraries = new ClientLibraries(process.env);
  const plan = await libraries.plan(words);
  process.stdout.write(`${planText(plan, words, libraries.folder)}\n`);
  const cancel = new AbortController();
  process.once('SIGINT', () => cancel.abort());
  let shown = '';
  await libraries.install(plan, {
    signal: cancel.signal,
    progress: ({ project }) => {
      if (shown === project) return;
      shown = project;
      say(`Installing ${project} …`);
    },
  });
  return 0;
}

function planText({ wanted, installed, size, missing }: InstallPlan, words: readonly string[], folder: string): string {
  const lines = wanted.map(
    ({ dist, release }) =>
      `  ${release.project}  ${release.prefix}  ${kilobytes(release.size)}  ${dist.name} ${dist.version}`,
  );
  const head =
    wanted.length === 0
      ? `${words.join(', ')}: everything is installed (${plural(installed.length, 'release')} in ${folder}).`
      : `${words.join(', ')}: ${plural(wanted.length, 'release')}, ${kilobytes(size)}, into ${folder}; ${installed.length} installed before.`;
  const absent = missing.length === 0 ? [] : [`Not in any dist: ${missing.join(', ')}.`];
  return [head, ...lines, ...absent].join('\n');
}

function kilobytes(octets: number): string {
  return octets < 1_000_000 ? `${Math.ceil(octets / 1_000)} kB` : `${(octets / 1_000_000).toFixed(1)} MB`;
}

/** Lists the systems whose names contain all words. @returns the exit code: 1 if there are none. @throws WorkbenchError with advice. */
export async function search({ words }: Words): Promise<number> {
  const found = await new ClientLibraries(process.env).search(words);
  const lines = found.map(
    ({ system, dist, version, installed }) => `${system.name}  ${dist} ${version}${installed ? ', installed' : ''}\n`,
  );
  process.stdout.write(lines.length === 0 ? 'No system matches.\n' : lines.join(''));
  return lines.length === 0 ? 1 : 0;
}
