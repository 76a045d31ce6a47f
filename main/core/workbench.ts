/** The composition root: builds the parts, joins them, and takes them down again in one dispose(). */
import { existsSync } from 'node:fs';
import { totalmem } from 'node:os';
import path from 'node:path';
import type { AuditState, Takeable } from '#contract/activity.ts';
import type { EvaluationReport } from '#contract/evaluation.ts';
import type { SourcePlace } from '#contract/evaluation.ts';
import { PERSON, type Actor } from '#contract/session.ts';
import { settings as settingsSchema, type Settings } from '#contract/settings.ts';
import { Agents } from './agents.ts';
import { Audit } from './activity/audit.ts';
import { ActivityDetails } from './activity/details.ts';
import { publishFacts } from './activity/facts.ts';
import { installObservability, type ToolMetrics } from './activity/observability.ts';
import { pastEffects } from './activity/past-effects.ts';
import { ActivityStream } from './activity/stream.ts';
import { EffectDesk } from './approvals/effects.ts';
import { ApprovalQueue } from './approvals/queue.ts';
import { ApprovalRecords } from './approvals/records.ts';
import { RuleBook } from './approvals/rules.ts';
import { standingRules } from './approvals/standing-rules.ts';
import { Alerts } from './alerts.ts';
import { Admissions } from './clients/admissions.ts';
import { Clients } from './clients/clients.ts';
import { createDoorHost } from './door-host.ts';
import { Emitter } from './emitter.ts';
import { WorkbenchError } from './error.ts';
import { ensureRuntime, type Runtime } from './lisp/runtime.ts';
import { findSbcl } from './lisp/sbcl.ts';
import type { WallPlaces } from './lisp/wall.ts';
import type { OpenBuffer } from './project/buffers.ts';
import { Trust } from './project/trust.ts';
import { KeptFiles, type Restored } from './project/kept-files.ts';
import { Project } from './project/project.ts';
import type { DoorHost } from './servers/door.ts';
import { USUAL_RATE, type Rate } from './servers/rate.ts';
import { DefinitionList } from './sessions/definitions.ts';
import { summarize, summarizeReport } from './sessions/report.ts';
import type { Session } from './sessions/session.ts';
import { Sessions } from './sessions/sessions.ts';
import { SystemLoads } from './sessions/system-loads.ts';
import { Document, type Kept } from './settings/document.ts';
import type { Places } from './settings/places.ts';
import { Executor } from './tools/execute.ts';
import type { ToolOutcome } from './tools/tool.ts';

export interface WorkbenchOptions {
  readonly version: string;
  readonly places: Places;
  readonly project: Project;
  /** The SBCL that was asked for, null for the one that is found. */
  readonly sbcl: string | null;
  /** The engine's sources. */
  readonly sources: string;
  /** A person works in the same image (the desktop); their clients and settings are kept. */
  readonly shared: boolean;
  readonly environment: NodeJS.ProcessEnv;
  /** What takes the place of asking about effects of agents' code, where nobody can be asked. */
  readonly effects?: 'allow' | 'deny';
  /** How often each client may ask; the usual when left out. */
  readonly rate?: Rate;
  /** What the person has open in an editor. */
  readonly buffers?: () => readonly OpenBuffer[];
  /** A Lisp file that each image loads before anything else. */
  readonly initFile?: string | null;
  /** Images run in the sandbox whatever the settings say. */
  readonly sandbox?: boolean;
}

interface WorkbenchEvents {
  'agent-evaluated': { actor: Actor; tool: string; code: string; at: number; report: EvaluationReport };
  'settings-changed': Settings;
  'project-changed': Project;
}

const UNTRUSTED =
  'No client joins until the person trusts the folder in the window. Nothing was run. Ask them, and try again later.';
const AUDIT_DAYS = 90;
/** What was found wrong with the audit, in one alert. */
const LISTED_FINDINGS = 5;
const MEGABYTE = 1024 * 1024;

