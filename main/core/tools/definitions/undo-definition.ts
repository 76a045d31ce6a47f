/** The tool that restores the state before a definition, an event or a whole evaluation (P3). */
import { connectionOf } from '../connection/connection.ts';
import { plural } from '#contract/text/text.ts';
import { z } from 'zod';
import type { UndoRecord } from '#contract/image/definition.ts';
import { failureOf } from '../runs.ts';
import { listed } from '../lookup/lookup.ts';
import { findPackage, noPackageText } from '../lookup/names.ts';
import { suggestionText } from '#core/base/suggestions.ts';
import { latestOfEach, ownDefinitions, type DefinitionEvent } from './own-definitions.ts';
import { defineTool, type ToolContext, type ToolOutcome } from '../tool.ts';

/** The maximum number of events that the image undoes in one request. */
const MOST = 500;
/** The maximum number of events, and of loads, that are listed. */
const LISTED = 8;
/** The maximum number of names that are shown for each load. */
const NAMED = 5;
/** A limit that is larger than the number of events that the image stores, so that all are returned. */
const MOST_KEPT = 10_000;

interface What {
  readonly symbol?: string | undefined;
  readonly package?: string | undefined;
  readonly event?: number | undefined;
  readonly evaluation?: string | undefined;
}

/**
 * The tool `undo_definition`. A client may undo its own definitions freely, and other actors' definitions with the person's approval (P3).
 */
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
    'Undo a definition in the image: restores the previous one. By symbol, event or evaluation; without arguments it lists what you defined. Your own definitions are undone at once, others after approval. Use it if a change was wrong; an undo can be undone.',
  input: z.strictObject({
    symbol: z.string().min(1).optional().describe('Its latest definition is undone.'),
    package: z.string().optional().describe('Default: any package with the symbol.'),
    event: z.int().positive().optional().describe('Number from the list.'),
    evaluation: z.string().min(1).optional().describe('Id: undoes all its definitions.'),
    dry_run: z.boolean().optional().describe('Only report the effect.'),
  }),
  openWorld: false,
  summarize: ({ symbol, event, evaluation }) =>
    symbol ?? (event === undefined ? (evaluation ?? 'list') : `event ${event}`),
  card: async (args, context) => {
    const { events, problem } = await eventsOf(args, context);
    if (problem !== null) throw new Error(problem);
    const foreign = await foreignTo(context, events);
    return {
      headline: `Undo ${events.length === 1 ? 'a definition' : `${events.length} definitions`}, ${foreign.length} of them not by this client`,
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
    const { event, symbol, evaluation } = args;
    if (event === undefined && symbol === undefined && evaluation === undefined) return ownEvents(context);
    const { events, problem } = await eventsOf(args, context);
    if (problem !== null) return { success: false, text: problem };
    if (!args.dry_run) {
      const allowed = approved
        ? approved.targetState === stateOf(context, events)
        : (await foreignTo(context, events)).length === 0;
      if (!allowed)
        return { success: false, text: 'The definitions have changed in the meantime, so nothing was undone.' };
    }
    return undo(context, events, args.dry_run ?? false);
  },
});

