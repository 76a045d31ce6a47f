import { z } from 'zod';
import type { ConditionRecord } from '#contract/condition.ts';
import { systemRecord, testOutcome } from '#contract/system.ts';
import type { OperationReply } from '#core/lisp/messages.ts';
import type { OutputChunk } from '#core/sessions/runner.ts';
import { conditionText, toolErrorText } from './format.ts';
import { listed } from './looking-up.ts';
import { countOf, startOf } from './names.ts';
import { nearText } from './near.ts';
import { printedText, runInTurn } from './runs.ts';
import { defineTool, type ToolContext, type ToolOutcome } from './tool.ts';

/** Conditions about a system that is not there: what was loaded before says nothing of it. */
const NOT_FOUND = /MISSING-COMPONENT|SYSTEM-NOT-FOUND/;

/** T18, T19, S31–S33, S45–S49; decision 15. */
export const loadSystem = defineTool({
  name: 'load_system',
  title: 'Load a system',
  level: 'cautious',
  description:
    "Load an ASDF system (with Quicklisp when the image has it) and what it depends on. Answers with the loader's output and the version that was loaded. Use it before you work with the code of a system or a library.",
  input: z.strictObject({ system: z.string().min(1).describe('Name of the system, for example "alexandria".') }),
  openWorld: true,
  summarize: ({ system }) => system,
  run: async ({ system }, { session, actor, context, call, signal }) => {
    const { reply, output } = await session.loadSystem({ evaluation: call, actor, context, system, signal });
    return { success: reply.status === 'ok', text: loadText(system, reply, output) };
  },
});

const systemOutput = systemRecord.pick({ name: true, origin: true, loaded: true, version: true, broken: true });

export const listSystems = defineTool({
  name: 'list_systems',
  title: 'List systems',
  level: 'safe',
  description:
    'The ASDF systems in reach: those of the project, and what is installed. No system definition is run for it. Use it to find the name of a system to load or to test.',
  input: z.strictObject({
    filter: z.string().optional().describe('Part of the name.'),
    project_only: z.boolean().optional().describe("Only the project's own."),
    start: startOf,
    count: countOf(1000, 200),
  }),
  output: z.object({ systems: z.array(systemOutput), total: z.int(), start: z.int() }),
  openWorld: false,
  summarize: ({ filter }) => filter ?? '',
  run: async ({ filter, project_only, start, count }, { session }) => {
    const { systems } = await session.lookUp('systems', {});
    const found = systems.filter(
      ({ name, origin }) => name.includes(filter?.toLowerCase() ?? '') && (!project_only || origin === 'project'),
    );
    const shown = found
      .slice(start, start + count)
      .map(({ name, origin, loaded, version, broken }) => ({ name, origin, loaded, version, broken }));
    const structured = { systems: shown, total: found.length, start };
    if (shown.length === 0) {
      const none =
        found.length === 0
          ? 'No system of that kind is in reach.'
          : `There are ${found.length} and none from ${start} on.`;
      return { success: true, text: none, structured };
    }
    const rest = `Call again with start ${start + shown.length}.`;
    return { success: true, text: listed(shown.map(systemLine), found.length - start, rest), structured };
  },
});

export const describeSystem = defineTool({
  name: 'describe_system',
  title: 'Describe a system',
  level: 'safe',
  description:
    'What an ASDF system says of itself: description, version, licence, dependencies, files. Its definition is read for that. Use it to see what a system needs and which files it has.',
  input: z.strictObject({ system: z.string().min(1).describe('Name of the system.') }),
  openWorld: false,
  summarize: ({ system }) => system,
  run: async ({ system }, context) => {
    const outcome = await runInTurn(context, 'describe-system', { name: system }, `describe ${system}`, (found) => {
      if (found.problem) return { success: false, text: toolErrorText(found.problem) };
      const facts: [string, string | null][] = [
        ['Description', found.description ?? found.longName],
        ['Version', found.version],
        ['Author', found.author],
        ['Licence', found.license],
        ['Homepage', found.homepage],
        ['Depends on', found.dependsOn.join(', ') || null],
        ['Defined in', found.file],
        ['Loaded', found.loaded ? 'yes' : 'no'],
        [
          'Files',
          found.components
            .filter(({ kind }) => kind === 'file')
            .map(({ name }) => name)
            .join(', ') || null,
        ],
      ];
      const lines = facts.flatMap(([label, value]) => (value === null ? [] : [`${label}: ${value}`]));
      return [found.name, ...lines].join('\n');
    });
    return withNearSystems(context, system, outcome);
  },
});