export class Workbench {
  readonly events = new Emitter<WorkbenchEvents>();
  readonly sessions: Sessions;
  /** The image that everybody shares by default. */
  readonly session: Session;
  readonly definitions: DefinitionList;
  readonly loads: SystemLoads;
  readonly activity = new ActivityStream();
  readonly approvals: ApprovalQueue<ToolOutcome>;
  /** What answers in the person's place, and what of it they can take back. */
  readonly rules: RuleBook;
  readonly clients: Clients;
  /** Clients without a token that wait to be let in. */
  readonly admissions: Admissions;
  readonly executor: Executor;
  /** What files were before approved changes. */
  readonly kept: KeptFiles;
  readonly agents: Agents;
  /** What the rows of the activity leave out. */
  readonly details: ActivityDetails;
  readonly metrics: ReadonlyMap<string, Readonly<ToolMetrics>>;
  readonly settings: Document<typeof settingsSchema>;
  /** What doors see of the workbench. */
  readonly door: DoorHost;
  /** What is wrong and lasts. */
  readonly alerts = new Alerts();
  readonly #options: WorkbenchOptions;
  readonly #audit: Audit;
  readonly #records: ApprovalRecords;
  readonly #trust: Trust;
  #project: Project;
  /** Nobody can tell from the damaged settings whether the sandbox is wanted; null when that is known. */
  #sandboxUnknown: string | null = null;
  /** What the person decided about it where their settings cannot be changed. */
  #sandboxForRun: boolean | null = null;
  #runtime: Runtime | null = null;

