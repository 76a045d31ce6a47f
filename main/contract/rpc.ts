/**
 * The table of calls (name → input, output) and events (name → payload) between the core and a page. The IPC layer, the preloads and the
 * renderer's bridge are derived from it. The approval view has its own table, and other pages cannot make its calls (decision 39).
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
import { libraryCalls, libraryEvents } from './libraries.ts';
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

/**
 * The open folder. `trusted` is true once the person has trusted the folder. Until then, no code in the folder is loaded, and no client can
 * connect.
 */
const projectFolder = z.object({ path: z.string(), name: z.string(), trusted: z.boolean() }).nullable();

/** The complete state that a page needs for its first drawing. */
const snapshot = z.object({
  version: z.string(),
  platform: z.string(),
  project: projectFolder,
  session,
  servers: z.array(serverRecord),
  /** The agents that the workbench itself runs. */
  hostedAgents: z.array(hostedAgent),
  clients: z.array(clientRecord),
  /** Clients without a token that wait to be admitted. */
  admissions: z.array(admission),
  /** The rules that were granted on cards and now answer requests instead of the person. */
  granted: z.array(grantedRule),
  metrics: z.array(toolMetrics),
  waitingApprovals: z.int().nonnegative(),
  reviewOpen: z.boolean(),
  settings,
  /** The default settings, which apply until the person changes them. */
  defaultSettings: settings,
  workspace,
  /** The problems with stored files that were found at the start of the program. */
  problems: z.array(z.string()),
  /** The current alerts: problems that persist. */
  alerts: z.array(alert),
  /** The newest events of the activity, oldest first. */
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
  ...libraryCalls,
  ...outputCalls,
  ...replCalls,
  ...targetCalls,
  'app.snapshot': { input: nothing, output: snapshot },
  'app.copy': { input: z.object({ text: z.string().max(1_000_000) }), output: nothing },
  /**
   * Pastes the clipboard at the keyboard focus, like the system's shortcut. Does nothing if the clipboard contains exactly the text
   * `unless`.
   */
  'app.paste': {
    input: z.object({ unless: z.string().max(1_000_000) }),
    output: z.object({ pasted: z.boolean() }),
  },
  /**
   * Returns how an address would be opened outside the window: the complete address in ASCII, and the section of it that shows where it
   * leads. Returns null if the address must not be opened.
   */
  'app.lookAtAddress': {
    input: z.object({ text: z.string().max(100_000) }),
    output: z.object({ opened: z.object({ address: z.string(), destination: z.string() }).nullable() }),
  },
  /**
   * Opens an address in the person's browser or mail program after they have seen it. Fails unless the address is exactly the displayed
   * one.
   */
  'app.openAddress': { input: z.object({ address: z.string().max(2_000) }), output: nothing },
  /** Shows the application menu at a position in the window. The chosen command is sent back as `command-invoked`. */
  'app.showMenu': {
    input: z.object({ x: z.number(), y: z.number(), menus: z.array(commandMenu).max(20) }),
    output: nothing,
  },
  /** Reports that the page has drawn its first content. Work that was delayed until then can start. */
  'app.drawn': { input: nothing, output: nothing },
  /** Changes the zoom of the whole window. */
  'app.zoom': { input: z.object({ to: z.enum(['larger', 'smaller', 'actual']) }), output: nothing },
  /** Runs an action that an alert offers. */
  'alerts.act': { input: z.object({ id: z.string(), action: z.string() }), output: nothing },
  'settings.change': { input: settingsChange, output: settings },
  /** Lets the person choose a file for a setting. Returns null if they cancel. */
  'settings.chooseFile': {
    input: z.object({ title: z.string().max(100) }),
    output: z.object({ path: z.string().nullable() }),
  },
  'workspace.keep': { input: workspace, output: nothing },
  /** Stores the page's final state. The page calls this after a `closing` event. */
  'workspace.keepLast': { input: workspace, output: nothing },

  'project.choose': { input: nothing, output: projectFolder },
  /** Trusts the open folder permanently. */
  'project.trust': { input: nothing, output: projectFolder },
  'project.open': { input: z.object({ path: z.string() }), output: projectFolder },
  'file.choose': { input: nothing, output: fileText.nullable() },
  /**
   * Reads a file in the given encoding or, without one, in the encoding detected from its bytes. `digest` is the digest that the file had
   * when the given encoding was chosen. If the file has changed since, the encoding is detected again.
   */
  'file.read': {
    input: z.object({ path: z.string(), encoding: textEncoding.optional(), digest: z.string().nullable().optional() }),
    output: fileText,
  },
  /**
   * Saves a file. `digest` is the file's digest when it was read; null creates a new file. If the file on disk has another digest, saving
   * is refused unless `overwrite` is set.
   */
  'file.save': {
    input: z.object({
      path: z.string(),
      text: z.string(),
      digest: z.string().nullable(),
      encoding: textEncoding.default('utf-8'),
      /**
       * True if the file has several kinds of line ends. Existing lines then keep their line ends; otherwise the whole text is written with
       * one kind.
       */
      mixedLineEnds: z.boolean().default(false),
      overwrite: z.boolean(),
    }),
    output: z.discriminatedUnion('saved', [
      z.object({ saved: z.literal(true), digest: z.string() }),
      z.object({ saved: z.literal(false), reason: z.enum(['changed-on-disk', 'deleted', 'exists']) }),
      /** The encoding cannot represent a character of the text. */
      z.object({ saved: z.literal(false), reason: z.literal('unwritable'), character: z.string() }),
    ]),
  },
  /** Compares the file on disk with the editor's text. Returns the lines that saving would remove and add. */
  'file.difference': {
    input: z.object({ path: z.string(), text: z.string(), encoding: textEncoding }),
    output: textDifference,
  },
  'file.choosePlace': { input: z.object({ name: z.string() }), output: z.object({ path: z.string().nullable() }) },

  /** Interrupts the given evaluation, or the running one if `evaluation` is null. */
  'session.interrupt': {
    input: z.object({ evaluation: z.string().nullable() }),
    output: z.object({ interrupted: z.boolean() }),
  },
  'session.restart': { input: nothing, output: nothing },
  /** Reevaluates the person's lost definitions and reloads the lost systems. */
  'session.replay': {
    input: nothing,
    output: z.object({ replayed: z.int(), failed: z.array(z.object({ what: z.string(), message: z.string() })) }),
  },
  'session.checkpoint': {
    input: z.object({ label: z.string().trim().min(1).max(LABEL_LIMIT) }),
    output: checkpointRecord,
  },
  /** Restores a checkpoint. `missing` contains sentences about what could not be restored. */
  'session.rewind': { input: z.object({ id: z.int() }), output: z.object({ missing: z.array(z.string()) }) },
  /**
   * Finds at most `most` definitions whose name contains `text`, case-insensitive. Also finds definitions that the mirror does not list
   * because their package is too large.
   */
  'definitions.find': {
    input: z.object({ text: z.string().min(1).max(300), most: z.int().min(1).max(2000) }),
    output: z.array(packageDefinitions),
  },
  /** Lists the definitions that were created in the running image after a time. */
  'definitions.since': { input: z.object({ at: z.number() }), output: definitionEntries },
  /** Undoes the given events, or all events of the evaluation `of`, newest first. With `dry`, only reports what would happen. */
  'definitions.undo': {
    input: z.object({
      events: z.array(z.int()).min(1).max(500).nullable(),
      of: z.string().nullable(),
      dry: z.boolean(),
    }),
    output: z.object({ undone: z.array(undoRecord), more: z.int().nonnegative() }),
  },
  /** Returns the text of a definition before and after an event of the running image. */
  'definitions.difference': { input: z.object({ event: z.int() }), output: definitionDifference },
  /** Marks these events of the running image as reviewed by the person, or removes that mark. */
  'definitions.review': {
    input: z.object({ events: z.array(z.object({ life: z.int(), id: z.int() })).max(500), reviewed: z.boolean() }),
    output: nothing,
  },
  /** Exports the evaluated definitions as the text of a Lisp file. `missing` contains the names whose source text is unknown. */
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
  /** Admits a waiting client under the given name. */
  'clients.admit': {
    input: z.object({ id: z.string(), name: clientName, ownImage: z.boolean() }),
    output: nothing,
  },
  'clients.refuse': { input: z.object({ id: z.string() }), output: nothing },
  'clients.revoke': { input: z.object({ id: z.string() }), output: nothing },
  'clients.change': { input: clientChange, output: nothing },
  /**
   * Writes the plugin for this installation, and returns how to install it in the client's program. Returns null if the program has no
   * plugins.
   */
  'clients.plugin': { input: z.object({ kind: clientKind }), output: pluginInstallation.nullable() },
  /** Lists the configurations, to copy or to write, for a client of this kind with this token. */
  'clients.configurations': { input: configurationChoice.omit({ way: true }), output: z.array(configuration) },
  /** Returns the changes that writing a configuration would make, without writing anything. */
  'clients.planConfiguration': { input: configurationChoice, output: configurationPlan },
  /** Makes a backup of the file, and writes the changes of the plan with this digest. */
  'clients.writeConfiguration': {
    input: configurationChoice.extend({ digest: z.string() }),
    output: writtenConfiguration,
  },
  /**
   * Tests the connection by connecting the way the client would. The steps arrive as `connection-tested` events, with an id that the page
   * has chosen.
   */
  'clients.test': {
    input: configurationChoice.omit({ kind: true }).extend({ test: z.string().min(8).max(64) }),
    output: connectionTest,
  },
  /** Pauses every client and interrupts the clients' running code. Returns the ids of the clients that were not paused before. */
  'agents.stop': { input: nothing, output: z.object({ paused: z.array(z.string()) }) },
  /** Ends a rule that was granted on a card; null ends all rules. */
  'rules.revoke': { input: z.object({ id: z.string().nullable() }), output: nothing },

  'activity.before': {
    input: z.object({ seq: z.int(), limit: z.int().min(1).max(1000) }),
    output: z.array(activityEvent),
  },

  /** Returns the details that the rows of these calls and evaluations leave out. Details that are no longer stored are omitted. */
  'activity.details': {
    input: z.object({ ids: z.array(z.string()).max(5000) }),
    output: z.array(activityDetail),
  },
  /** Reads this run's audit from disk and checks its chain. */
  'activity.verify': { input: nothing, output: auditState },
  /** Lists the revertible file changes by a client's approved calls since a time, newest first. */
  'activity.takeable': { input: z.object({ actor: z.string(), at: z.number() }), output: z.array(takeable) },
  /** Reverts the file change of an approved call. */
  'activity.takeBack': {
    input: z.object({ approval: z.string() }),
    output: z.object({ restored: z.boolean(), message: z.string() }),
  },

  /**
   * Shows or hides the approval view. `focus` gives the view the keyboard focus, `card` opens that request, and `denying` opens the field
   * for the reason of a denial. The page has no other control over the view, and cannot make a decision with this call.
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
  /** Moves Review aside while a menu, palette or dialog of the page is open, because Review would cover it. */
  'review.stepAside': { input: z.object({ aside: z.boolean() }), output: nothing },
} as const;

/** @internal Exported for recordings in tests. */
export const workbenchEvents = {
  ...debuggerEvents,
  ...libraryEvents,
  ...replEvents,
  ...testingEvents,
  'session-changed': session,
  /** New output, in order for each evaluation. `left`: the number of earlier characters that were dropped because the page was too slow. */
  output: z.array(
    z.object({
      evaluation: z.string().nullable(),
      stream: transcriptStream,
      text: z.string(),
      left: z.int().nonnegative(),
    }),
  ),
  'input-requested': z.object({ evaluation: z.string(), /** The id of the image. */ image: z.string() }),
  /** The person's code called INSPECT on this object. */
  'inspection-wanted': z.object({ evaluation: z.string(), handle: z.int() }),
  /** The person's code called ED: with this file, with this name as read in CL-USER, or without an argument. */
  'editing-wanted': z.object({ file: z.string().nullable(), name: z.string().nullable() }),
  'files-compiled': filesCompiled,
  'calls-traced': sentCalls,
  ...recordingEvents,
  /** New events, in order. If there is a gap in their numbers, the page was too slow; it can request the missing events. */
  'activity-added': z.array(activityEvent),
  /** An agent's evaluation, which the REPL shows to the person; long texts are cut. */
  'agent-evaluated': z.object({
    actor: session.shape.running.unwrap().shape.actor,
    tool: z.string(),
    code: z.string(),
    at: z.number(),
    report: evaluationReport,
  }),
  'definitions-changed': z.object({ packages: z.array(packageDefinitions), removedPackages: z.array(z.string()) }),
  /** The indentation of the macros in these packages has changed. */
  'indentation-changed': z.object({ packages: z.array(packageIndentation), removedPackages: z.array(z.string()) }),
  /**
   * The definitions in the running image that agents changed and the person has not reviewed. Contains only the latest event for each name.
   */
  'unreviewed-changed': definitionEntries,
  /** The definitions of the image that differ from their files. */
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
  /** All agents were stopped by the global shortcut, which main handles. `paused` contains those that were not paused before. */
  'agents-stopped': z.object({ paused: z.array(z.string()) }),
  'alerts-changed': z.array(alert),
  'settings-changed': settings,
  'project-changed': projectFolder,
  'files-changed': filesChanged,
  'review-changed': z.object({ open: z.boolean(), waiting: z.int().nonnegative() }),
  /** The program is about to end; the page must save its state now. */
  closing: nothing,
  /** The person asked on a card to see this source location. */
  'source-wanted': sourceLine,
  /** The person asked to see this debugger. */
  'debugger-wanted': z.object({ debugger: z.string() }),
  /** The person asked on a card to see the evaluations of agents in an image. */
  'protection-wanted': z.object({ image: z.string() }),
  /** A command from the native menu, or from a shortcut that main handles; the page's command table runs it. */
  'command-invoked': z.object({ command: z.string() }),
} as const;

/** The calls that only the frame of the approval view may make. */
export const approvalCalls = {
  'approval.queue': { input: nothing, output: shownQueue.extend({ appearance }) },
  'approval.decide': {
    input: z.object({ id: z.string(), fingerprint: z.string(), decision: approvalDecision }),
    output: decisionAnswer,
  },
  /** Stops the clock of the deadline while the person edits, and restarts it afterwards. */
  'approval.editing': { input: z.object({ id: z.string(), editing: z.boolean() }), output: nothing },
  /**
   * Reverts an approved write, move or deletion of a file. If the file was changed later, reverts nothing and returns the differing texts
   * as `texts`.
   */
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
  /** Shows the source of one of this card's frames in the editor. The location comes from the card itself, never from the page. */
  'approval.showSource': { input: z.object({ id: z.string(), frame: z.int().nonnegative() }), output: nothing },
  /** Shows the debugger for which this card proposes a restart. */
  'approval.showDebugger': { input: z.object({ id: z.string() }), output: nothing },
  /** Shows the evaluations of agents in this card's image. */
  'approval.showChanges': { input: z.object({ id: z.string() }), output: nothing },
  /** Shows the Clients panel on the left, which contains modes and rules. */
  'approval.showClients': { input: nothing, output: nothing },
  /** Denies all waiting requests and interrupts all evaluations of agents. */
  'approval.stopAgents': { input: nothing, output: nothing },
  /**
   * Reports that a card is waiting, but that no frame has been drawn for a while. If the view should be visible, it is then shown again.
   */
  'approval.showAgain': { input: nothing, output: nothing },
  'approval.close': { input: nothing, output: nothing },
} as const;

const approvalEvents = {
  'queue-changed': shownQueue,
  /** The view was moved, covered or shown again. Approving is therefore disabled for another `INERT_MS`. */
  'view-shown': nothing,
  /** The person asked to see the request after the open one. */
  'next-wanted': nothing,
  /**
   * The person asked in the window to see this request. With `denying`, they want to deny it, but must still confirm that with a click in
   * this view.
   */
  'card-wanted': z.object({ id: z.string(), denying: z.boolean() }),
  'appearance-changed': appearance,
} as const;

/**
 * A table of calls by name, as a preload exposes them and main serves them. A call with `asks` names an operation of the image, and returns
 * the image's reply unchanged.
 */
export type CallTable = Record<string, { input: z.ZodType; output: z.ZodType }>;
export type EventTable = Record<string, z.ZodType>;

/** The typed interface to a table: the type of a preload's `call` and `on` in a page. */
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
