/**
 * The diagnostics of compilations, by the text or the system that was compiled: a later one of the same file replaces it. The editor shows it in the
 * texts that are open, and the panel Problems lists it with what evaluations left there.
 */
import type { Diagnostic } from '#contract/image/compilation.ts';
import { plural } from '#contract/text/text.ts';
import { on } from '../../base/bridge.ts';
import { makeStore } from '../../base/store.ts';

export type Severity = 'error' | 'warning' | 'note';

/** A problem at a place of a file, or of a text that has none. */
export interface Problem {
  /** Tells the row from others, as long as it is listed. */
  readonly id: string;
  readonly severity: Severity;
  readonly message: string;
  /** Class of the condition, or the kind of fault. */
  readonly type: string;
  /** Absolute path, or the title of a text without a file; null where the place is not known. */
  readonly file: string | null;
  /** From 1; null where no line is known. */
  readonly line: number | null;
  /** From 1. */
  readonly column: number | null;
  /** Name of the definition around it. */
  readonly context: string | null;
}

interface Problems {
  /** The diagnostics of the latest compilation of each text or system, by its name. */
  readonly compiled: ReadonlyMap<string, readonly Diagnostic[]>;
  /** The rows of the panel, by file and line. Filled by the editor, which knows where marked text has moved to. */
  readonly listed: readonly Problem[];
}

export const [problems, useProblems] = makeStore<Problems>({ compiled: new Map(), listed: [] });

/**
 * Takes in what a compilation said, in place of what was said of the same files: those that it did not compile have the faults that they
 * had. What stands in no file is over with the next compilation of the same.
 */
export function tellCompilation(
  of: string,
  files: readonly { readonly file: string | null; readonly diagnostics: readonly Diagnostic[] }[],
): void {
  const told = files.flatMap(({ diagnostics }) => diagnostics);
  const about = new Set(files.map(({ file }) => file));
  const compiled = new Map<string, readonly Diagnostic[]>();
  for (const [other, diagnostics] of problems.getState().compiled) {
    const left = diagnostics.filter(({ file }) => !about.has(file) && (other !== of || file !== null));
    if (left.length > 0) compiled.set(other, left);
  }
  if (told.length > 0) compiled.set(of, [...(compiled.get(of) ?? []), ...told]);
  problems.setState({ compiled });
}

/** Takes away what a compilation said of a form that was compiled or evaluated again since. */
export function forgetDiagnostics(over: ReadonlySet<Diagnostic>): void {
  if (over.size === 0) return;
  const compiled = new Map<string, readonly Diagnostic[]>();
  for (const [of, diagnostics] of problems.getState().compiled) {
    const left = diagnostics.filter((each) => !over.has(each));
    if (left.length > 0) compiled.set(of, left);
  }
  problems.setState({ compiled });
}

/** Takes away what compilations said of a file that is there no more. */
export function forgetFile(file: string): void {
  const told = [...problems.getState().compiled.values()].flat();
  forgetDiagnostics(new Set(told.filter((each) => each.file === file)));
}

/** Takes in what is said of files that the person's own code has compiled, such as by ASDF from the REPL. */
export function followCompiledFiles(): void {
  on('files-compiled', ({ evaluation, files }) => tellCompilation(`evaluation ${evaluation}`, files));
}

export function clearProblems(): void {
  problems.setState({ compiled: new Map() });
}

/** How grave a diagnostic of the compiler is for the person. A redefinition by the same text is no problem. */
export function severityOf({ severity }: Pick<Diagnostic, 'severity'>): Severity | null {
  if (severity === 'redefinition') return null;
  if (severity === 'error' || severity === 'read-error') return 'error';
  return severity === 'note' ? 'note' : 'warning';
}

export interface ProblemCounts {
  readonly error: number;
  readonly warning: number;
  readonly note: number;
}

export function countProblems(listed: readonly Problem[]): ProblemCounts {
  const counts = { error: 0, warning: 0, note: 0 };
  for (const { severity } of listed) counts[severity] += 1;
  return counts;
}

/** The counts in words. Notes are named where there are any. */
export function countWords({ error, warning, note }: ProblemCounts): string {
  const notes = note === 0 ? [] : [plural(note, 'note')];
  return [plural(error, 'error'), plural(warning, 'warning'), ...notes].join(', ');
}

/** The problem after, or before, a place in the order of the list, going round at its end; null where there is none. */
export function nextProblem(
  listed: readonly Problem[],
  from: { readonly file: string | null; readonly line: number; readonly column: number } | null,
  direction: 1 | -1,
): Problem | null {
  const placed = listed.filter(({ file }) => file !== null);
  if (placed.length === 0) return null;
  if (from === null || !placed.some(({ file }) => file === from.file)) return placed.at(direction > 0 ? 0 : -1)!;
  const isAfter = ({ file, line, column }: Problem): boolean =>
    file === from.file && ((line ?? 1) > from.line || ((line ?? 1) === from.line && (column ?? 1) > from.column));
  const isBefore = ({ file, line, column }: Problem): boolean =>
    file === from.file && ((line ?? 1) < from.line || ((line ?? 1) === from.line && (column ?? 1) < from.column));
  if (direction > 0) {
    const next = placed.findIndex(isAfter);
    if (next >= 0) return placed[next]!;
    const last = placed.findLastIndex(({ file }) => file === from.file);
    return placed[(last + 1) % placed.length]!;
  }
  const before = placed.findLastIndex(isBefore);
  if (before >= 0) return placed[before]!;
  const first = placed.findIndex(({ file }) => file === from.file);
  return placed.at(first - 1)!;
}
