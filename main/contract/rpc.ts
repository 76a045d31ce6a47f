/**
 * The table of calls (name → input, output) and events (name → payload) between the core and a page. The IPC layer, the
 * preloads and the renderer's bridge are read from it. The approval view has a table of its own: no other page can
 * reach those names (DESIGN section 9).
 */
import { alert } from './alert.ts';
import { z } from 'zod';
import { activityDetail, activityEvent, auditState, takeable } from './activity.ts';
import { approvalDecision, grantedRule, shownQueue } from './approval.ts';
import { admission, clientChange, clientName, clientRecord, mintedClient } from './client.ts';
import {
  configuration,
  configurationChoice,
  configurationPlan,
  connectionStep,
  connectionTest,
  writtenConfiguration,
} from './connection.ts';
import { sourceLine } from './debugger.ts';
import {
  definitionDeviations,
  definitionDifference,
  definitionEntries,
  packageDefinitions,
  undoRecord,
} from './definition.ts';
import { evaluationReport, outputStream, sourcePlace } from './evaluation.ts';
import { commandMenu } from './menu.ts';
import { checkpointRecord, session } from './session.ts';
import { settings, workspace } from './settings.ts';
import { systemDescription, systemLoad, systemProgress, systemRecord, testOutcome } from './system.ts';
import { toolMetrics } from './tool.ts';

const nothing = z.object({});

/** Characters of a name that the person gives a checkpoint. */
export const LABEL_LIMIT = 80;

/** A file as the editor holds it. `digest` names the bytes on disk; `lossy` when they were no valid UTF-8. */
export const fileText = z.object({ path: z.string(), text: z.string(), digest: z.string(), lossy: z.boolean() });

/** Something that is run for a system, by the page's own unique id for it. */
const systemRun = z.object({ system: z.string().min(1).max(200), evaluation: z.string().min(8).max(64) });

/** `trusted`: the person has said so, once per folder; until then nothing of it is loaded and no client joins. */
export const projectFolder = z.object({ path: z.string(), name: z.string(), trusted: z.boolean() }).nullable();

export const serverStatus = z.object({
  /** Null while the server is not listening; `problem` then says why and what to do. */
  url: z.string().nullable(),
  port: z.int().nullable(),
  problem: z.string().nullable(),
  /** Said when another port than asked for was taken: who has the first one, if it can be told. */
  notice: z.string().nullable(),
  /** Requests that were turned away since it started, and why the latest one was, at that time; null for none. */
  refused: z.object({ count: z.int(), why: z.string(), at: z.number() }).nullable(),
});

/** All that a page needs to draw itself from nothing. */
export const snapshot = z.object({
  version: z.string(),
  platform: z.string(),
  project: projectFolder,
  session,
  server: serverStatus,
  clients: z.array(clientRecord),
  /** Clients without a token that wait to be let in. */
  admissions: z.array(admission),
  /** What answers requests in the person's place because they said so on a card. */
  granted: z.array(grantedRule),
  metrics: z.array(toolMetrics),
  waitingApprovals: z.int().nonnegative(),
  reviewOpen: z.boolean(),
  settings,
  workspace,
  /** What was wrong with stored files when the program started. */
  problems: z.array(z.string()),
  /** What is wrong and lasts. */
  alerts: z.array(alert),
  /** The newest events, oldest first. */
  activity: z.array(activityEvent),
  definitions: z.array(packageDefinitions),
  unreviewed: definitionEntries,
  deviations: definitionDeviations,
  loads: z.array(systemLoad),
});

