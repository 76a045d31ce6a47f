/**
 * The table of calls (name → input, output) and events (name → payload) between the core and a page. The IPC layer, the
 * preloads and the renderer's bridge are read from it. The approval view has a table of its own: no other page can
 * reach those names (decision 39).
 */
import { alert } from './alert.ts';
import { browserCalls } from './image/browser.ts';
import { z } from 'zod';
import { activityDetail, activityEvent, auditState, takeable } from './decisions/activity.ts';
import { approvalDecision, decisionAnswer, grantedRule, shownQueue } from './decisions/approval.ts';
import { admission, clientChange, clientName, clientRecord, mintedClient } from './clients/client.ts';
import {
  clientKind,
  configuration,
  configurationChoice,
  configurationPlan,
  connectionStep,
  connectionTest,
  pluginInstallation,
  writtenConfiguration,
} from './clients/connection.ts';
import { breakpoints, debuggerCalls, debuggerEvents, openDebuggers } from './image/debugger.ts';
import { sourceLine } from './image/source-line.ts';
import {
  definitionDeviations,
  definitionDifference,
  definitionEntries,
  packageDefinitions,
  undoRecord,
} from './image/definition.ts';
import { evaluationReport, transcriptStream } from './image/evaluation.ts';
import { compilationCalls, filesCompiled } from './image/compilation.ts';
import { packageIndentation } from './image/indentation.ts';
import { hostedAgent, hostedAgentCalls, hostedAgentEvents } from './clients/hosted-agent.ts';
import { hyperspecCalls } from './hyperspec/calls.ts';
import { inspectorCalls } from './image/inspection.ts';
import { memoryCalls } from './image/observation/memory.ts';
import { coverageCalls } from './image/observation/coverage.ts';
import { profileCalls } from './image/observation/profiling.ts';
import { buildCalls } from './image/builds.ts';
import { testingCalls, testingEvents } from './image/testing.ts';
import { commandMenu } from './menu.ts';
import { filesChanged, projectCalls } from './project.ts';
import { savedImageCalls } from './image/saved-images.ts';
import { LABEL_LIMIT } from './limits.ts';
import { recordingCalls, recordingEvents } from './image/observation/recording.ts';
import { threadCalls } from './image/observation/threads.ts';
import { traceCalls, sentCalls } from './image/observation/tracing.ts';
import { nameCalls } from './image/names.ts';
import { outputCalls } from './image/output.ts';
import { replCalls, replEvents } from './image/repl.ts';
import { checkpointRecord, session } from './image/session.ts';
import { appearance, settings, settingsChange, workspace } from './settings.ts';
import { serverCalls, serverEvents, serverRecord } from './clients/server.ts';
import { systemCalls, systemLoad, systemProgress } from './image/system.ts';
import { targetCalls } from './target.ts';
import { fileText, textDifference, textEncoding } from './text/text-file.ts';
import { toolMetrics } from './clients/tool.ts';

const nothing = z.object({});

/** `trusted`: the person has said so, once per folder; until then nothing of it is loaded and no client joins. */
const projectFolder = z.object({ path: z.string(), name: z.string(), trusted: z.boolean() }).nullable();

/** All that a page needs to draw itself from nothing. */
const snapshot = z.object({
  version: z.string(),
  platform: z.string(),
  project: projectFolder,
  session,
  servers: z.array(serverRecord),
  /** Agents that the workbench runs itself. */
  hostedAgents: z.array(hostedAgent),
  clients: z.array(clientRecord),
  /** Clients without a token that wait to be let in. */
  admissions: z.array(admission),
  /** The rules that answer requests in the person's place because they said so on a card. */
  granted: z.array(grantedRule),
  metrics: z.array(toolMetrics),
  waitingApprovals: z.int().nonnegative(),
  reviewOpen: z.boolean(),
  settings,
  /** The settings of a person who never chose any. */
  defaultSettings: settings,
  workspace,
  /** The faults of stored files that were found when the program started. */
  problems: z.array(z.string()),
  /** The alerts: matters that are wrong and last. */
  alerts: z.array(alert),
  /** The newest events, oldest first. */
  activity: z.array(activityEvent),
  definitions: z.array(packageDefinitions),
  unreviewed: definitionEntries,
  deviations: definitionDeviations,
  loads: z.array(systemLoad),
  debuggers: openDebuggers,
  repls: replEvents['repls-changed'],
  images: replEvents['images-changed'],
  breakpoints,
  indentation: z.array(packageIndentation),
});