  constructor(options: WorkbenchOptions) {
    const { places, environment, shared } = options;
    this.#options = options;
    this.#project = options.project;
    const initial = settingsSchema.parse({ version: 1 });
    this.settings = new Document({
      file: shared ? path.join(places.config, 'settings.json') : null,
      schema: settingsSchema,
      initial,
      title: 'Your settings',
      salvage: 'fields of any version',
      reserve: true,
    });
    this.#trust = new Trust(shared ? places.config : null);
    this.clients = new Clients(shared ? places.config : null);
    this.admissions = new Admissions(this.clients, () => this.settings.value.approvalMinutes);
    this.#audit = new Audit(path.join(places.state, 'audit'), AUDIT_DAYS);
    this.sessions = new Sessions('workbench', {
      runtime: () => this.#findRuntime(),
      // A project that was deleted meanwhile is no place to start in.
      directory: () =>
        this.#project.root !== null && existsSync(this.#project.root) ? this.#project.root : places.state,
      environment,
      heapMegabytes: heapMegabytes(),
      checkpoints: shared,
      effects: 'ask',
      ...(shared ? { trusted: () => this.trusted } : {}),
      worlds: path.join(places.state, 'worlds'),
      initFile: options.initFile ?? null,
      wall: () => this.#wall(),
    });
    this.session = this.sessions.main;
    this.definitions = new DefinitionList(this.session);
    this.#records = new ApprovalRecords(shared ? path.join(places.state, 'approvals.json') : null);
    this.approvals = new ApprovalQueue({
      minutes: () => this.settings.value.approvalMinutes,
      unrecorded: () => this.#audit.failure,
      records: this.#records,
    });
    this.rules = new RuleBook(() => standingRules(places, this.#project, this.settings.value.writableFolders));
    this.kept = new KeptFiles(shared ? path.join(places.state, 'kept') : null);
    const effects = new EffectDesk<ToolOutcome>({
      approvals: this.approvals,
      rules: this.rules,
      project: () => this.#project,
      actorOf: (id) => this.clients.actor(id),
      policyOf: (actor) => this.agents.policyOf(actor),
      tell: ({ kind, evaluation, ...effect }) =>
        this.activity.publish({ kind: 'effect', effect: kind, evaluation, parent: evaluation, ...effect }),
      alarm: (id, why) => void this.clients.pause(id, why),
      done: { success: true, text: 'Approved.' },
    });
    for (const session of this.sessions.all) effects.watch(session);
    this.sessions.events.on('opened', (session) => effects.watch(session));
    this.executor = new Executor({
      asked: (effect) => effects.asks(effect),
      approvals: this.approvals,
      project: () => this.#project,
      rules: this.rules,
      kept: this.kept,
      buffers: () => options.buffers?.() ?? [],
    });
    this.activity.events.on('added', (event) => this.#audit.append(event));
    this.#raiseAlerts();
    this.loads = new SystemLoads(this.session, this.executor);
    this.details = new ActivityDetails(this.executor);
    // A call's own row stands before the rows of what it did.
    this.metrics = installObservability(this.executor, this.activity);
    publishFacts(this.activity, this);
    this.executor.hooks.push((phase, tool, _args, _result, { actor }, outcome) => {
      if (phase === 'before' || !outcome?.evaluation) return;
      const { report, code } = outcome.evaluation;
      this.events.emit('agent-evaluated', { actor, tool: tool.name, code, at: Date.now(), report });
    });
    this.agents = new Agents({
      clients: this.clients,
      approvals: this.approvals,
      rules: this.rules,
      executor: this.executor,
      sessions: this.sessions,
      shared,
      effects: options.effects ?? 'ask',
      effectsOf: (call) => pastEffects(path.join(places.state, 'audit'), call),
      untrusted: () => (this.trusted ? null : `${this.#project.root} is not trusted. ${UNTRUSTED}`),
    });
    const { clients, sessions, definitions, approvals, rules, executor, agents, activity, events } = this;
    this.door = createDoorHost({
      clients,
      sessions,
      definitions,
      approvals,
      rules,
      executor,
      agents,
      activity,
      events,
      version: options.version,
      rate: options.rate ?? USUAL_RATE,
      effects: options.effects ?? 'ask',
      project: () => this.#project,
      sandboxed: () => {
        const { pid, sandbox } = this.session.view();
        return pid === null ? this.#wantsSandbox : sandbox !== null;
      },
    });
  }

  get version(): string {
    return this.#options.version;
  }

  get project(): Project {
    return this.#project;
  }

  /** Whether things of the project's folder may be loaded, and clients join. */
  get trusted(): boolean {
    return this.#trust.has(this.#project);
  }

  /** The person trusts the folder that is open, for good. */
  async trustProject(): Promise<void> {
    await this.#trust.add(this.#project);
    for (const session of this.sessions.all) session.tell('trust-project', { trusted: true });
    this.events.emit('project-changed', this.#project);
  }

  /** What is wrong with stored files; said once at start. What lasts is in `alerts`. */
  get problems(): string[] {
    const problems = this.#documents.map(([, { problem }]) => problem);
    return [...problems.filter((problem) => problem !== null), ...this.#audit.notices];
  }

  /** Walks the audit of all runs in the background; what is wrong with it becomes an alert. */
  checkAudit(): Promise<void> {
    return this.#audit.check();
  }

  async openProject(folder: string): Promise<Project> {
    this.#project = await Project.open(folder);
    const root = this.#project.root!;
    for (const session of this.sessions.all) session.tell('trust-project', { trusted: this.trusted });
    const recentProjects = [root, ...this.settings.value.recentProjects.filter((other) => other !== root)].slice(0, 12);
    this.events.emit('project-changed', this.#project);
    await this.changeSettings({ recentProjects }).catch(() => {}); // a list that could not be kept hinders nobody
    return this.#project;
  }

  async changeSettings(change: Partial<Settings>): Promise<Settings> {
    const settings = settingsSchema.parse({ ...this.settings.value, ...change });
    await this.settings.keep(settings);
    if (change.sandbox !== undefined) {
      this.#sandboxForRun = null;
      this.#sandboxKnown();
    }
    this.events.emit('settings-changed', settings);
    return settings;
  }

  /** An evaluation at the person's own REPL or editor. */
  async evaluateAsPerson(request: {
    evaluation: string;
    code: string;
    package: string | null;
    origin: 'repl' | 'editor';
    source: SourcePlace | null;
  }): Promise<EvaluationReport> {
    const { evaluation, code, origin } = request;
    const session = this.session.id;
    this.activity.publish({
      kind: 'evaluation-started',
      actor: PERSON,
      session,
      evaluation,
      code: summarize(code),
      origin,
    });
    this.details.began(evaluation, code, request.package ?? this.session.view().package);
    const started = performance.now();
    const { report } = await this.session.evaluate({
      ...request,
      actor: PERSON,
      context: PERSON.id,
      interactive: true,
    });
    this.details.ended(report);
    this.activity.publish({
      kind: 'evaluation-finished',
      actor: PERSON,
      session,
      evaluation,
      status: report.status,
      summary: summarizeReport(report),
      tookMs: performance.now() - started,
    });
    return report;
  }

  /** How the record on disk stands; reads what this run has written. */
  verifyAudit(): Promise<AuditState> {
    return this.#audit.verify();
  }

  /** What approved calls of a client did to files since a time, newest first. */
  takeable(actor: string, at: number): Promise<Takeable[]> {
    return this.kept.since(actor, at, (file) => this.#project.display(file));
  }

  /** Takes back an approved write, move or delete of a file. @throws WorkbenchError `not-found` when nothing of it is kept. */
  async takeBack(approval: string): Promise<Restored> {
    const restored = await this.kept.restore(approval);
    if (restored.restored) this.approvals.setUndo(approval, null);
    const { restored: success, message: summary } = restored;
    this.activity.publish({ kind: 'approval-undone', actor: PERSON, approval, success, summary });
    return restored;
  }

  /** Puts what the program before left open before the person again. */
  async resume(): Promise<void> {
    await this.agents.restore(await this.#records.take());
  }

  async dispose(): Promise<void> {
    this.approvals.dispose();
    this.admissions.dispose();
    await this.sessions.dispose();
    await this.settings.settled();
    await Promise.all([this.#records, this.kept, this.#trust, this.clients].map((each) => each.settled()));
    this.#audit.close();
  }

  get #documents(): (readonly [string, Kept])[] {
    const documents = [
      ['settings', this.settings],
      ['clients', this.clients.kept],
      ['approvals', this.#records.kept],
      ['kept-files', this.kept.list],
      ['trust', this.#trust.kept],
    ] as const;
    return documents.flatMap(([id, kept]) => (kept === null ? [] : [[id, kept] as const]));
  }

  #raiseAlerts(): void {
    for (const [id, kept] of this.#documents) this.alerts.watch(id, kept);
    const tellAudit = (): void => {
      const { alerts } = this.#audit;
      this.alerts.set('audit', alerts.find(({ passing }) => passing)?.text ?? null);
      const lasting = alerts.filter(({ passing }) => !passing).map(({ text }) => text);
      const shown = lasting.slice(0, LISTED_FINDINGS).join(' ');
      const more = lasting.length > LISTED_FINDINGS ? ` And ${lasting.length - LISTED_FINDINGS} more.` : '';
      const seen = { title: 'Seen', run: () => this.#audit.saw(lasting) };
      this.alerts.set('audit-seen', lasting.length === 0 ? null : shown + more, { seen });
    };
    tellAudit();
    this.#audit.events.on('changed', tellAudit);
    if (this.settings.knows('sandbox') || this.#options.sandbox === true) return;
    this.#sandboxUnknown = `Whether the image is wanted in the sandbox cannot be known (${this.settings.problem}), so none is started before you decide.`;
    const decide = async (sandbox: boolean): Promise<void> => {
      this.#sandboxForRun = sandbox;
      this.#sandboxKnown();
      await this.changeSettings({ sandbox }).catch(() => {}); // then it holds for this run
      await this.session.start();
    };
    this.alerts.set('sandbox', this.#sandboxUnknown, {
      on: { title: 'Start in the sandbox', run: () => decide(true) },
      off: { title: 'Start without', run: () => decide(false) },
    });
  }

  /** @throws WorkbenchError `refused` while it is not known whether there is to be one: then no image starts. */
  #wall(): WallPlaces | null {
    if (this.settings.knows('sandbox')) this.#sandboxKnown(); // a file that could not be read may be by now
    if (this.#sandboxUnknown !== null) throw new WorkbenchError('refused', this.#sandboxUnknown);
    return this.#wantsSandbox ? wallPlaces(this.#options.places) : null;
  }

  #sandboxKnown(): void {
    this.#sandboxUnknown = null;
    this.alerts.set('sandbox', null);
  }

  get #wantsSandbox(): boolean {
    return this.#options.sandbox === true || (this.#sandboxForRun ?? this.settings.value.sandbox);
  }

  /** Looked up once: an SBCL that was replaced, or a core that is gone, is found at the next start of the program. */
  async #findRuntime(): Promise<Runtime> {
    if (this.#runtime && existsSync(this.#runtime.core)) return this.#runtime;
    const { sbcl, environment, sources, places } = this.#options;
    this.#runtime = await ensureRuntime(await findSbcl(sbcl, environment), sources, places.cache);
    return this.#runtime;
  }
}

/** The socket's folder may be everybody's: then other things of it are hidden as well. */
function wallPlaces({ config, state, cache, socket }: Places): WallPlaces {
  return { hidden: [config, state, path.dirname(socket)], cache };
}

/** A quarter of the memory, 1 to 4 GB. */
function heapMegabytes(): number {
  return Math.min(4096, Math.max(1024, Math.floor(totalmem() / 4 / MEGABYTE)));
}