export const workbenchCalls = {
  'app.snapshot': { input: nothing, output: snapshot },
  'app.copy': { input: z.object({ text: z.string().max(1_000_000) }), output: nothing },
  /** Shows the application menu at a place of the window; a chosen command comes back as `command-invoked`. */
  'app.showMenu': {
    input: z.object({ x: z.number(), y: z.number(), menus: z.array(commandMenu).max(20) }),
    output: nothing,
  },
  /** Does what an alert offers. */
  'alerts.act': { input: z.object({ id: z.string(), action: z.string() }), output: nothing },
  'settings.change': { input: settings.partial().omit({ version: true, recentProjects: true }), output: settings },
  'workspace.keep': { input: workspace, output: nothing },

  'project.choose': { input: nothing, output: projectFolder },
  /** Trusts the folder that is open, for good. */
  'project.trust': { input: nothing, output: projectFolder },
  'project.open': { input: z.object({ path: z.string() }), output: projectFolder },
  'file.choose': { input: nothing, output: fileText.nullable() },
  'file.read': { input: z.object({ path: z.string() }), output: fileText },
  /** `digest`: what the file was when it was read; a difference on disk is refused unless `overwrite`. Null makes a new file. */
  'file.save': {
    input: z.object({ path: z.string(), text: z.string(), digest: z.string().nullable(), overwrite: z.boolean() }),
    output: z.discriminatedUnion('saved', [
      z.object({ saved: z.literal(true), digest: z.string() }),
      z.object({ saved: z.literal(false), reason: z.enum(['changed-on-disk', 'deleted', 'exists']) }),
    ]),
  },
  'file.choosePlace': { input: z.object({ name: z.string() }), output: z.object({ path: z.string().nullable() }) },

  /** Resolves when the evaluation has ended; its output arrives as `output` events. `evaluation` is the page's own unique id for it. */
  'repl.evaluate': {
    input: z.object({
      evaluation: z.string().min(8).max(64),
      code: z.string().max(4_000_000),
      package: z.string().nullable(),
      origin: z.enum(['repl', 'editor']),
      source: sourcePlace.nullable(),
    }),
    output: evaluationReport,
  },
  /** Answers an `input-requested` event; null is end of file. */
  'repl.input': { input: z.object({ evaluation: z.string(), text: z.string().nullable() }), output: nothing },
  /** Interrupts one evaluation, or whatever runs now when `evaluation` is null. */
  'session.interrupt': {
    input: z.object({ evaluation: z.string().nullable() }),
    output: z.object({ interrupted: z.boolean() }),
  },
  'session.restart': { input: nothing, output: nothing },
  /** Evaluates the person's lost definitions again and loads the lost systems. */
  'session.replay': {
    input: nothing,
    output: z.object({ replayed: z.int(), failed: z.array(z.object({ what: z.string(), message: z.string() })) }),
  },
  'session.dismissLost': { input: nothing, output: nothing },
  'session.checkpoint': {
    input: z.object({ label: z.string().trim().min(1).max(LABEL_LIMIT) }),
    output: checkpointRecord,
  },
  /** Standard reader and printer variables again for the person's REPL. */
  'session.resetReader': { input: nothing, output: nothing },
  /** Goes back to a checkpoint; `missing` are sentences about what did not come back with it. */
  'session.rewind': { input: z.object({ id: z.int() }), output: z.object({ missing: z.array(z.string()) }) },
  /** What was defined in the living image after a time. */
  'definitions.since': { input: z.object({ at: z.number() }), output: definitionEntries },
  /** Undoes events, or all of the evaluation `of`, newest first. `dry` only tells what would come of it. */
  'definitions.undo': {
    input: z.object({
      events: z.array(z.int()).min(1).max(500).nullable(),
      of: z.string().nullable(),
      dry: z.boolean(),
    }),
    output: z.object({ undone: z.array(undoRecord), more: z.int().nonnegative() }),
  },
  /** What a definition was before an event of the living image, and after it. */
  'definitions.difference': { input: z.object({ event: z.int() }), output: definitionDifference },
  /** The person has looked at these events of the living image, or takes that back. */
  'definitions.review': {
    input: z.object({ events: z.array(z.int()).max(500), reviewed: z.boolean() }),
    output: nothing,
  },
  /** What was evaluated in the image as the text of a Lisp file; `missing` are names whose source text is not known. */
  'definitions.export': {
    input: z.object({ package: z.string().nullable() }),
    output: z.object({ text: z.string(), forms: z.int().nonnegative(), missing: z.array(z.string()) }),
  },

  'systems.list': { input: nothing, output: z.object({ systems: z.array(systemRecord), quicklisp: z.boolean() }) },
  'systems.load': {
    input: systemRun,
    output: systemLoad,
  },
  /** What a system's definition says. Runs its .asd file, in turn. */
  'systems.describe': { input: systemRun, output: systemDescription },
  /** Runs a system's tests in turn; their output arrives as `output` events. */
  'systems.test': { input: systemRun, output: testOutcome },

  'clients.mint': { input: z.object({ name: clientName }), output: mintedClient },
  /** Lets a client in that waits, as the client of this name. */
  'clients.admit': {
    input: z.object({ id: z.string(), name: clientName, ownImage: z.boolean() }),
    output: nothing,
  },
  'clients.refuse': { input: z.object({ id: z.string() }), output: nothing },
  'clients.revoke': { input: z.object({ id: z.string() }), output: nothing },
  'clients.change': { input: clientChange, output: nothing },
  /** What is copied or written for a client of this kind, for the one whose token is given. */
  'clients.configurations': { input: configurationChoice.omit({ way: true }), output: z.array(configuration) },
  /** What writing it would change. Nothing is written. */
  'clients.planConfiguration': { input: configurationChoice, output: configurationPlan },
  /** Writes what the plan of this digest told, with a backup of what was there. */
  'clients.writeConfiguration': {
    input: configurationChoice.extend({ digest: z.string() }),
    output: writtenConfiguration,
  },
  /** Connects as the client would. Its steps arrive as `connection-tested` events, with the page's own id for it. */
  'clients.test': {
    input: configurationChoice.omit({ kind: true }).extend({ test: z.string().min(8).max(64) }),
    output: connectionTest,
  },
  /** Pauses every client and ends what they run; gives the ids of those that were not paused before. */
  'agents.stop': { input: nothing, output: z.object({ paused: z.array(z.string()) }) },
  /** Ends one rule that was granted on a card, or with null all of them. */
  'rules.revoke': { input: z.object({ id: z.string().nullable() }), output: nothing },

  'activity.before': {
    input: z.object({ seq: z.int(), limit: z.int().min(1).max(1000) }),
    output: z.array(activityEvent),
  },

  /** What the rows of these calls and evaluations leave out; of what is not kept any more nothing comes. */
  'activity.details': {
    input: z.object({ ids: z.array(z.string()).max(5000) }),
    output: z.array(activityDetail),
  },
  /** Reads the record of this run on disk and checks its chain. */
  'activity.verify': { input: nothing, output: auditState },
  /** What approved calls of a client did to files since a time, newest first. */
  'activity.takeable': { input: z.object({ actor: z.string(), at: z.number() }), output: z.array(takeable) },
  /** Takes back what an approved call did to a file. */
  'activity.takeBack': {
    input: z.object({ approval: z.string() }),
    output: z.object({ restored: z.boolean(), message: z.string() }),
  },

  /** Shows or hides the approval view. The page can ask for that and nothing else about it. */
  /** With `focus` it has the keyboard as well. */
  'review.show': { input: z.object({ open: z.boolean(), focus: z.boolean().optional() }), output: nothing },
  /** A menu, palette or dialog of the page would be covered by Review: it steps aside until told otherwise. */
  'review.stepAside': { input: z.object({ aside: z.boolean() }), output: nothing },
} as const;

