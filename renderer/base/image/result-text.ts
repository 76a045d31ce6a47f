/** The line that is shown after a form to report its result. */
import type { EvaluationReport } from '#contract/image/evaluation.ts';

const LONGEST = 100;

/** The kind of work that a report is about. Code that was compiled and loaded has no values to show. */
export type ReportOf = 'evaluating' | 'compiling';

export function resultChip(
  report: EvaluationReport,
  of: ReportOf = 'evaluating',
): { text: string; time: string | null; failed: boolean } {
  if (report.status === 'interrupted')
    return { text: 'interrupted', time: milliseconds(report.timing.realMs), failed: true };
  if (report.status !== 'ok') {
    const { type, message } = report.condition ?? { type: 'LOST', message: 'The image did not answer.' };
    return { text: shorten(`${type} ${message}`), time: null, failed: true };
  }
  const time = milliseconds(report.timing.realMs);
  if (report.values.length === 0) return { text: of === 'compiling' ? 'compiled' : 'no values', time, failed: false };
  return { text: shorten(`=> ${report.values.map((value) => value.text).join(', ')}`), time, failed: false };
}

/** True if the line contains the whole report: every value fits on the line, and no error has a backtrace. */
export function saysAll({ status, values, condition, warnings }: EvaluationReport): boolean {
  if (status !== 'ok') return condition === null;
  if (warnings.length > 0 || values.some(({ cut, text }) => cut > 0 || text.includes('\n'))) return false;
  return `=> ${values.map(({ text }) => text).join(', ')}`.length <= LONGEST;
}

/** Formats a duration: `0.1 ms`, `3 ms`, `1.4 s`, `2 min 5 s`. */
export function milliseconds(ms: number): string {
  if (ms < 0.95) return `${Math.max(0.1, Math.round(ms * 10) / 10)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1)}…`;
}
