/** The tools that list, describe and load systems (T18, S31–S33, S45–S49). */
import { z } from 'zod';
import type { ConditionRecord } from '#contract/image/condition.ts';
import { systemRecord } from '#contract/image/system.ts';
import type { OperationReply } from '#core/lisp/messages.ts';
import type { OutputChunk } from '#core/sessions/scheduler/output-chunk.ts';
import { conditionText, toolErrorText } from '../replies/format.ts';
import { listed } from '../lookup/lookup.ts';
import { countOf, startOf } from '../lookup/names.ts';
import { staleUsers } from '../definitions/stale-users.ts';
import { nearNames } from '../evaluation/near-names.ts';
import { outputSection, printedText } from '../replies/printed-text.ts';
import { endPart, outputParts, replyOf } from '../replies/reply-parts.ts';
import { quiet } from '../replies/quiet-output.ts';
import { withNearSystems } from './near-systems.ts';
import { runInTurn } from '../runs.ts';
import { connectionOf } from '../connection/connection.ts';
import { TIMEOUT } from '../timeout.ts';
import { defineTool, type ToolContext, type ToolOutcome } from '../tool.ts';

/** Matches the types of conditions about a missing system. The output of earlier steps of the load does not explain such a condition. */
const NOT_FOUND = /MISSING-COMPONENT|SYSTEM-NOT-FOUND/;

/**
 * The tool `load_system`: returns the loader's output, and the version of the system or the condition (T18, T19, S31–S33, S45–S49; decision
 * 15).
 */
export const loadSystem = defineTool({
  name: 'load_system',
  title: 'Load a system',
  level: 'cautious',
  description:
    'Load an ASDF system; missing libraries are installed after approval. Answers with the version, or why it failed.',
  input: z.strictObject({
    system: z.string().min(1).describe('Such as "alexandria".'),
    install: z.boolean().optional().describe('Default: true.'),
    ...TIMEOUT,
  }),
  openWorld: true,
  summarize: ({ system }) => system,
  run: async ({ system, install = true }, who) => {
    const { session, actor, connectionId, call, signal } = who;
    await connectionOf(who).idleInDebugger(signal);
    const { reply, output } = await session.loadSystem({
      evaluation: call,
      actor,
      context: connectionId,
      system,
      install,
      signal,
    });
    const hint = reply.condition ? await nearNames(who, reply.condition) : '';
    const text = [loadText(system, reply, output, who, hint), ...(await staleUsers(who))].join('\n');
    return { success: reply.status === 'ok', text };
  },
});

const systemOutput = systemRecord.pick({ name: true, origin: true, loaded: true, version: true, broken: true });

export const listSystems = defineTool({
  name: 'list_systems',
  title: 'List systems',
  level: 'safe',
  description:
    'The ASDF systems that can be loaded, of the project and installed; or one of them with its dependencies, version and files, after reading its definition. Use it before load-system or run-tests if you do not know the name.',
  input: z.strictObject({
    system: z.string().min(1).optional().describe('Name of a system to describe.'),
    filter: z.string().optional().describe('Part of the name.'),
    project_only: z.boolean().optional().describe('Only the systems of the project.'),
    start: startOf,
    count: countOf(1000, 200),
  }),
  output: z.object({
    systems: z.array(systemOutput).optional(),
    total: z.int().optional(),
    start: z.int().optional(),
    /** The definition of the requested system. */
    facts: z.array(z.object({ label: z.string(), value: z.string() })).optional(),
  }),
  openWorld: false,
  summarize: ({ system, filter }) => system ?? filter ?? '',
  run: async ({ system, filter, project_only, start, count }, context) => {
    if (system !== undefined) return describeSystem(system, context);
    const { session, connectionId } = context;
    const { systems } = await session.lookUp('systems', { context: connectionId });
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
          ? 'No matching systems found.'
          : `There are only ${found.length}, so there is nothing to show from ${start} on.`;
      return { success: true, text: none, structured };
    }
    const rest = `Call again with start ${start + shown.length}.`;
    return { success: true, text: listed(shown.map(systemLine), found.length - start, rest), structured };
  },
});

/** Returns the contents of a system's definition. To get them, the image must read the definition. */
async function describeSystem(system: string, context: ToolContext): Promise<ToolOutcome> {
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
    const known = facts.flatMap(([label, value]) => (value === null ? [] : [{ label, value }]));
    const lines = known.map(({ label, value }) => `${label}: ${value}`);
    return { success: true, text: [found.name, ...lines].join('\n'), structured: { facts: known } };
  });
  return withNearSystems(context, system, outcome);
}

function systemLine({ name, origin, loaded, version, broken }: z.output<typeof systemOutput>): string {
  const facts = [origin, ...(loaded ? ['loaded'] : []), ...(version === null ? [] : [`version ${version}`])];
  return `${name} (${facts.join(', ')})${broken === null ? '' : ` broken: ${broken}`}`;
}

function loadText(
  system: string,
  reply: OperationReply<'load-system'>,
  output: readonly OutputChunk[],
  context: ToolContext,
  hint: string,
): string {
  // Warnings are taken from the whole output. Only the remaining output is cut.
  const printed = quiet(printedText(output), reply, context, { failed: reply.status !== 'ok' });
  if (reply.status !== 'ok') {
    const condition = reply.condition ?? stopped(reply.status);
    const said = conditionText({
      ...condition,
      message: hint === '' ? condition.message : `${condition.message}\n${hint}`,
      frames: [],
    });
    // The condition of a failed compilation names only the file; the compiler's output explains the fault (S48).
    const isShown = printed !== '' && !NOT_FOUND.test(condition.type);
    return replyOf([endPart(said), ...(isShown ? outputParts(outputSection(printed)) : [])], context);
  }
  const version = reply.result?.version == null ? '' : ` (version ${reply.result.version})`;
  const installed = reply.result?.installed ?? [];
  return replyOf(
    [
      endPart(`Loading system: ${system}`),
      ...(installed.length > 0 ? [endPart(`Installed: ${installed.join(', ')}`, { gap: 1 })] : []),
      ...outputParts(printed).map((part, index) => (index === 0 ? { ...part, gap: 1 as const } : part)),
      endPart(`Loaded: ${reply.result?.name ?? system}${version}`, { gap: 1 }),
    ],
    context,
  );
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
