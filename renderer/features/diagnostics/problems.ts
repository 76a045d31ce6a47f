/**
 * The diagnostics of compilations, by the compiled text or system. A later compilation of the same file replaces its diagnostics. The
 * editor marks them in the open texts, and the Problems panel lists them with the problems from evaluations.
 */
import type { Diagnostic } from '#contract/image/compilation.ts';
import { plural } from '#contract/text/text.ts';
import { on } from '../../base/bridge.ts';
import { makeStore } from '../../base/store.ts';

export type Severity = 'error' | 'warning' | 'note';

/** A problem at a place in a file, or in a text without a file. */
export interface Problem {
  /** Identifies the row while it is listed. */
  readonly id: string;
  readonly severity: Severity;
  readonly message: string;
  /** The class of the condition, or the kind of problem. */
  readonly type: string;
  /** The absolute path, or the title of a text without a file; null if the place is unknown. */
  readonly file: string | null;
  /** Counted from 1; null if the line is unknown. */
  readonly line: number | null;
  /** From 1. */
  readonly column: number | null;
  /** The name of the definition around the problem. */
  readonly context: string | null;
  /** True for a problem in a file outside the open project, such as a library's file. */
  readonly elsewhere: boolean;
}

/** The files of the latest compilation, with a number that differs for each compilation. */
interface Compilation {
  readonly files: ReadonlySet<string>;
  readonly number: number;
}

interface Problems {
  /** The diagnostics from the latest compilation of each text or system, keyed by name. */
  readonly compiled: ReadonlyMap<string, readonly Diagnostic[]>;
  /** The problems in the order of the panel. The editor fills them, because it knows the current place of each mark. */
  readonly listed: readonly Problem[];
  /** The files that the latest compilation compiled or loaded without an error. */
  readonly sound: Compilation;
}

export const [problems, useProblems] = makeStore<Problems>({
  compiled: new Map(),
  listed: [],
  sound: { files: new Set(), number: 0 },
});

/**
 * Stores the diagnostics of a compilation in place of the earlier ones about the same files. Files that it did not compile keep their
 * diagnostics. Diagnostics without a file are dropped at the next compilation of the same text or system. `failed`: the compilation or the
 * load did not end, so that no file counts as sound.
 */
export function tellCompilation(
  of: string,
  files: readonly { readonly file: string | null; readonly diagnostics: readonly Diagnostic[] }[],
  failed = false,
): void {
  const told = files.flatMap(({ diagnostics }) => diagnostics);
  const about = new Set(files.map(({ file }) => file));
  const compiled = new Map<string, readonly Diagnostic[]>();
  for (const [other, diagnostics] of problems.getState().compiled) {
    const left = diagnostics.filter(({ file }) => !about.has(file) && (other !== of || file !== null));
    if (left.length > 0) compiled.set(other, left);
  }
  if (told.length > 0) compiled.set(of, [...(compiled.get(of) ?? []), ...told]);
  const sound = (failed ? [] : files).filter(({ diagnostics }) =>
    diagnostics.every((each) => severityOf(each) !== 'error'),
  );
  problems.setState((state) => ({
    compiled,
    sound: { files: new Set(sound.flatMap(({ file }) => file ?? [])), number: state.sound.number + 1 },
  }));
}

/** Removes the diagnostics of a form that has been compiled or evaluated again. */
export function forgetDiagnostics(over: ReadonlySet<Diagnostic>): void {
  if (over.size === 0) return;
  const compiled = new Map<string, readonly Diagnostic[]>();
  for (const [of, diagnostics] of problems.getState().compiled) {
    const left = diagnostics.filter((each) => !over.has(each));
    if (left.length > 0) compiled.set(of, left);
  }
  problems.setState({ compiled });
}

/** Removes the diagnostics of a file that no longer exists. */
export function forgetFile(file: string): void {
  const told = [...problems.getState().compiled.values()].flat();
  forgetDiagnostics(new Set(told.filter((each) => each.file === file)));
}

/** Starts to store the diagnostics of files that the person's own code compiles, for example with ASDF from the REPL. */
export function followCompiledFiles(): void {
  on('files-compiled', ({ evaluation, files }) => tellCompilation(`evaluation ${evaluation}`, files));
}

export function clearProblems(): void {
  problems.setState({ compiled: new Map() });
}

/**
 * Returns the severity with which a compiler diagnostic is shown to the person. A redefinition within the same text is not a problem, so
 * its severity is null.
 */
export function severityOf({ severity }: Pick<Diagnostic, 'severity'>): Severity | null {
  if (severity === 'redefinition') return null;
  if (severity === 'error' || severity === 'read-error') return 'error';
  return severity === 'note' ? 'note' : 'warning';
}

export type ProblemCounts = Readonly<Record<Severity, number>>;

/** Returns the number of problems of each severity in the project. */
export function countProblems(listed: readonly Problem[]): ProblemCounts {
  const counts = { error: 0, warning: 0, note: 0 };
  for (const { severity, elsewhere } of listed) if (!elsewhere) counts[severity] += 1;
  return counts;
}

/** Returns the numbers of errors and warnings in words. */
export function countWords({ error, warning }: ProblemCounts): string {
  return `${plural(error, 'error')}, ${plural(warning, 'warning')}`;
}