export const workbenchEvents = {
  'session-changed': session,
  output: z.object({
    evaluation: z.string().nullable(),
    stream: z.union([outputStream, z.literal('process')]),
    text: z.string(),
  }),
  'input-requested': z.object({ evaluation: z.string() }),
  'activity-added': z.array(activityEvent),
  /** An agent's evaluation, so that the REPL can show it where the person already looks. */
  'agent-evaluated': z.object({
    actor: session.shape.running.unwrap().shape.actor,
    tool: z.string(),
    code: z.string(),
    at: z.number(),
    report: evaluationReport,
  }),
  'definitions-changed': z.object({ packages: z.array(packageDefinitions), removedPackages: z.array(z.string()) }),
  /** What agents did to definitions in the living image and the person has not looked at; of each name the latest. */
  'unreviewed-changed': definitionEntries,
  /** Which definitions of the image are not as their files have them. */
  'deviations-changed': definitionDeviations,
  'system-progress': systemProgress,
  'loads-changed': z.array(systemLoad),
  'server-changed': serverStatus,
  'clients-changed': z.array(clientRecord),
  'admissions-changed': z.array(admission),
  'connection-tested': z.object({ test: z.string(), steps: z.array(connectionStep) }),
  'granted-changed': z.array(grantedRule),
  'metrics-changed': z.array(toolMetrics),
  /** The key that main handles stopped all agents; `paused` are those that were not paused before. */
  'agents-stopped': z.object({ paused: z.array(z.string()) }),
  'alerts-changed': z.array(alert),
  'settings-changed': settings,
  'project-changed': projectFolder,
  'review-changed': z.object({ open: z.boolean(), waiting: z.int().nonnegative() }),
  /** The program is about to end: what must be kept is kept now. */
  closing: nothing,
  /** The person asked for this place on a card. */
  'source-wanted': sourceLine,
  /** A command of the native menu or of a key that main handles; the page's command table runs it. */
  'command-invoked': z.object({ command: z.string() }),
} as const;

