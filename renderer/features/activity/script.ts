/** Converts rows to text to save: one evaluation as a test, many as a Lisp script, or the events as lines of JSON. Pure. */
import type { ActivityDetail, ActivityEvent } from '#contract/decisions/activity.ts';
import { readText } from '#contract/sexp/reader.ts';
import { shownPackage } from '../../sexp/packages.ts';
import { clockTime } from '../../ui/time.ts';
import type { ActivityRow } from './row-model.ts';

type Evaluated = Pick<ActivityDetail, 'package' | 'values'> & { code: string };

/**
 * Returns a FiveAM test that checks that the code returns the same values again. If a value is unreadable or was truncated, the test only
 * checks that the code finishes.
 */
export function testForm({ code, package: pkg, values }: Evaluated): string {
  const name = `${nameFor(code)}-as-before`;
  const form = oneForm(code);
  const head = pkg === null ? '' : `;; read in ${shownPackage(pkg)}\n`;
  return `${head}(fiveam:test ${name}\n${indented(claim(form, values), 2)})\n`;
}

/**
 * Returns the code of the rows in order, each under a comment with its actor and time. Adds an `in-package` form whenever the package
 * changes.
 */
export function script(
  rows: readonly ActivityRow[],
  details: readonly ActivityDetail[],
): { text: string; forms: number; missing: number } {
  const known = new Map(details.map((detail) => [detail.id, detail]));
  const parts: string[] = [];
  let current: string | null = null;
  let missing = 0;
  for (const row of runsOf(rows)) {
    const detail = known.get(row.run!);
    if (!detail?.code) {
      missing += 1;
      continue;
    }
    if (detail.package !== null && detail.package !== current) {
      current = detail.package;
      parts.push(`(in-package ${symbolOf(current)})\n`);
    }
    const failed = row.outcome === 'bad' ? `, which failed: ${row.outcomeText}` : '';
    const comment = `;; ${row.actor.name}, ${clockTime(row.at)}${failed}`.replaceAll(/\s+/g, ' ');
    parts.push(`${comment}\n${failed === '' ? detail.code : commented(detail.code)}\n`);
  }
  return { text: parts.join('\n'), forms: parts.filter((part) => part.startsWith(';;')).length, missing };
}

/** Returns the rows that have code, each evaluation once. The call around an evaluation is left out, because it has the same code. */
export function runsOf(rows: readonly ActivityRow[]): ActivityRow[] {
  const inside = new Set(rows.flatMap((row) => (row.kind === 'evaluation' ? (row.run ?? []) : [])));
  return rows.filter(
    ({ kind, run, code }) =>
      run !== null && (kind === 'evaluation' || (kind === 'call' && code !== null && !inside.has(run))),
  );
}

/** Returns the events from which the rows were created, one per line. */
export function jsonLines(rows: readonly ActivityRow[], events: readonly ActivityEvent[]): string {
  const shown = new Set(rows.flatMap(({ seq, endSeq }) => (endSeq === null ? [seq] : [seq, endSeq])));
  return events
    .filter(({ seq }) => shown.has(seq))
    .map((event) => `${JSON.stringify(event)}\n`)
    .join('');
}

function claim(form: string, values: Evaluated['values']): string {
  const readable = values?.every(({ text, cut }) => cut === 0 && !/#<|#\.|^…|\.\.\.$/.test(text)) === true;
  if (!readable || values.length === 0) return `(fiveam:finishes\n${indented(form, 2)})`;
  const [only] = values;
  if (values.length === 1) return `(fiveam:is (equal '${only!.text}\n${indented(form, 18)}))`;
  const list = values.map(({ text }) => text).join(' ');
  return `(fiveam:is (equal '(${list})\n${indented(`(multiple-value-list\n${indented(form, 1)})`, 18)}))`;
}

/** Wraps several forms in a single form. */
function oneForm(code: string): string {
  const trimmed = code.trim();
  return readText(trimmed).forms.length === 1 ? trimmed : `(progn\n${indented(trimmed, 2)})`;
}

/** Returns the first name in the code, with which a test's name starts. */
function nameFor(code: string): string {
  return /[A-Za-z*+][\w*+<>=!?/-]*/.exec(code)?.[0]?.toLowerCase().replaceAll(/[*+]/g, '') || 'code';
}

/** Indents lines, except inside strings, which indentation would change. */
function indented(text: string, by: number): string {
  const space = ' '.repeat(by);
  return text.includes('"') && text.includes('\n') ? space + text : text.replaceAll(/^(?=.)/gm, space);
}

function commented(code: string): string {
  return code.replaceAll(/^/gm, ';; ');
}

function symbolOf(name: string): string {
  const shown = shownPackage(name);
  return /^[A-Z0-9*+!?<>=/.-]+$/.test(shown) ? `:${shown.toLowerCase()}` : JSON.stringify(shown);
}
