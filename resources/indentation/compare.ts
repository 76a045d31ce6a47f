/**
 * Indents every file of five libraries again, both with Emacs and SLIME and with this program. Both use the indentation that they learned
 * from an image with these libraries. Prints how many lines have the same indentation, and why the others differ. If files are given as
 * arguments, compares those instead. Both results are written to `out/indentation`.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { LispImage } from '#core/lisp/image.ts';
import { LocalHost } from '#core/lisp/local-host.ts';
import { ensureRuntime } from '#core/lisp/start/runtime.ts';
import { findSbcl } from '#core/lisp/start/sbcl.ts';
import { findSources } from '#core/lisp/start/sources.ts';
import type { PackageIndentation } from '#contract/image/indentation.ts';
import { MacroMethods } from '../../renderer/sexp/indentation/image-methods.ts';
import { Layout } from '../../renderer/sexp/indentation/layout.ts';
import type { Macros } from '../../renderer/sexp/indentation/methods.ts';
import { reindentLines } from '../../renderer/sexp/indentation/reindent.ts';

const SYSTEMS = ['alexandria', 'cl-ppcre', 'ironclad', 'hunchentoot', 'iterate'];
const LIBRARIES = '/usr/share/common-lisp/source';
const SLIME = '/usr/share/emacs/site-lisp/elpa-src';
const HERE = import.meta.dirname;
const OUT = path.resolve(HERE, '../../out/indentation');
/** The cases of the unit tests, which are compared too. */
const CASES = path.resolve(HERE, '../../renderer/sexp/indentation/cases.lisp');
const LEAST = 99;

const KINDS = {
  semicolon: 'comments of one semicolon, which Emacs puts into column 40 and we indent like code',
  comment: 'lines in block comments, which Emacs indents like code and we leave alone',
  local: 'calls of macros that a MACROLET of the text makes with a body, which Emacs does not look for',
  elsewhere:
    'names that mean something else in their package, or nothing: SLIME takes the macro of that name of the package that most others use',
  other: 'not explained',
} as const;
type Kind = keyof typeof KINDS;

interface Compared {
  readonly lines: number;
  readonly equal: number;
  readonly different: Readonly<Partial<Record<Kind, number>>>;
}

const given = process.argv.slice(2).map((file) => path.resolve(file));
const files = given.length > 0 ? given : [...(await Promise.all(SYSTEMS.map(sourcesOf))).flat(), CASES];
const inEmacs = await indentedByEmacs(files);
const learned = await learn();
const all = { count: 0, equal: 0, different: new Map<Kind, number>() };
for (const [index, file] of files.entries()) {
  const compared = compare(await readFile(file, 'utf8'), inEmacs[index]!);
  all.count += compared.lines;
  all.equal += compared.equal;
  const why = Object.entries(compared.different) as [Kind, number][];
  for (const [kind, count] of why) all.different.set(kind, (all.different.get(kind) ?? 0) + count);
  const reasons = why.map(([kind, count]) => `${count} ${kind}`).join(', ');
  say(`${`${compared.equal}`.padStart(6)} of ${`${compared.lines}`.padStart(5)}  ${shown(file)}  ${reasons}`.trimEnd());
}
const share = (100 * all.equal) / all.count;
say(`\n${all.equal} of ${all.count} lines are equal: ${share.toFixed(2)} %. The others:`);
for (const [kind, words] of Object.entries(KINDS))
  say(`${`${all.different.get(kind as Kind) ?? 0}`.padStart(6)}  ${kind}: ${words}`);
process.exitCode = share >= LEAST ? 0 : 1;

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function shown(file: string): string {
  return path.relative(file.startsWith(LIBRARIES) ? LIBRARIES : process.cwd(), file);
}

async function sourcesOf(system: string): Promise<string[]> {
  const entries = await readdir(path.join(LIBRARIES, system), { recursive: true });
  return entries
    .filter((name) => name.endsWith('.lisp'))
    .toSorted()
    .map((name) => path.join(LIBRARIES, system, name));
}

/** Returns the lines of each file as Emacs indents them. Emacs is connected to an image with the libraries. */
async function indentedByEmacs(sources: readonly string[]): Promise<string[][]> {
  await rm(OUT, { recursive: true, force: true });
  await mkdir(path.join(OUT, 'emacs'), { recursive: true });
  const list = path.join(OUT, 'files');
  const results = sources.map((_, index) => path.join(OUT, 'emacs', `${index}-${path.basename(sources[index]!)}`));
  await writeFile(list, sources.map((file, index) => `${file}\n${results[index]!}\n`).join(''));
  const image = spawn(
    process.env['LISP_WORKBENCH_SBCL'] || 'sbcl',
    [
      '--noinform',
      '--no-sysinit',
      '--no-userinit',
      '--disable-debugger',
      '--load',
      path.join(HERE, 'swank.lisp'),
      '--end-toplevel-options',
      ...SYSTEMS,
    ],
    { stdio: ['pipe', 'ignore', 'pipe'] },
  );
  try {
    const port = await portOf(image);
    const version = (await readdir(SLIME)).find((name) => name.startsWith('slime-'));
    if (version === undefined) throw new Error(`There is no SLIME in ${SLIME}.`);
    const slime = path.join(SLIME, version);
    const emacs = spawn(
      'emacs',
      ['-Q', '--batch', '-L', slime, '-L', path.join(slime, 'contrib'), '-l', path.join(HERE, 'emacs.el'), port, list],
      { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: OUT } },
    );
    let said = '';
    emacs.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-2000)));
    const [code] = (await once(emacs, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`Emacs ended with ${code}:\n${said}`);
  } finally {
    image.stdin.end();
  }
  return Promise.all(results.map(async (file) => (await readFile(file, 'utf8')).split('\n')));
}