export const runTests = defineTool({
  name: 'run_tests',
  title: 'Run tests',
  level: 'cautious',
  description:
    "Run a system's tests by ASDF. Answers with what passed and failed, where the framework can be seen (FiveAM), and the output. Use it after a change.",
  input: z.strictObject({ system: z.string().min(1).describe('Name of the system, for example "shop/tests".') }),
  output: testOutcome.extend({ output: z.string() }),
  openWorld: true,
  summarize: ({ system }) => system,
  run: async ({ system }, context) => {
    const done = await runInTurn(context, 'test-system', { system }, `test ${system}`, (outcome, printed) => {
      const structured = { ...outcome, output: printed };
      if (!outcome.hasTests) {
        const text = `The system ${outcome.name} says nothing of how to test it.`;
        return { success: false, text, structured };
      }
      const counts =
        outcome.total === null
          ? outcome.success
            ? 'The tests ended without an error. They were not counted: read in the output how they went.'
            : 'The tests failed.'
          : `${outcome.passed} of ${outcome.total} checks passed, ${outcome.failed} failed, ${outcome.skipped} skipped.`;
      const failures = outcome.failures.map(({ test, reason }) => `- ${test}: ${reason}`);
      return {
        success: outcome.success,
        text: [counts, ...failures, ...(printed === '' ? [] : ['', printed])].join('\n'),
        structured,
      };
    });
    return withNearSystems(context, system, done);
  },
});

function systemLine({ name, origin, loaded, version, broken }: z.output<typeof systemOutput>): string {
  const facts = [origin, ...(loaded ? ['loaded'] : []), ...(version === null ? [] : [`version ${version}`])];
  return `${name} (${facts.join(', ')})${broken === null ? '' : ` broken: ${broken}`}`;
}

/** A failure about a system that is not there gets the names of near ones. */
async function withNearSystems({ session }: ToolContext, name: string, outcome: ToolOutcome): Promise<ToolOutcome> {
  if (outcome.success) return outcome;
  const { systems } = await session.lookUp('systems', {});
  const names = systems.map((each) => each.name);
  return names.includes(name.toLowerCase())
    ? outcome
    : { ...outcome, text: `${outcome.text.replace(/\.$/, '')}.${nearText(name, names)}` };
}

function loadText(system: string, reply: OperationReply<'load-system'>, output: readonly OutputChunk[]): string {
  const printed = printedText(output);
  if (reply.status !== 'ok') {
    const condition = reply.condition ?? stopped(reply.status);
    const said = conditionText({ ...condition, frames: [] });
    // S48: the condition of a failed compilation names the file alone; what is wrong with it, the compiler wrote.
    return printed === '' || NOT_FOUND.test(condition.type) ? said : `${said}\n\n[Output]\n${printed}`;
  }
  const version = reply.result?.version == null ? '' : ` (version ${reply.result.version})`;
  return [
    `Loading system: ${system}`,
    ...(printed === '' ? [] : [printed]),
    `Loaded: ${reply.result?.name ?? system}${version}`,
  ].join('\n');
}

function stopped(status: OperationReply<'load-system'>['status']): ConditionRecord {
  return {
    type: 'SB-SYS:INTERACTIVE-INTERRUPT',
    message: `Loading ended (${status}) before the system was loaded.`,
    frames: [],
    phase: 'limit',
    offset: null,
  };
}
