/** The filter of the Problems panel: by severity, by words in the message or the file's path, and by project. */
import { makeStore } from '../../base/store.ts';
import { fileWords, problemWords } from './problem-rows.ts';
import type { Problem, Severity } from './problems.ts';

export interface ProblemFilter {
  readonly words: string;
  readonly hidden: ReadonlySet<Severity>;
  /** True to show the warnings and notes of files outside the project. Errors outside the project are always shown. */
  readonly elsewhere: boolean;
}

export const ALL: ProblemFilter = { words: '', hidden: new Set(), elsewhere: true };

/** The current filter, which lasts until the window is closed. */
export const [problemFilter, useProblemFilter] = makeStore<ProblemFilter>({ ...ALL, elsewhere: false });

/** Returns the problems that pass the filter, in the same order. Each word must be in the message, the context or the path. */
export function shownProblems(listed: readonly Problem[], { words, hidden, elsewhere }: ProblemFilter): Problem[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return listed.filter((problem) => {
    if (hidden.has(problem.severity)) return false;
    if (problem.elsewhere && !elsewhere && problem.severity !== 'error') return false;
    if (wanted.length === 0) return true;
    const { message, context } = problemWords(problem);
    const { title, folder } = fileWords(problem.file, null);
    const text = `${message} ${context} ${folder}/${title} ${problem.type}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}