/** Resolves with the port that Swank prints on the image's standard error. */
function portOf(image: ChildProcessByStdio<Writable, null, Readable>): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    image.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4000);
      const port = /Swank started at port: (\d+)/.exec(said)?.[1];
      if (port !== undefined) resolve(port);
    });
    image.on('exit', () => reject(new Error(`The image with Swank ended:\n${said}`)));
  });
}

/**
 * Returns the macro indentation that our engine reports for an image with the same libraries: for the packages that the editor requests,
 * and for all packages.
 */
async function learn(): Promise<{ usual: PackageIndentation[]; all: PackageIndentation[] }> {
  const cache = path.join(homedir(), '.cache', 'lisp-workbench', 'indentation');
  const runtime = await ensureRuntime(await findSbcl(null), findSources(HERE), cache);
  const directory = await mkdtemp(path.join(tmpdir(), 'indentation-'));
  const memory = { heapMegabytes: 1024, controlStackMegabytes: 16 };
  const image = new LispImage(new LocalHost({ runtime, directory, environment: process.env, memory }));
  await image.ready;
  try {
    const { condition } = await image.request('evaluate', {
      evaluation: 'indentation',
      context: 'indentation',
      actor: 'person',
      code: `(progn ${SYSTEMS.map((system) => `(asdf:load-system "${system}")`).join(' ')} nil)`,
      package: null,
      interactive: false,
      source: null,
      outputLimit: 1000,
      valueLimit: 1000,
      keepValues: false,
      onError: 'report',
      guard: false,
    });
    if (condition) throw new Error(`The libraries did not load: ${condition.message}`);
    const { packages: usual } = await image.request('macro-indentation', { packages: null });
    const { packages } = await image.request('packages', {});
    const every = await image.request('macro-indentation', { packages: packages.map(({ name }) => name) });
    return { usual, all: every.packages };
  } finally {
    image.kill('The comparison is over.');
    await image.ended;
    await rm(directory, { recursive: true, force: true });
  }
}

function compare(source: string, emacs: readonly string[]): Compared {
  const lines = source.split('\n');
  const macros = new MacroMethods(learned.usual);
  const anywhere = new MacroMethods(learned.all);
  const guessing: Macros = { in: () => anywhere.in(null) };
  const ours = indented(lines, lines, macros);
  // Turns off, one after another, the features that Emacs lacks. If a line then matches Emacs, that feature is the reason for the
  // difference.
  const withoutLocal = indented(lines, lines.map(withoutLocalMacros), macros);
  const asSlime = indented(lines, lines.map(withoutLocalMacros), guessing);
  const { contexts } = new Layout(lines);
  const different: Partial<Record<Kind, number>> = {};
  let equal = 0;
  for (const [index, line] of lines.entries()) {
    const theirs = emacs[index] ?? '';
    const isEqual = (column: number): boolean => line.trim() === '' || column === columnOf(theirs);
    if (isEqual(ours[index]!)) {
      equal += 1;
      continue;
    }
    const kind: Kind =
      contexts[index]!.within === 'comment'
        ? 'comment'
        : /^\s*;([^;]|$)/.test(line)
          ? 'semicolon'
          : isEqual(withoutLocal[index]!)
            ? 'local'
            : isEqual(asSlime[index]!)
              ? 'elsewhere'
              : 'other';
    different[kind] = (different[kind] ?? 0) + 1;
    if (kind === 'other') say(`  Emacs ${columnOf(theirs)}, we ${ours[index]}: ${line.trim()}`);
  }
  return { lines: lines.length, equal, different };
}

/**
 * Returns the indentation column of each line. It is computed from `read`, which contains the same lines in the form in which they should
 * be parsed.
 */
function indented(lines: readonly string[], read: readonly string[], macros: Macros): number[] {
  const columns = lines.map(columnOf);
  for (const { line, blank } of reindentLines(read, 0, read.length - 1, macros)) columns[line] = blank.length;
  return columns;
}

/** Replaces MACROLET by LABELS and two spaces, which has the same length and the same indentation. */
function withoutLocalMacros(line: string): string {
  return line.replace(/\(macrolet(?=\s|$)/gi, '(labels  ');
}

function columnOf(line: string): number {
  let column = 0;
  for (const blank of /^[ \t]*/.exec(line)![0]) column += blank === '\t' ? 8 - (column % 8) : 1;
  return column;
}
