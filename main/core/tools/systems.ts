import { z } from 'zod';
import type { ConditionRecord } from '#contract/condition.ts';
import type { OperationReply } from '#core/lisp/messages.ts';
import type { OutputChunk } from '#core/sessions/runner.ts';
import { conditionText } from './format.ts';
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