export const workbenchCalls = {
  ...debuggerCalls,
  ...inspectorCalls,
  ...outputCalls,
  ...replCalls,
  ...targetCalls,
  'app.snapshot': { input: nothing, output: snapshot },
  'app.copy': { input: z.object({ text: z.string().max(1_000_000) }), output: nothing },
  /** Pastes the clipboard where the keyboard is, as the system's key does, unless it holds just this text. */
  'app.paste': {
    input: z.object({ unless: z.string().max(1_000_000) }),
    output: z.object({ pasted: z.boolean() }),
  },
  /** How an address would be opened outside of the window: as a whole, in ASCII, and whom it leads to; null for one that is not opened. */
  'app.lookAtAddress': {
    input: z.object({ text: z.string().max(100_000) }),
    output: z.object({ opened: z.object({ address: z.string(), destination: z.string() }).nullable() }),
  },
  /** Opens an address in the person's browser or mail program, once they have seen it. It is refused unless it is as it was shown. */
  'app.openAddress': { input: z.object({ address: z.string().max(2_000) }), output: nothing },
  /** Shows the application menu at a place of the window; a chosen command comes back as `command-invoked`. */
  'app.showMenu': {
    input: z.object({ x: z.number(), y: z.number(), menus: z.array(commandMenu).max(20) }),
    output: nothing,
  },
  /** The page has drawn what it begins with: what waited for that goes on. */
  'app.drawn': { input: nothing, output: nothing },
  /** Draws all of the window larger or smaller. */
  'app.zoom': { input: z.object({ to: z.enum(['larger', 'smaller', 'actual']) }), output: nothing },
  /** Does what an alert offers. */
  'alerts.act': { input: z.object({ id: z.string(), action: z.string() }), output: nothing },
  'settings.change': { input: settingsChange, output: settings },
  /** Has the person choose a file for a setting; null when they choose none. */
  'settings.chooseFile': {
    input: z.object({ title: z.string().max(100) }),
    output: z.object({ path: z.string().nullable() }),
  },
  'workspace.keep': { input: workspace, output: nothing },
  /** Keeps the last state of a page that was told of its `closing`. */
  'workspace.keepLast': { input: workspace, output: nothing },

  'project.choose': { input: nothing, output: projectFolder },
  /** Trusts the folder that is open, for good. */
  'project.trust': { input: nothing, output: projectFolder },
  'project.open': { input: z.object({ path: z.string() }), output: projectFolder },
  'file.choose': { input: nothing, output: fileText.nullable() },
  /**
   * Reads a file in the encoding that is given, else in the one that its bytes tell. `digest`: what the file was when it was read in that
   * encoding; a file that is another since is read as its bytes tell.
   */
  'file.read': {
    input: z.object({ path: z.string(), encoding: textEncoding.optional(), digest: z.string().nullable().optional() }),
    output: fileText,
  },
  /** `digest`: what the file was when it was read; a difference on disk is refused unless `overwrite`. Null makes a new file. */
  'file.save': {
    input: z.object({
      path: z.string(),
      text: z.string(),
      digest: z.string().nullable(),
      encoding: textEncoding.default('utf-8'),
      /** The file has several kinds of line ends: a line that it has already keeps its own. Else the text is written with those it has. */
      mixedLineEnds: z.boolean().default(false),
      overwrite: z.boolean(),
    }),
    output: z.discriminatedUnion('saved', [
      z.object({ saved: z.literal(true), digest: z.string() }),
      z.object({ saved: z.literal(false), reason: z.enum(['changed-on-disk', 'deleted', 'exists']) }),
      /** The encoding cannot write a character of the text. */
      z.object({ saved: z.literal(false), reason: z.literal('unwritable'), character: z.string() }),
    ]),
  },
  /** Compares the file on disk with a text of the editor: what the text would take away from the file, and add to it. */
  'file.difference': {
    input: z.object({ path: z.string(), text: z.string(), encoding: textEncoding }),
    output: textDifference,
  },
  'file.choosePlace': { input: z.object({ name: z.string() }), output: z.object({ path: z.string().nullable() }) },

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
  'session.checkpoint': {
    input: z.object({ label: z.string().trim().min(1).max(LABEL_LIMIT) }),
    output: checkpointRecord,
  },
  /** Goes back to a checkpoint; `missing` are sentences about what did not come back with it. */
  'session.rewind': { input: z.object({ id: z.int() }), output: z.object({ missing: z.array(z.string()) }) },
  /** Definitions with `text` in their name, in any case: at most `most` of all, also where the mirror has the first alone. */
  'definitions.find': {
    input: z.object({ text: z.string().min(1).max(300), most: z.int().min(1).max(2000) }),
    output: z.array(packageDefinitions),
  },
  /** Lists the definitions made in the living image after a time. */
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
  /** Tells the text of a definition before an event of the living image, and after it. */
  'definitions.difference': { input: z.object({ event: z.int() }), output: definitionDifference },
  /** The person marks these events of the living image as reviewed, or takes that back. */
  'definitions.review': {
    input: z.object({ events: z.array(z.object({ life: z.int(), id: z.int() })).max(500), reviewed: z.boolean() }),
    output: nothing,
  },
  /** Exports the evaluated definitions as the text of a Lisp file; `missing` are names whose source text is not known. */
  'definitions.export': {
    input: z.object({ package: z.string().nullable() }),
    output: z.object({ text: z.string(), forms: z.int().nonnegative(), missing: z.array(z.string()) }),
  },

  ...browserCalls,
  ...nameCalls,
  ...hyperspecCalls,
  ...memoryCalls,
  ...profileCalls,
  ...coverageCalls,
  ...testingCalls,
  ...buildCalls,
  ...threadCalls,
  ...traceCalls,
  ...recordingCalls,
  ...savedImageCalls,
  ...compilationCalls,
  ...projectCalls,

  ...systemCalls,
  ...serverCalls,
  ...hostedAgentCalls,

  'clients.mint': { input: z.object({ name: clientName }), output: mintedClient },
  /** Lets a client in that waits, as the client of this name. */
  'clients.admit': {
    input: z.object({ id: z.string(), name: clientName, ownImage: z.boolean() }),
    output: nothing,
  },
  'clients.refuse': { input: z.object({ id: z.string() }), output: nothing },
  'clients.revoke': { input: z.object({ id: z.string() }), output: nothing },
  'clients.change': { input: clientChange, output: nothing },
  /** Writes the plugin for this installation and returns how the program installs it; null where the program has no plugins. */
  'clients.plugin': { input: z.object({ kind: clientKind }), output: pluginInstallation.nullable() },
  /** Lists the configurations to be copied or written for a client of this kind, for the one whose token is given. */
  'clients.configurations': { input: configurationChoice.omit({ way: true }), output: z.array(configuration) },
  /** Tells the change that writing a configuration would make. Nothing is written. */
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

  /** Returns the details that the rows of these calls and evaluations leave out; those that are not kept any more are missing. */
  'activity.details': {
    input: z.object({ ids: z.array(z.string()).max(5000) }),
    output: z.array(activityDetail),
  },
  /** Reads the record of this run on disk and checks its chain. */
  'activity.verify': { input: nothing, output: auditState },
  /** Lists the changes that approved calls of a client made to files since a time, newest first. */
  'activity.takeable': { input: z.object({ actor: z.string(), at: z.number() }), output: z.array(takeable) },
  /** Takes back what an approved call did to a file. */
  'activity.takeBack': {
    input: z.object({ approval: z.string() }),
    output: z.object({ restored: z.boolean(), message: z.string() }),
  },

  /**
   * Shows or hides the approval view, with `focus` so that it has the keyboard, and with `card` at that request; `denying` opens the
   * field for the reason of a denial. The page can ask for nothing else about it, and decides nothing by it.
   */
  'review.show': {
    input: z.object({
      open: z.boolean(),
      focus: z.boolean().optional(),
      card: z.string().min(1).max(64).optional(),
      denying: z.boolean().optional(),
    }),
    output: nothing,
  },
  /** A menu, palette or dialog of the page would be covered by Review: it steps aside until told otherwise. */
  'review.stepAside': { input: z.object({ aside: z.boolean() }), output: nothing },
} as const;

