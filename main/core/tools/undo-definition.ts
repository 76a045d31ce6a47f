import { z } from 'zod';
import type { UndoRecord } from '#contract/definition.ts';
import type { OperationReply } from '#core/lisp/messages.ts';
import { failureOf } from './runs.ts';
import { listed } from './looking-up.ts';
import { findPackage, noPackageText } from './names.ts';
import { nearText } from './near.ts';
import { defineTool, type ToolContext, type ToolOutcome } from './tool.ts';

type DefinitionEvent = OperationReply<'definition-history'>['events'][number];

/** As many as the image undoes in one request. */
const MOST = 500;
const LISTED = 20;

interface What {
  readonly name?: string | undefined;
  readonly package?: string | undefined;
  readonly event?: number | undefined;
  readonly evaluation?: string | undefined;
}

/** P3 for clients: what they defined themselves they may take back, what somebody else did needs the person's word. */
export const undoDefinition = defineTool({
  name: 'undo_definition',
  title: 'Undo a definition',
  level: 'dangerous',
  levelOfCall: async (args, context) => {
    const { events, problem } = await eventsOf(args, context);
    if (problem !== null || args.dry_run) return 'cautious';
    return (await foreignTo(context, events)).length === 0 ? 'cautious' : 'dangerous';
  },
  description:
    'Put back what was there before a definition of the image, or take it away where nothing was: by name, by event, or all of one evaluation. Runs at once for what you defined yourself; a person is asked where it touches definitions of others. Without arguments it lists what you have defined. An undo is an event too and can be undone.',
  input: z.strictObject({
    name: z
      .string()
      .min(1)
      .optional()
      .describe('Name whose latest definition is undone, with or without a package prefix, for example "area".'),
    package: z.string().optional().describe('Package of the name, where several packages have one.'),
    event: z.int().positive().optional().describe('Number of a definition event, as this tool lists them.'),
    evaluation: z.string().min(1).optional().describe('Id of an evaluation: everything that it defined.'),
    dry_run: z.boolean().optional().describe('Only tell what would come of it.'),
  }),
  openWorld: false,
  summarize: ({ name, event, evaluation }) => name ?? (event === undefined ? (evaluation ?? 'list') : `event ${event}`),
  card: async (args, context) => {
    const { events, problem } = await eventsOf(args, context);
    if (problem !== null) throw new Error(problem);
    const foreign = await foreignTo(context, events);
    return {
      headline: `Undo ${events.length === 1 ? 'a definition' : `${events.length} definitions`}, ${foreign.length} of them not made by this client`,
      arguments: events.map((each) => ({
        name: eventName(each),
        value: `${each.operation} by ${each.actor ?? 'nobody'}`,
      })),
      editable: null,
      change: null,
      reversible: 'Reversible: an undo can be undone',
      claim: null,
      targetState: stateOf(context, events),
    };
  },
  run: async (args, context, approved) => {
    const { event, name, evaluation } = args;
    if (event === undefined && name === undefined && evaluation === undefined) return ownEvents(context);
    const { events, problem } = await eventsOf(args, context);
    if (problem !== null) return { success: false, text: problem };
    if (!args.dry_run) {
      const allowed = approved
        ? approved.targetState === stateOf(context, events)
        : (await foreignTo(context, events)).length === 0;
      if (!allowed) return { success: false, text: 'The definitions changed in the meantime. Nothing was undone.' };
    }
    return undo(context, events, args.dry_run ?? false);
  },
});

async function undo(who: ToolContext, events: readonly DefinitionEvent[], dry: boolean): Promise<ToolOutcome> {
  const { session, actor, context, call, signal } = who;
  const ids = events.map(({ id }) => id);
  const reply = await session.undoDefinitions(
    { evaluation: call, actor, context, signal },
    { events: ids, of: null, dry },
  );
  if (!reply.result) return failureOf(reply, '');
  const { undone, more } = reply.result;
  const left = more > 0 ? [`… ${more} older ones were left: call again for them`] : [];
  const failed = !dry && undone.every(({ done }) => !done);
  return {
    success: !failed,
    text: [
      listed(
        undone.map((each) => undoLine(each, dry)),
        undone.length,
      ),
      ...left,
    ].join('\n'),
  };
}

