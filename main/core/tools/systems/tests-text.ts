/** Formats the result of a test run. The first line has the result, and each failure follows. Passed tests are only counted. Pure. */
import { plural } from '#contract/text/text.ts';
import type { TestOutcome } from '#contract/image/system.ts';

/** The default maximum number of output characters that are shown. */
const MOST_OUTPUT = 4_000;

/** The maximum number of output characters that are shown if the tests seem to have passed. */
const LEAST_OUTPUT = 500;

interface Told {
  readonly text: string;
  readonly success: boolean;
}

interface Printed {
  /** The output without the compiler's transcript. */
  readonly output: string;
  /** True if individual tests were run by name. In that case the output contains only the output of these tests. */
  readonly named: boolean;
  readonly display: (file: string) => string;
}

export function testsText(outcome: TestOutcome, { output, named, display }: Printed): Told {
  const failures = outcome.failures.map(({ test, reason, source }) => {
    const place = source === null ? '' : ` ${display(source.file)}${source.line === null ? '' : `:${source.line}`}`;
    return `- ${test}${place}: ${shortened(reason)}`;
  });
  if (outcome.ran === null) return uncounted(outcome, output);
  if (outcome.ran === 0) {
    const text = `No test ran: the test operation of ${outcome.name} found none.`;
    return { text: [text, ...section(output)].join('\n'), success: false };
  }
  const more = (outcome.exit ?? 0) === 0 ? '' : ` Then the test code tried to exit with code ${outcome.exit}.`;
  const head = `${resultLine(outcome)}${more}`;
  const rest = named ? section(output) : unshown(output, outcome.success);
  return { text: [head, ...failures, ...rest].join('\n'), success: outcome.success };
}

/** The maximum length, in characters, of a failure's reason that is shown in full. */
const LONGEST_REASON = 600;
/** The number of characters that are shown before and after the first difference between two values. */
const AROUND = 100;

/** Matches the actual and the expected value in messages of FiveAM and Parachute. */
const COMPARED = [
  /^([^]*?\bevaluated to\s+)([^]+)(\s+which is not \S+ to\s+)([^]+)()$/,
  /^([^]*?\bevaluated to\s+)([^]+)(\s+when\s+)([^]+)(\s+was expected [^]*)$/,
];

/**
 * Shortens the reason for a failure. If the reason compares two values, returns the parts where they differ. Otherwise returns its start
 * and its end.
 */
function shortened(reason: string): string {
  if (reason.length <= LONGEST_REASON) return reason;
  const compared = COMPARED.map((pattern) => pattern.exec(reason)).find((each) => each !== null);
  if (!compared) {
    const [head, tail] = [reason.slice(0, LONGEST_REASON / 2), reason.slice(-LONGEST_REASON / 2)];
    return `${head} … ${reason.length - head.length - tail.length} characters … ${tail}`;
  }
  const [, before = '', given = '', between = '', wanted = '', after = ''] = compared;
  const [is, should] = [given, wanted].map((each) => each.replaceAll(/\s+/g, ' ').trim()) as [string, string];
  let at = 0;
  while (at < is.length && is[at] === should[at]) at += 1;
  const from = Math.max(0, at - AROUND);
  const part = (text: string): string =>
    `${from > 0 ? '… ' : ''}${text.slice(from, at + AROUND)}${text.length > at + AROUND ? ' …' : ''}`;
  const words = [before, part(is), between, part(should), after].map((each) => each.replaceAll(/\s+/g, ' '));
  return `${words.join('')} (both are the same in the ${at} characters before they differ)`;
}

function resultLine({ ran, failing, failed, total, skipped, expected }: TestOutcome): string {
  const all = total === null ? null : total - (expected ?? 0);
  const checks =
    all === null || all === ran! - (expected ?? 0) ? '' : ` (${all} checks${failed ? `, ${failed} failed` : ''})`;
  const left = `${skipped ? ` ${plural(skipped, 'check')} skipped.` : ''}${expected ? ` ${plural(expected, 'test')} failed as expected.` : ''}`;
  if (!failing) return `${plural(ran! - (expected ?? 0), 'test')} passed${checks}.${left}`;
  return `${failing} of ${plural(ran!, 'test')} failed${checks}.${left}`;
}

/**
 * Returns the result of tests whose framework is unknown. Because no error ended the tests, the exit code and the output determine the
 * result.
 */
function uncounted({ success, exit }: TestOutcome, output: string): Told {
  const line = success ? saysFailed(output) : null;
  const head = !success
    ? `The tests failed${exit === null ? '' : `: the test code tried to exit with code ${exit}`}.`
    : line === null
      ? 'The tests ended without an error, and their output mentions no failure. Their framework is unknown, so they were not counted.'
      : `The tests failed according to their output: ${line}`;
  const passed = success && line === null;
  return {
    text: [head, ...section(withoutDots(output), passed ? LEAST_OUTPUT : MOST_OUTPUT)].join('\n'),
    success: passed,
  };
}

/** Removes lines of dots, in which each dot is a passed check. */
function withoutDots(output: string): string {
  return output.replaceAll(/^[. ]*\.[. ]*\n/gm, '');
}

/** Matches a count of zero failures, or a statement that no test failed. */
const NONE_FAILED =
  /\b(?:0|no|none|without)\b[^.,;]*\bfail|\bfail\w*\s*[:=]?\s*(?:0|none|no|nil)\b|\b0\s+(?:tests?|checks?)\b.*\bfail/i;

const FAILED = /\bfail(?:ed|ures?|s|ing)?\b|^\s*not ok\b|[✗✘×]\s/i;

/** Returns the last line of the output that reports failed tests; null if there is none. @internal */
export function saysFailed(output: string): string | null {
  const lines = output.split('\n').filter((line) => FAILED.test(line) && !NONE_FAILED.test(line));
  return lines.at(-1)?.trim().slice(0, 200) ?? null;
}

/**
 * Returns the warnings in the output, and a note about how much other output is not shown. That output is left out because the reports of
 * frameworks repeat the counts.
 */
function unshown(output: string, success: boolean): string[] {
  const [warnings = ''] = /^\[Warnings\][^]*?(?=\n\n|$)/.exec(output) ?? [];
  const rest = output.length - warnings.length;
  const notice =
    success || rest === 0
      ? []
      : [`(${rest} characters of output are not shown. Run one test by its name to see what it prints.)`];
  return [...(warnings === '' ? [] : ['', warnings]), ...notice];
}

function section(output: string, most = MOST_OUTPUT): string[] {
  if (output === '') return [];
  const rest = output.length - most;
  return ['', rest <= 0 ? output : `… ${rest} characters of output before\n${output.slice(-most)}`];
}
