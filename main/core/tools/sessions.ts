/** What runs in the image and what this connection has evaluated. */
import { z } from 'zod';
import { lackingFeature, sessionState } from '#contract/session.ts';
import type { Turn, TurnRequest } from '#core/sessions/turns.ts';
import { connectionOf, type HistoryEntry } from './connection.ts';
import { listed } from './looking-up.ts';
import { defineTool, type ToolContext } from './tool.ts';

const MOST_HISTORY = 50;

const work = z.object({
  evaluation: z.string(),
  actor: z.string(),
  yours: z.boolean(),
  state: z.enum(['running', 'set aside', 'waiting']),
  /** Null where it is somebody else's code. */
  code: z.string().nullable(),
  seconds: z.number().nullable(),
});

export const listSessions = defineTool({
  name: 'list_sessions',
  title: 'List sessions',
  level: 'safe',
  description:
    'The image that you work in: its state, what runs in it and what waits for its turn. Use it when an answer takes long, or to get the id of an evaluation of yours for interrupt-evaluation.',
  input: z.strictObject({}),
  output: z.object({
    sessions: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        state: sessionState,
        shared: z.boolean(),
        lisp: z.string().nullable(),
        /** What does not work with this SBCL, and the internals that it lacks. */
        lacking: z.array(lackingFeature),
        problem: z.string().nullable(),
        work: z.array(work),
      }),
    ),
  }),
  openWorld: false,
  summarize: () => '',
  run: async (_args, context) => {
    const { id, name, state, lisp, lacking, problem } = context.session.view();
    const underway = workOf(context);
    const shared = context.shared ? 'a person works in it too' : 'no person works in it';
    const head = [`${name} (${state}), ${shared}`, ...(lisp === null ? [] : [lisp]), ...(problem ? [problem] : [])];
    const lines = underway.length > 0 ? listed(underway.map(workLine), underway.length) : 'Nothing runs or waits.';
    const without = lacking.map(
      ({ feature, names }) => `\nDoes not work with this SBCL: ${feature} (it lacks ${names.join(', ')}).`,
    );
    return {
      success: true,
      text: `${head.join('; ')}${without.join('')}\n${lines}`,
      structured: { sessions: [{ id, name, state, shared: context.shared, lisp, lacking, problem, work: underway }] },
    };
  },
});

export const getReplHistory = defineTool({
  name: 'get_repl_history',
  title: 'Your history',
  level: 'safe',
  description:
    'What this connection has evaluated, with the results, newest last. Use it to see again what you defined or found out. The entries of the person and of other clients are not among them.',
  input: z.strictObject({
    limit: z
      .int()
      .min(1)
      .max(MOST_HISTORY)
      .default(10)
      .describe(`At most so many; 10 when left out, ${MOST_HISTORY} at most.`),
  }),
  openWorld: false,
  summarize: ({ limit }) => `${limit}`,
  run: async ({ limit }, context) => {
    const { history } = connectionOf(context);
    if (history.length === 0) return { success: true, text: 'This connection has evaluated nothing yet.' };
    const shown = history.slice(-limit);
    const older = history.length - shown.length;
    const rest =
      older > 0 ? `; ${older} older ${older === 1 ? 'one is' : 'ones are'} kept, a limit of up to 50 shows more` : '';
    const head = `${shown.length} of ${history.length} evaluations${rest}`;
    return { success: true, text: [head, ...shown.map(entryText)].join('\n\n') };
  },
});

export const interruptEvaluation = defineTool({
  name: 'interrupt_evaluation',
  title: 'Interrupt an evaluation',
  level: 'cautious',
  description:
    'Stop an evaluation of yours that takes too long; its own call then answers that it was interrupted. Code that cannot be interrupted is ended with its image after a few seconds. What the person or another client runs cannot be stopped with it.',
  input: z.strictObject({
    evaluation: z
      .string()
      .min(1)
      .optional()
      .describe('Id as list-sessions tells it. Left out: what this connection runs, else what it has waiting.'),
  }),
  openWorld: false,
  summarize: ({ evaluation }) => evaluation ?? 'its own',
  run: async ({ evaluation }, context) => {
    const own = context.session.underway.filter((each) => isOf(context, each));
    const target =
      evaluation === undefined
        ? own.find((each) => each.context === context.context)
        : own.find((each) => each.evaluation === evaluation);
    const { held } = connectionOf(context);
    if (held?.busy && (evaluation ?? held.evaluation) === held.evaluation) {
      held.interrupt();
      return { success: true, text: 'Interrupted: what runs in the debugger' };
    }
    if (!target) return { success: false, text: nothingToStop(evaluation, own) };
    await context.session.interrupt(target.evaluation);
    return { success: true, text: `Interrupted: ${target.summary}` };
  },
});

function nothingToStop(evaluation: string | undefined, own: readonly TurnRequest[]): string {
  const others = own.map((each) => `${each.evaluation} (${each.summary})`);
  const near = others.length > 0 ? ` Under way are: ${others.join(', ')}.` : '';
  return evaluation === undefined
    ? `Nothing of this connection runs or waits.${near}`
    : `No evaluation of yours with the id ${evaluation} runs or waits.${near}`;
}

function workOf(context: ToolContext): z.infer<typeof work>[] {
  const { running, parked } = context.session.view();
  const aside = new Set(parked.map(({ evaluation }) => evaluation));
  return context.session.underway.map((each) => {
    const yours = isOf(context, each);
    const state =
      each.evaluation === running?.evaluation ? 'running' : aside.has(each.evaluation) ? 'set aside' : 'waiting';
    const seconds = 'startedAt' in each ? Math.round((Date.now() - (each as Turn).startedAt) / 1000) : null;
    const code = yours ? each.summary : null;
    return { evaluation: each.evaluation, actor: each.actor.name, yours, state, code, seconds };
  });
}

/** Whether the same client started it, in whatever connection. */
function isOf({ actor }: ToolContext, turn: TurnRequest): boolean {
  return turn.actor.kind === 'client' && turn.actor.id === actor.id;
}

function workLine({ evaluation, actor, yours, state, code, seconds }: z.infer<typeof work>): string {
  const since = seconds === null ? '' : ` for ${seconds} s`;
  return `${state}${since}: ${yours ? `${code} (yours, ${evaluation})` : `something of ${actor} (${evaluation})`}`;
}

function entryText({ code, package: pkg, result }: HistoryEntry): string {
  return `${pkg === null ? '' : `[in ${pkg}] `}${code}\n; ${result.replaceAll('\n', '\n; ')}`;
}