/** What the arguments mean, newest first, as the image itself knows it. */
async function eventsOf(
  { name, package: pkg, event, evaluation }: What,
  { session }: ToolContext,
): Promise<{ events: DefinitionEvent[]; problem: string | null }> {
  const history = async (fields: { name?: string; package?: string; evaluation?: string }) => {
    const asked = { package: null, name: null, evaluation: null, limit: MOST, ...fields };
    return (await session.lookUp('definition-history', asked)).events;
  };
  if ([name, event, evaluation].filter((each) => each !== undefined).length > 1)
    return none('Tool error: Give only one of name, event and evaluation.');
  if (evaluation !== undefined) {
    const events = latestOfEach(await history({ evaluation }));
    return events.length > 0
      ? { events, problem: null }
      : none(`Evaluation ${evaluation} defined nothing that is known.`);
  }
  if (event !== undefined) {
    const known = session.definitions
      .entries()
      .find((each) => each.life === session.definitions.life && each.id === event);
    const found = (await history(known ? { name: known.name } : {})).find(({ id }) => id === event);
    return found ? { events: [found], problem: null } : none(`There is no definition event ${event} in this image.`);
  }
  if (name === undefined) return none('');
  const [, prefix, bare] = /^(?:([^:|()\s]+)::?)?([\s\S]+)$/.exec(name)!;
  const given = pkg ?? prefix;
  const home = given === undefined ? null : await findPackage(session, given);
  if (given !== undefined && home === null) return none(await noPackageText(session, given));
  const events = latestOfEach(await history({ name: bare!, ...(home === null ? {} : { package: home.name }) }));
  const homes = [...new Set(events.map((each) => each.package ?? ''))];
  if (homes.length > 1) return none(`${bare} was defined in several packages: ${homes.join(', ')}. Give one.`);
  const [latest] = events;
  return latest ? { events: [latest], problem: null } : none(noSuchName(session, bare!, home?.name));
}

/** Without undos, and without what was undone: what is left is what holds, by the latest event of each name. */
function latestOfEach(events: readonly DefinitionEvent[]): DefinitionEvent[] {
  const undone = new Set<number>();
  return events.filter(({ id, undoes }) => {
    if (undoes !== null && !undone.has(id)) undone.add(undoes);
    return undoes === null && !undone.has(id);
  });
}

function none(problem: string): { events: DefinitionEvent[]; problem: string } {
  return { events: [], problem };
}

/** Those of the events that are not the caller's, or that somebody else's have changed since. */
async function foreignTo(
  { session, actor }: ToolContext,
  events: readonly DefinitionEvent[],
): Promise<DefinitionEvent[]> {
  const foreign: DefinitionEvent[] = [];
  for (const event of events) {
    const asked = { package: event.package, name: event.name, evaluation: null, limit: MOST };
    const same = (await session.lookUp('definition-history', asked)).events.filter(({ kind }) => kind === event.kind);
    const since = same.filter(({ id }) => id >= event.id);
    const within = event.kind === 'package' ? await contentsOf(session, event.name) : [];
    if ([event, ...since, ...within].some((each) => each.actor !== actor.id)) foreign.push(event);
  }
  return foreign;
}

/** A package goes with all that was defined in it. */
async function contentsOf(session: ToolContext['session'], name: string): Promise<DefinitionEvent[]> {
  const asked = { package: name, name: null, evaluation: null, limit: MOST };
  return (await session.lookUp('definition-history', asked)).events;
}

function stateOf({ session }: ToolContext, events: readonly DefinitionEvent[]): string {
  return JSON.stringify([session.id, session.definitions.life, events.map(({ id }) => id)]);
}

function ownEvents({ session, actor }: ToolContext): ToolOutcome {
  const { definitions } = session;
  const own = definitions.entries({ actor: actor.id }).filter(({ life }) => life === definitions.life);
  if (own.length === 0) return { success: true, text: 'You have defined nothing in this image.' };
  const lines = own
    .slice(0, LISTED)
    .map(
      (each) => `event ${each.id}: ${eventName(each)} ${each.operation}, evaluation ${each.evaluation ?? 'unknown'}`,
    );
  return { success: true, text: `Your definitions, newest first\n${listed(lines, own.length)}` };
}

function eventName({ kind, name, package: pkg }: Pick<DefinitionEvent, 'kind' | 'name' | 'package'>): string {
  return pkg === null ? `${kind} ${name}` : `${kind} ${name} in ${pkg}`;
}

function noSuchName(session: ToolContext['session'], name: string, pkg: string | undefined): string {
  const where = pkg === undefined ? '' : ` in ${pkg}`;
  const known = session.definitions.entries().map((each) => each.name);
  return `No definition of ${name}${where} is known that could be undone.${nearText(name, known)}`;
}

function undoLine(
  { id, name, kind, package: pkg, label, why, callers, instances, done, message, event }: UndoRecord,
  dry: boolean,
): string {
  const what = name === null ? `event ${id}` : `${kind} ${name}${pkg === null ? '' : ` in ${pkg}`} (event ${id})`;
  const state = dry ? `could be undone: ${label}` : done ? `undone: ${label}` : 'not undone';
  const facts = [
    ...(why === null ? [] : [clause(why)]),
    ...(message === null ? [] : [clause(message)]),
    ...(callers.length > 0 ? [`compiled into ${callers.join(', ')}`] : []),
    ...(instances === null ? [] : [`${instances} live instance${instances === 1 ? '' : 's'}`]),
    ...(event === null ? [] : [`undo event ${event} to have it again`]),
  ];
  return `${what}: ${[state, ...facts].join('; ')}`;
}

/** A sentence among others on one line. */
function clause(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