/** Only the approval view's frame may call these. */
export const approvalCalls = {
  'approval.queue': { input: nothing, output: shownQueue.extend({ theme: settings.shape.theme }) },
  'approval.decide': {
    input: z.object({ id: z.string(), fingerprint: z.string(), decision: approvalDecision }),
    /** `stale`: the target or the card changed since it was drawn; nothing ran. */
    output: z.object({
      accepted: z.boolean(),
      reason: z.enum(['accepted', 'stale', 'too-soon', 'gone', 'invalid']),
      message: z.string().nullable(),
    }),
  },
  /** Stops the deadline while the person edits, and starts it again. */
  'approval.editing': { input: z.object({ id: z.string(), editing: z.boolean() }), output: nothing },
  /** Takes back an approved write, move or delete of a file. `texts`: the file was changed after it, so nothing was done. */
  'approval.undo': {
    input: z.object({ id: z.string() }),
    output: z.object({
      restored: z.boolean(),
      message: z.string(),
      texts: z
        .object({ before: z.string().nullable(), written: z.string().nullable(), now: z.string().nullable() })
        .nullable(),
    }),
  },
  /** Shows the source of a frame of this card in the editor. The place is the card's own, never the page's word. */
  'approval.showSource': { input: z.object({ id: z.string(), frame: z.int().nonnegative() }), output: nothing },
  /** Shows the Clients panel at the left: modes and rules are there. */
  'approval.showClients': { input: nothing, output: nothing },
  /** Denies all that waits and interrupts what agents run. */
  'approval.stopAgents': { input: nothing, output: nothing },
  'approval.close': { input: nothing, output: nothing },
} as const;

export const approvalEvents = {
  'queue-changed': shownQueue,
  /** The view was moved, covered or shown again: the 700 ms begin anew. */
  'view-shown': nothing,
  /** The person asked for the request after the one that is open. */
  'next-wanted': nothing,
  'theme-changed': z.object({ theme: settings.shape.theme }),
} as const;

type CallTable = Record<string, { input: z.ZodType; output: z.ZodType }>;
type EventTable = Record<string, z.ZodType>;

/** The typed client of a table: what a preload's `call` and `on` look like to a page. */
export interface Bridge<Calls extends CallTable, Events extends EventTable> {
  call<Name extends keyof Calls & string>(
    name: Name,
    input: z.input<Calls[Name]['input']>,
  ): Promise<z.output<Calls[Name]['output']>>;
  on<Name extends keyof Events & string>(name: Name, listener: (payload: z.output<Events[Name]>) => void): () => void;
}

export type WorkbenchCalls = typeof workbenchCalls;
export type WorkbenchEvents = typeof workbenchEvents;
export type ApprovalCalls = typeof approvalCalls;
export type ApprovalEvents = typeof approvalEvents;
export type WorkbenchBridge = Bridge<WorkbenchCalls, WorkbenchEvents>;
export type ApprovalBridge = Bridge<ApprovalCalls, ApprovalEvents>;
export type Snapshot = z.infer<typeof snapshot>;
export type ServerStatus = z.infer<typeof serverStatus>;
export type FileText = z.infer<typeof fileText>;
export type ProjectFolder = z.infer<typeof projectFolder>;
