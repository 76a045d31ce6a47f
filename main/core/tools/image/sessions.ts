/** Tools that report what is running in the image and what this connection has evaluated. */
import { plural } from '#contract/text/text.ts';
import { z } from 'zod';
import { memoryReport, threadRecord } from '#contract/image/observation/profiling.ts';
import { lackingFeature, sessionState } from '#contract/image/session.ts';
import type { Turn, TurnRequest } from '#core/sessions/scheduler/run-queue.ts';
import { connectionOf, type HistoryEntry } from '../connection/connection.ts';
import { LATE } from '../replies/format.ts';
import { printedText } from '../replies/printed-text.ts';
import { listed } from '../lookup/lookup.ts';
import { countOf } from '../lookup/names.ts';
import { defineTool, type ToolContext } from '../tool.ts';

const MOST_HISTORY = 50;
const MEGABYTE = 1024 * 1024;

const work = z.object({
  evaluation: z.string(),
  actor: z.string(),
  yours: z.boolean(),
  /** `preparing` means that the evaluation is next, but the image is still being started or checkpointed. */
  state: z.enum(['running', 'preparing', 'set aside', 'waiting']),
  /** The running code; null if it belongs to another client. */
  code: z.string().nullable(),
  seconds: z.number().nullable(),
});

const memory = z.object({
  used: z.number(),
  size: z.number(),
  gc_ms: z.number(),
  types: memoryReport.shape.types,
  total: z.int(),
});

export const listSessions = defineTool({
  name: 'list_sessions',
  title: 'The image',
  level: 'safe',
  description:
    'The image that you work in: its state, running and waiting evaluations with their ids for interrupt-evaluation; on request its threads, and its memory by type. Use it when an answer takes long or memory grows.',
  input: z.strictObject({
    threads: z.boolean().optional().describe('Also threads, with state and CPU time.'),
    memory: z.boolean().optional().describe('Also memory, by type.'),
    count: countOf(100, 30),
  }),
  output: z.object({
    threads: z.array(threadRecord.omit({ evaluation: true })).optional(),
    memory: memory.optional(),
    sessions: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        state: sessionState,
        shared: z.boolean(),
        lisp: z.string().nullable(),
        /** The features that do not work with this SBCL, and the internal names that it lacks. */
        lacking: z.array(lackingFeature),
        problem: z.string().nullable(),
        /** Name of the image's target; null for the workbench's own machine. */
        target: z.string().nullable(),
        work: z.array(work),
      }),
    ),
  }),
  openWorld: false,
  summarize: ({ threads, memory: used }) => [...(threads ? ['threads'] : []), ...(used ? ['memory'] : [])].join(', '),
  run: async ({ threads, memory: used, count }, context) => {
    const { id, name, state, lisp, lacking, problem, target } = context.session.view();
    const underway = workOf(context);
    const shared = context.shared ? 'a person works in it too' : 'no person works in it';
    const placed = target === null ? [] : [`on the target ${target}, which has its own files and programs`];
    const head = [
      `${name} (${state}), ${shared}`,
      ...placed,
      ...(lisp === null ? [] : [lisp]),
      ...(problem ? [problem] : []),
    ];
    const lines =
      underway.length > 0 ? listed(underway.map(workLine), underway.length) : 'Nothing is running or waiting.';
    const without = lacking.map(
      ({ feature, names }) => `\nDoes not work with this SBCL: ${feature} (SBCL lacks ${names.join(', ')}).`,
    );
    const [threadsPart, memoryPart] = [
      threads ? await threadsOf(context) : null,
      used ? await memoryOf(context, count) : null,
    ];
    const parts = [threadsPart, memoryPart].flatMap((part) => (part === null ? [] : [`\n\n${part.text}`]));
    return {
      success: true,
      text: `${head.join('; ')}${without.join('')}\n${lines}${parts.join('')}`,
      structured: {
        ...(threadsPart && { threads: threadsPart.told }),
        ...(memoryPart && { memory: memoryPart.told }),
        sessions: [{ id, name, state, shared: context.shared, lisp, lacking, problem, target, work: underway }],
      },
    };
  },
});

export const getReplHistory = defineTool({
  name: 'get_repl_history',
  title: 'Your history',
  level: 'safe',
  description:
    'Your evaluations on this connection, with their results, newest last. Use it to see earlier definitions or results.',
  input: z.strictObject({
    limit: z.int().min(1).max(MOST_HISTORY).default(10).describe('Maximum number.'),
  }),
  openWorld: false,
  summarize: ({ limit }) => `${limit}`,
  run: async ({ limit }, context) => {
    const { history } = connectionOf(context);
    if (history.length === 0) return { success: true, text: 'This connection has evaluated nothing yet.' };
    const late = printedText(context.session.takeLateOutput(context.connectionId));
    const shown = history.slice(-limit);
    const older = history.length - shown.length;
    const rest =
      older > 0 ? `; ${plural(older, 'older one is', 'older ones are')} stored; a limit of up to 50 shows more` : '';
    const head = `${shown.length} of ${history.length} evaluations${rest}`;
    return {
      success: true,
      text: [head, ...shown.map(entryText), ...(late === '' ? [] : [`${LATE}\n${late}`])].join('\n\n'),
    };
  },
});