/** @internal Exported for recordings in tests. */
export const workbenchEvents = {
  ...debuggerEvents,
  ...replEvents,
  ...testingEvents,
  'session-changed': session,
  /**
   * New output, of each evaluation in order. `left`: characters before these that the page was not given, because it could not
   * follow.
   */
  output: z.array(
    z.object({
      evaluation: z.string().nullable(),
      stream: transcriptStream,
      text: z.string(),
      left: z.int().nonnegative(),
    }),
  ),
  'input-requested': z.object({ evaluation: z.string(), /** The id of its image. */ image: z.string() }),
  /** The person's code called INSPECT on this object. */
  'inspection-wanted': z.object({ evaluation: z.string(), handle: z.int() }),
  /** The person's code called ED: on this file, on what this name is of in CL-USER, or on neither. */
  'editing-wanted': z.object({ file: z.string().nullable(), name: z.string().nullable() }),
  'files-compiled': filesCompiled,
  'calls-traced': sentCalls,
  ...recordingEvents,
  /** New events in order; where numbers are missing the page could not follow, and may ask for them. */
  'activity-added': z.array(activityEvent),
  /** An agent's evaluation, so that the REPL can show it where the person already looks; what is long is cut. */
  'agent-evaluated': z.object({
    actor: session.shape.running.unwrap().shape.actor,
    tool: z.string(),
    code: z.string(),
    at: z.number(),
    report: evaluationReport,
  }),
  'definitions-changed': z.object({ packages: z.array(packageDefinitions), removedPackages: z.array(z.string()) }),
  /** The macros of these packages are indented otherwise than before. */
  'indentation-changed': z.object({ packages: z.array(packageIndentation), removedPackages: z.array(z.string()) }),
  /** The definitions of the living image that agents changed and the person has not looked at; of each name the latest. */
  'unreviewed-changed': definitionEntries,
  /** The definitions of the image that are not as their files have them. */
  'deviations-changed': definitionDeviations,
  'system-progress': systemProgress,
  'loads-changed': z.array(systemLoad),
  ...serverEvents,
  ...hostedAgentEvents,
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
  'files-changed': filesChanged,
  'review-changed': z.object({ open: z.boolean(), waiting: z.int().nonnegative() }),
  /** The program is about to end: what must be kept is kept now. */
  closing: nothing,
  /** The person asked for this place on a card. */
  'source-wanted': sourceLine,
  /** The person wants to see this debugger. */
  'debugger-wanted': z.object({ debugger: z.string() }),
  /** The person asked on a card for what agents evaluated in an image. */
  'protection-wanted': z.object({ image: z.string() }),
  /** A command of the native menu or of a key that main handles; the page's command table runs it. */
  'command-invoked': z.object({ command: z.string() }),
} as const;

