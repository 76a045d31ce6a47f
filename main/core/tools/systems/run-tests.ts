/** The tool that runs the tests of a system, or only the tests that failed before (T19). */
import { z } from 'zod';
import { testOutcome } from '#contract/image/system.ts';
import { endPart, replyOf } from '../replies/reply-parts.ts';
import { quiet } from '../replies/quiet-output.ts';
import { runInTurn, type RunReply } from '../runs.ts';
import { TIMEOUT } from '../timeout.ts';
import { defineTool, type ToolContext, type ToolOutcome } from '../tool.ts';
import { withNearSystems } from './near-systems.ts';
import { testsText } from './tests-text.ts';

export const runTests = defineTool({
  name: 'run_tests',
  title: 'Run tests',
  level: 'cautious',
  description:
    'Load a system and run its tests (any framework): the number of failures, then each failure. Use it after a change, also for one test or only the tests that failed before.',
  input: z.strictObject({
    system: z.string().min(1).describe('Such as "shop/tests".'),
    test: z.string().min(1).optional().describe('Only this test or suite.'),
    failed: z.boolean().optional().describe('Only the tests that failed in your last run.'),
    ...TIMEOUT,
  }),
  output: testOutcome.extend({ output: z.string() }),
  openWorld: true,
  summarize: ({ system, test, failed }) =>
    `${system}${test === undefined ? '' : ` ${test}`}${failed ? ', the failed ones' : ''}`,
  run: async ({ system, test, failed }, context) => {
    const { project } = context;
    const known = failuresOf(context);
    const key = system.toLowerCase();
    const last = known.get(key);
    const again: readonly string[] = last ?? [];
    if (failed && test === undefined && again.length === 0) return nothingAgain(system, last);
    const only = test === undefined ? (failed ? [...again] : []) : [test];
    const fields = { system, ...(only.length > 0 ? { only } : {}) };
    // The failures of this run are unknown until they are counted. Earlier failures remain known, so that they can still be run again if
    // this run is interrupted.
    if (again.length === 0) known.set(key, null);
    const about = {
      summary: `test ${system}`,
      quiet: (all: string, reply: RunReply) => quiet(all, reply, context, { failed: true }),
    };
    const done = await runInTurn(context, 'test-system', fields, about, (outcome, printed, reply) => {
      if (outcome.total !== null) {
        const names = outcome.failures.flatMap(({ test: name }) => name ?? []);
        const others = test === undefined ? [] : again.filter((each) => bare(each) !== bare(test));
        known.set(key, [...new Set([...others, ...names])]);
      }
      const structured = { ...outcome, output: printed };
      if (!outcome.hasTests) {
        const text = `The system ${outcome.name} does not define how to test it: it has no method for test-op. Give its test system, or one test as "test".`;
        return { success: false, text, structured };
      }
      const shown = quiet(printed, reply, context, { tests: true });
      const { text, success } = testsText(outcome, {
        output: shown,
        named: only.length > 0,
        display: (file) => project.display(file),
      });
      const [result, ...rest] = text.split('\n');
      const parts = [endPart(result!), ...(rest.length > 0 ? [endPart(rest.join('\n'), { gap: 1 })] : [])];
      return { success, text: replyOf(parts, context), structured: { ...structured, success } };
    });
    return withNearSystems(context, system, done.success ? done : { ...done, text: withPlaceFirst(done.text) });
  },
});

const NOT_COMPILED = /^Tool error: COMPILE-FILE-ERROR while compiling #<\S+ "([^"]*)" [^\n]*/;

/** Puts the position of the first located error at the start of the text about a failed compilation. */
function withPlaceFirst(text: string): string {
  const [, place] = NOT_COMPILED.test(text) ? (/^(\S[^\n]*:\d+:\d+: ERROR[^\n]*)\n?/m.exec(text) ?? []) : [];
  if (place === undefined) return text;
  return text
    .replace(`${place}\n`, '')
    .replace(NOT_COMPILED, (_, system: string) => `Tool error: ${system} does not compile: ${place}`)
    .replace(/\n\n\[Warnings\]\n(?=\n|$)/, '\n');
}

/** The tests that failed in the last run of each system, by system; null if that run ended before the failures were counted. */
type Failures = Map<string, readonly string[] | null>;

/** The failures in each image, by the id of the connection to which they were reported. */
const failures = new WeakMap<ToolContext['session'], Map<string, Failures>>();

/** Returns the name of a test without its package, in lower case. */
function bare(test: string): string {
  return test.replace(/^.*:/, '').toLowerCase();
}

/** Explains why there are no failed tests to run again. */
function nothingAgain(system: string, last: readonly string[] | null | undefined): ToolOutcome {
  if (last) return { success: true, text: `No test of ${system} failed in your last run, so none is run again.` };
  const why =
    last === undefined
      ? 'you have not run them on this connection'
      : 'your last run did not count them, because it ended early with an error or the framework is unknown';
  return {
    success: false,
    text: `It is not known which tests of ${system} failed: ${why}. Run them without "failed".`,
  };
}

function failuresOf({ session, connectionId }: ToolContext): Failures {
  const all = failures.get(session) ?? new Map<string, Failures>();
  failures.set(session, all);
  const own: Failures = all.get(connectionId) ?? new Map<string, readonly string[] | null>();
  all.set(connectionId, own);
  return own;
}