async function undo(who: ToolContext, events: readonly DefinitionEvent[], dry: boolean): Promise<ToolOutcome> {
  const { session, actor, connectionId, call, signal } = who;
  await connectionOf(who).idleInDebugger(signal);
  const ids = events.map(({ id }) => id);
  const reply = await session.undoDefinitions(
    { evaluation: call, actor, context: connectionId, signal },
    { events: ids, of: null, dry },
  );
  if (!reply.result) return failureOf(reply, '', who);
  const { undone, more } = reply.result;
  const left = more > 0 ? [`… ${more} older definitions remain: call again to undo them`] : [];
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

/** Returns the events that the arguments designate, newest first. Uses the history in the image. */
async function eventsOf(
  { symbol: name, package: pkg, event, evaluation }: What,
  { session }: ToolContext,
): Promise<{ events: DefinitionEvent[]; problem: string | null }> {
  const history = async (fields: { name?: string; package?: string; evaluation?: string; limit?: number }) => {
    const asked = { package: null, name: null, evaluation: null, limit: MOST, ...fields };
    return (await session.lookUp('definition-history', asked)).events;
  };
  if ([name, event, evaluation].filter((each) => each !== undefined).length > 1)
    return none('Tool error: Give only one of symbol, event and evaluation.');
  if (evaluation !== undefined) {
    const all = await history({ evaluation });
    const events = latestOfEach(all);
    if (events.length > 0) return { events, problem: null };
    const isSame = all.length > 0 && all.every(({ unchanged }) => unchanged);
    return none(
      isSame
        ? `Evaluation ${evaluation} had no effect: its definitions were the same before.`
        : `Evaluation ${evaluation} has no known definitions.`,
    );
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
  const within = home === null ? {} : { package: home.name };
  const all = await history({ name: bare!, ...within });
  const events = latestOfEach(all);
  const homes = [...new Set(events.map((each) => each.package ?? ''))];
  if (homes.length > 1)
    return none(`${bare} was defined in several packages: ${homes.join(', ')}. Specify one of them.`);
  const noSuchName = async (wanted: string, where: { package?: string }): Promise<string> => {
    const known = latestOfEach(await history({ ...where, limit: MOST_KEPT })).map((each) => each.name);
    const place = where.package === undefined ? '' : ` in ${where.package}`;
    return `No definition of ${wanted}${place} is recorded, so nothing can be undone.${suggestionText(wanted, known)}`;
  };
  const [latest] = events;
  return latest
    ? { events: [latest], problem: null }
    : none(
        all.length === 0
          ? await noSuchName(bare!, within)
          : all.every(({ unchanged }) => unchanged)
            ? `The recorded definitions of ${all[0]!.name} had no effect: it was the same before.`
            : `Every recorded definition of ${all[0]!.name} is already undone.`,
      );
}

function none(problem: string): { events: DefinitionEvent[]; problem: string } {
  return { events: [], problem };
}

/** Returns the events that another actor caused, or whose definitions another actor has changed since. */
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

/** Returns the definitions in a package. They are needed because undoing the package removes them too. */
async function contentsOf(session: ToolContext['session'], name: string): Promise<DefinitionEvent[]> {
  const asked = { package: name, name: null, evaluation: null, limit: MOST };
  return (await session.lookUp('definition-history', asked)).events;
}

function stateOf({ session }: ToolContext, events: readonly DefinitionEvent[]): string {
  return JSON.stringify([session.id, session.definitions.life, events.map(({ id }) => id)]);
}

/** Returns the client's events. Uses the history in the image, because the window's list leaves out definitions from a system. */
async function ownEvents({ session, actor, project }: ToolContext): Promise<ToolOutcome> {
  const asked = { package: null, name: null, evaluation: null, limit: MOST_KEPT };
  const { events } = await session.lookUp('definition-history', asked);
  const { evaluated, loaded, libraries } = ownDefinitions(events, actor.id, project.root);
  if (evaluated.length + loaded.length + libraries === 0)
    return { success: true, text: 'You have defined nothing in this image.' };
  const lines = evaluated
    .slice(0, LISTED)
    .map(
      (each) => `event ${each.id}: ${eventName(each)} ${each.operation}, evaluation ${each.evaluation ?? 'unknown'}`,
    );
  return {
    success: true,
    text: [
      evaluated.length > 0
        ? `Your definitions, newest first\n${listed(lines, evaluated.length)}`
        : 'You have not evaluated any definitions in this image.',
      ...loadedText(loaded),
      ...(libraries > 0 ? [`${libraries} more come from libraries that you loaded; they are not listed.`] : []),
    ].join('\n'),
  };
}

/**
 * Returns a line for each load of project files. A line for each event would be too much, because one load may define hundreds of things.
 */
function loadedText(loaded: readonly DefinitionEvent[]): string[] {
  const loads = [...new Set(loaded.map(({ evaluation }) => evaluation))].map((evaluation) => {
    const events = loaded.filter((each) => each.evaluation === evaluation);
    const all = [...new Set(events.map(({ name }) => name))];
    const names = all.slice(0, NAMED);
    const rest = all.length - names.length;
    return `evaluation ${evaluation ?? 'unknown'}: ${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
  });
  if (loads.length === 0) return [];
  return [`From files of the project that you loaded, by load`, listed(loads.slice(0, LISTED), loads.length)];
}

function eventName({ kind, name, package: pkg }: Pick<DefinitionEvent, 'kind' | 'name' | 'package'>): string {
  return pkg === null ? `${kind} ${name}` : `${kind} ${name} in ${pkg}`;
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
    ...(instances === null ? [] : [plural(instances, 'live instance')]),
    ...(event === null ? [] : [`undo event ${event} to restore it`]),
  ];
  return `${what}: ${[state, ...facts].join('; ')}`;
}

/** Returns a sentence without its final period, so that it can be joined with others on one line. */
function clause(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