export const interruptEvaluation = defineTool({
  name: 'interrupt_evaluation',
  title: 'Interrupt an evaluation',
  level: 'cautious',
  description:
    'Stop one of your evaluations; its call then answers that it was interrupted. If the code ignores it, its image is ended after a few seconds. Use it when code takes too long.',
  input: z.strictObject({
    evaluation: z.string().min(1).optional().describe('Its id. Default: your running or waiting call.'),
  }),
  openWorld: false,
  summarize: ({ evaluation }) => evaluation ?? 'its own',
  run: async ({ evaluation }, context) => {
    const own = context.session.underway.filter((each) => isOf(context, each));
    const target =
      evaluation === undefined
        ? own.find((each) => each.context === context.connectionId)
        : own.find((each) => each.evaluation === evaluation);
    const { suspended } = connectionOf(context);
    if (
      suspended &&
      suspended.call !== null &&
      [undefined, suspended.evaluation, suspended.call].includes(evaluation)
    ) {
      suspended.interrupt();
      return { success: true, text: 'Interrupted: the code that runs in the debugger' };
    }
    // A call that is not in the queue is waiting for code that the same connection runs in the debugger.
    if (!target && evaluation !== undefined && context.cancel(evaluation))
      return { success: true, text: 'Cancelled before it started.' };
    if (!target) return { success: false, text: nothingToStop(evaluation, own) };
    const begun = context.session.hasBegun(target.evaluation);
    await context.session.interrupt(target.evaluation, { holds: true });
    return { success: true, text: `${begun ? 'Interrupted' : 'Cancelled before it started'}: ${target.summary}` };
  },
});

async function memoryOf(
  { session }: ToolContext,
  limit: number,
): Promise<{ text: string; told: z.infer<typeof memory> }> {
  const { used, size, gcMs, types, total } = await session.lookUp('memory-report', { limit });
  const lines = types.map(({ type, count, bytes }) => `${(bytes / MEGABYTE).toFixed(2)} MB in ${count} ${type}`);
  const head = `[Memory] ${(used / MEGABYTE).toFixed(1)} of ${(size / MEGABYTE).toFixed(0)} MB used, ${gcMs.toFixed(0)} ms of garbage collection`;
  const text = `${head}\n${listed(lines, total, 'A count of up to 100 shows more.')}`;
  return { text, told: { used, size, gc_ms: gcMs, types, total } };
}

async function threadsOf({ session }: ToolContext) {
  const { threads } = await session.lookUp('threads', {});
  const lines = threads.map(({ id, name, state, ours, cpuMs }) => {
    const facts = [
      ...(state === null ? [] : [state]),
      ...(cpuMs === null ? [] : [`${cpuMs} ms of CPU time`]),
      ...(ours ? ["the workbench's own"] : []),
    ];
    return `${id ?? '?'} ${name ?? 'unnamed'} (${facts.join(', ')})`;
  });
  const told = threads.map(({ evaluation: _evaluation, ...rest }) => rest);
  return { text: `[Threads]\n${listed(lines, lines.length)}`, told };
}

function nothingToStop(evaluation: string | undefined, own: readonly TurnRequest[]): string {
  const others = own.map((each) => `${each.evaluation} (${each.summary})`);
  const near = others.length > 0 ? ` In progress: ${others.join(', ')}.` : '';
  return evaluation === undefined
    ? `No evaluation of this connection is running or waiting.${near}`
    : `None of your running or waiting evaluations has the id ${evaluation}.${near}`;
}

function workOf(context: ToolContext): z.infer<typeof work>[] {
  const { running, overtaken, suspended } = context.session.view();
  const runs = new Set([running?.evaluation, overtaken?.evaluation]);
  const aside = new Set(suspended.map(({ evaluation }) => evaluation));
  const held = context.session.held.busy.map(({ call, actor }) => {
    const yours = actor.id === context.actor.id;
    const code = yours ? 'in the debugger' : null;
    return { evaluation: call, actor: actor.name, yours, state: 'running', code, seconds: null } as const;
  });
  const inTurn = context.session.underway.map((each) => {
    const yours = isOf(context, each);
    const turn = context.session.hasBegun(each.evaluation) ? 'running' : 'preparing';
    const state = runs.has(each.evaluation) ? turn : aside.has(each.evaluation) ? 'set aside' : 'waiting';
    const seconds = 'startedAt' in each ? Math.round((Date.now() - (each as Turn).startedAt) / 1000) : null;
    const code = yours ? each.summary : null;
    return { evaluation: each.evaluation, actor: each.actor.name, yours, state, code, seconds } as const;
  });
  return [...held, ...inTurn];
}

/** Returns true if the same client started the evaluation, on any of its connections. */
function isOf({ actor }: ToolContext, turn: TurnRequest): boolean {
  return turn.actor.kind === 'client' && turn.actor.id === actor.id;
}

function workLine({ evaluation, actor, yours, state, code, seconds }: z.infer<typeof work>): string {
  const since = seconds === null ? '' : ` for ${seconds} s`;
  const why = state === 'preparing' ? ', after the image is started or a checkpoint is created' : '';
  return `${state}${since}${why}: ${yours ? `${code} (yours, ${evaluation})` : `an evaluation of ${actor} (${evaluation})`}`;
}

function entryText({ code, package: pkg, result }: HistoryEntry): string {
  return `${pkg === null ? '' : `[in ${pkg}] `}${code}\n; ${result.replaceAll('\n', '\n; ')}`;
}
