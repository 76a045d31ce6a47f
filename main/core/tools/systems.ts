import { z } from 'zod';
import type { ConditionRecord } from '#contract/condition.ts';
import type { OperationReply } from '#core/lisp/messages.ts';
import type { OutputChunk } from '#core/sessions/runner.ts';
import { conditionText } from './format.ts';
import { runInTurn } from './runs.ts';
import { defineTool } from './tool.ts';

/** T18, T19, S31–S33, S45–S49; decision 15. */
export const loadSystem = defineTool({
  name: 'load_system',
  title: 'Load a system',
  level: 'cautious',
  description:
    "Load an ASDF system (with Quicklisp when the image has it) and what it depends on. Answers with the loader's output and the version that was loaded.",
  input: z.strictObject({ system: z.string().min(1).describe('Name of the system, for example "alexandria".') }),
  openWorld: true,
  summarize: ({ system }) => system,
  run: async ({ system }, { session, actor, context, call, signal }) => {
    const { reply, output } = await session.loadSystem({ evaluation: call, actor, context, system, signal });
    return { success: reply.status === 'ok', text: loadText(system, reply, output) };
  },
});

export const listSystems = defineTool({
  name: 'list_systems',
  title: 'List systems',
  level: 'safe',
  description:
    'The ASDF systems in reach: those of the project, and what is installed. No system definition is run for it.',
  input: z.strictObject({
    filter: z.string().optional().describe('Part of the name.'),
    project_only: z.boolean().optional().describe("Only the project's own."),
  }),
  openWorld: false,
  summarize: ({ filter }) => filter ?? '',
  run: async ({ filter, project_only }, { session }) => {
    const { systems } = await session.lookUp('systems', {});
    const lines = systems
      .filter(
        ({ name, origin }) => name.includes(filter?.toLowerCase() ?? '') && (!project_only || origin === 'project'),
      )
      .map(({ name, loaded, version, origin, broken }) => {
        const facts = [origin, ...(loaded ? ['loaded'] : []), ...(version === null ? [] : [`version ${version}`])];
        return `- ${name} (${facts.join(', ')})${broken === null ? '' : ` broken: ${broken}`}`;
      });
    return { success: true, text: lines.length > 0 ? lines.join('\n') : 'No system of that kind is in reach.' };
  },
});

export const describeSystem = defineTool({
  name: 'describe_system',
  title: 'Describe a system',
  level: 'safe',
  description:
    'What an ASDF system says of itself: description, version, licence, dependencies, files. Its definition is read for that.',
  input: z.strictObject({ system: z.string().min(1).describe('Name of the system.') }),
  openWorld: false,
  summarize: ({ system }) => system,
  run: ({ system }, context) =>
    runInTurn(context, 'describe-system', { name: system }, `describe ${system}`, (found) => {
      if (found.problem) return { success: false, text: `${found.problem.type}: ${found.problem.message}` };
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
    }),
});

export const runTests = defineTool({
  name: 'run_tests',
  title: 'Run tests',
  level: 'cautious',
  description:
    "Run a system's tests by ASDF. Answers with what passed and failed, where the framework can be seen (FiveAM), and the output.",
  input: z.strictObject({ system: z.string().min(1).describe('Name of the system, for example "shop/tests".') }),
  openWorld: true,
  summarize: ({ system }) => system,
  run: ({ system }, context) =>
    runInTurn(context, 'test-system', { system }, `test ${system}`, (outcome, printed) => {
      if (!outcome.hasTests)
        return { success: false, text: `The system ${outcome.name} says nothing of how to test it.` };
      const counts =
        outcome.total === null
          ? outcome.success
            ? 'The tests ended without an error.'
            : 'The tests failed.'
          : `${outcome.passed} of ${outcome.total} checks passed, ${outcome.failed} failed, ${outcome.skipped} skipped.`;
      const failures = outcome.failures.map(({ test, reason }) => `- ${test}: ${reason}`);
      return {
        success: outcome.success,
        text: [counts, ...failures, ...(printed === '' ? [] : ['', printed])].join('\n'),
      };
    }),
});

function loadText(system: string, reply: OperationReply<'load-system'>, output: readonly OutputChunk[]): string {
  if (reply.status !== 'ok') return conditionText({ ...(reply.condition ?? stopped(reply.status)), frames: [] });
  const printed = output
    .map(({ text }) => text)
    .join('')
    .trimEnd();
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