/** The calls that the approval view's frame alone may make. */
export const approvalCalls = {
  'approval.queue': { input: nothing, output: shownQueue.extend({ appearance }) },
  'approval.decide': {
    input: z.object({ id: z.string(), fingerprint: z.string(), decision: approvalDecision }),
    output: decisionAnswer,
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
  /** Shows the debugger that this card proposes a restart in. */
  'approval.showDebugger': { input: z.object({ id: z.string() }), output: nothing },
  /** Shows what agents evaluated in the image of this card. */
  'approval.showChanges': { input: z.object({ id: z.string() }), output: nothing },
  /** Shows the Clients panel at the left: modes and rules are there. */
  'approval.showClients': { input: nothing, output: nothing },
  /** Denies all that waits and interrupts what agents run. */
  'approval.stopAgents': { input: nothing, output: nothing },
  /** No frame was drawn for a while though a card waits for one: the view is shown anew where it should be in sight. */
  'approval.showAgain': { input: nothing, output: nothing },
  'approval.close': { input: nothing, output: nothing },
} as const;

const approvalEvents = {
  'queue-changed': shownQueue,
  /** The view was moved, covered or shown again: nothing can be approved for `INERT_MS` again. */
  'view-shown': nothing,
  /** The person asked for the request after the one that is open. */
  'next-wanted': nothing,
  /** The person asked for this request in the window; with `denying` for its denial, which still is a click here. */
  'card-wanted': z.object({ id: z.string(), denying: z.boolean() }),
  'appearance-changed': appearance,
} as const;

/** Calls by name, as a preload offers them and main serves them. One that `asks` an operation of the image by name passes its answer on unchanged. */
export type CallTable = Record<string, { input: z.ZodType; output: z.ZodType }>;
export type EventTable = Record<string, z.ZodType>;

/** The typed client of a table: what a preload's `call` and `on` look like to a page. */
interface Bridge<Calls extends CallTable, Events extends EventTable> {
  call<Name extends keyof Calls & string>(
    name: Name,
    input: z.input<Calls[Name]['input']>,
  ): Promise<z.output<Calls[Name]['output']>>;
  on<Name extends keyof Events & string>(name: Name, listener: (payload: z.output<Events[Name]>) => void): () => void;
}

export type WorkbenchCalls = typeof workbenchCalls;
export type PageEvents = typeof workbenchEvents;
type ApprovalCalls = typeof approvalCalls;
export type ApprovalEvents = typeof approvalEvents;
export type WorkbenchBridge = Bridge<WorkbenchCalls, PageEvents>;
export type ApprovalBridge = Bridge<ApprovalCalls, ApprovalEvents>;
export type Snapshot = z.infer<typeof snapshot>;
export type ProjectFolder = z.infer<typeof projectFolder>;
