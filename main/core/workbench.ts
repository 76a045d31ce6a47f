/** The composition root. It builds the parts of the program, connects them, and disposes of all of them in dispose(). */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { AuditState, Takeable } from '#contract/decisions/activity.ts';
import type { EvaluationReport } from '#contract/image/evaluation.ts';
import { FIRST_REPL } from '#contract/image/shared-image.ts';
import { knownActor, PERSON } from '#contract/clients/known-actors.ts';
import type { Actor } from '#contract/image/session.ts';
import { settings as settingsSchema, type Settings } from '#contract/settings.ts';
import type { Target } from '#contract/target.ts';
import { Agents } from './agents.ts';
import { raiseAuditAlerts } from './alerts/audit-alerts.ts';
import { raiseSilenceAlerts } from './alerts/silent-images.ts';
import { Audit } from '#core/activity/audit/audit.ts';
import { ActivityDetails } from './activity/details.ts';
import { recordedCalls } from './activity/calls.ts';
import { publishFacts } from './activity/facts.ts';
import { installObservability, type ToolMetrics } from './activity/observability.ts';
import { pastEffects } from '#core/effects/history.ts';
import { ActivityStream } from './activity/stream.ts';
import { EffectGate } from '#core/effects/gate.ts';
import { ClientApproval } from '#core/approvals/client-approval.ts';
import { ApprovalQueue } from '#core/approvals/queue/queue.ts';
import { ApprovalRecords } from '#core/approvals/results/records.ts';
import { RuleBook } from '#core/approvals/policy/rules.ts';
import { standingRules } from '#core/approvals/policy/standing-rules.ts';
import { Alerts } from './alerts/alerts.ts';
import type { ClientProfile } from '#contract/clients/client.ts';
import { Pairing } from '#core/clients/pairing.ts';
import { Clients } from './clients/clients.ts';
import { createTransportHost } from './transport-host.ts';
import { Emitter } from './base/emitter.ts';
import { ImageSettings } from './image-settings.ts';
import type { Sbcl } from './lisp/start/sbcl.ts';
import { evaluateAsPerson, type PersonEvaluation } from './person/evaluation.ts';
import type { OpenBuffer } from './project/files/buffers.ts';
import { Trust } from './project/trust.ts';
import { Backups, type Restored } from '#core/project/files/backups.ts';
import { PersonImages } from './person/images.ts';
import { RestartProposals } from './person/restart-proposals.ts';
import { PersonRepls } from './person/repls.ts';
import { PersonTests } from './person/test-runs.ts';
import { ProjectBuild } from './person/project-build.ts';
import { PrintedOutput } from './output/printed-output.ts';
import { Project } from './project/project.ts';
import type { TransportHost } from '#core/transports/host.ts';
import { SandboxChoice } from './sandbox-choice.ts';
import { Servers } from '#core/servers/servers.ts';
import { SwankListener } from '#core/servers/swank/swank-listener.ts';
import { Breakpoints } from '#core/sessions/breakpoints.ts';
import { KeptBreakpoints } from '#core/sessions/kept-breakpoints.ts';
import { DefinitionList } from '#core/sessions/definitions/definition-list.ts';
import { MacroIndentation } from '#core/sessions/indentation/macro-indentation.ts';
import type { Session } from './sessions/session.ts';
import { Sessions } from './sessions/sessions.ts';
import { ClientLibraries, distAddresses } from '#core/libraries/libraries.ts';
import { LibraryJobs } from '#core/libraries/library-jobs.ts';
import { Libraries } from '#core/sessions/systems/libraries.ts';
import { SystemLoads } from '#core/sessions/systems/loads.ts';
import { Document, type StoredFile } from './settings/document.ts';
import type { Paths } from '#core/settings/paths.ts';
import { Targets } from './targets/targets.ts';
import { Executor } from '#core/tools/executor/executor.ts';
import { publishedName } from './tools/registry.ts';
import type { ToolOutcome } from './tools/tool.ts';

export interface WorkbenchOptions {
  readonly version: string;
  readonly paths: Paths;
  readonly project: Project;
  /** The chosen SBCL; null to find one automatically. */
  readonly sbcl: string | null;
  /** The folder of the engine's sources. */
  readonly sources: string;
  /** True if a person works in the same image, as in the desktop. In that case, clients and settings are stored. */
  readonly shared: boolean;
  /** False if no checkpoints of images may be created. In that case, the contents of an image are lost when it ends. */
  readonly checkpoints?: boolean;
  readonly environment: NodeJS.ProcessEnv;
  /** How effects of agents' code are decided if no one can be asked. */
  readonly effects?: 'allow' | 'deny';
  /** The tool set for all clients, regardless of their stored settings. */
  readonly tools?: ClientProfile;
  /** The maximum number of open requests of each client; the usual limit if omitted. */
  readonly mostOpenRequests?: number;
  /** Returns the texts that the person has open in an editor. */
  readonly buffers?: () => readonly OpenBuffer[];
  /** A Lisp file that each image loads before anything else. */
  readonly initFile?: string | null;
  /** A description of how to resume a paused client if there is no window for it. */
  readonly release?: string;
  /**
   * The secret with which Emacs may connect; null to use the one in `~/.slime-secret`. `address` is a loopback address, except in a
   * container. The default of `port` is 4201.
   */
  readonly swank?: { readonly secret: () => string | null; readonly address: string; readonly port?: number };
  /** The folder for backups of files from before approved changes, if there is no window. If omitted, the backups are stored in memory. */
  readonly keptFiles?: string;
  /** True to run images in the sandbox even if the settings specify otherwise. */
  readonly sandbox?: boolean;
  /**
   * True if the person's own effects must wait while an agent's evaluation has not been accepted, even if the settings specify otherwise.
   */
  readonly strict?: boolean;
  /** The target for all images, regardless of the settings; null or omitted to use the settings. */
  readonly target?: Target | null;
}

interface WorkbenchEvents {
  'agent-evaluated': { actor: Actor; tool: string; code: string; at: number; report: EvaluationReport };
  'settings-changed': Settings;
  'project-changed': Project;
}

const UNTRUSTED =
  'Nothing was run, because clients have to wait until the person trusts the folder in the window. Ask the person to trust it, then try again.';
const AUDIT_DAYS = 90;

/**
 * The maximum number of checkpoints for the image of a windowless command: enough to continue after the command's code has crashed or ended
 * the image.
 */
const FEW_CHECKPOINTS = 5;

export class Workbench {
  readonly events = new Emitter<WorkbenchEvents>();
  readonly sessions: Sessions;
  /** The image that the person and all clients share by default. */
  readonly session: Session;
  readonly libraries: Libraries;
  /** The libraries of the person's Quicklisp. */
  readonly clientLibraries: ClientLibraries;
  readonly libraryJobs = new LibraryJobs();
  readonly definitions: DefinitionList;
  /** The breakpoints of the open folder, in the shared image. */
  readonly breakpoints: Breakpoints;
  readonly indentation: MacroIndentation;
  readonly loads: SystemLoads;
  /** The person's test runs. */
  readonly tests: PersonTests;
  /** Builds the project from its files and compares the result with the image. */
  readonly build: ProjectBuild;
  readonly activity = new ActivityStream();
  /** The servers that the person starts and stops. */
  readonly servers = new Servers(this.activity);
  readonly approvals: ApprovalQueue<ToolOutcome>;
  /** Approval in client programs, if the person has chosen it. */
  readonly clientApproval: ClientApproval<ToolOutcome>;
  /** The rules that answer in place of the person, including the grants that the person can revoke. */
  readonly rules: RuleBook;
  readonly clients: Clients;
  /** Clients without a token that are waiting to be admitted. */
  readonly pairing: Pairing;
  readonly executor: Executor;
  /** The backups of files from before approved changes. */
  readonly backups: Backups;
  /** The backups of files that the person deleted. They are separate, so that a large deletion does not displace agents' changes. */
  readonly deletions: Backups;
  readonly agents: Agents;
  readonly settings: Document<typeof settingsSchema>;
  /** The complete output of the person's evaluations. */
  readonly output: PrintedOutput;
  /** The images other than the shared one, for the person's use. */
  readonly images: PersonImages;
  readonly repls: PersonRepls;
  /** The restarts that clients propose, each with its debugger. */
  readonly proposals: RestartProposals;
  /** The part of the workbench that transports use. */
  readonly transportHost: TransportHost;
  /** The alerts about problems that persist. */
  readonly alerts = new Alerts();
  readonly #options: WorkbenchOptions;
  readonly #audit: Audit;
  readonly #records: ApprovalRecords;
  readonly #details: ActivityDetails;
  readonly #metrics: ReadonlyMap<string, Readonly<ToolMetrics>>;
  /** If the process ends without `dispose`, runs the delayed updates of the activity. */
  readonly #atExit = (): void => this.activity.settle();
  readonly #trust: Trust;
  readonly #breakpoints: KeptBreakpoints;
  readonly #sandbox: SandboxChoice;
  readonly #imageSettings: ImageSettings;
  readonly #effects: EffectGate<ToolOutcome>;
  readonly #sources: string;
  readonly #targets: Targets;
  #project: Project;

  constructor(options: WorkbenchOptions) {
    const { paths, environment, shared } = options;
    this.#options = options;
    this.#project = options.project;
    const initial = settingsSchema.parse({ version: 1 });
    this.settings = new Document({
      file: shared ? path.join(paths.config, 'settings.json') : null,
      schema: settingsSchema,
      initial,
      title: 'Your settings',
      salvage: 'fields of any version',
      reserve: true,
    });
    this.#sources = options.sources;
    this.#imageSettings = new ImageSettings({
      settings: this.settings,
      sbcl: options.sbcl,
      initFile: options.initFile ?? null,
      sources: options.sources,
      cache: paths.cache,
      environment,
      client: () => this.libraries.client,
    });
    this.#sandbox = new SandboxChoice({
      settings: this.settings,
      alerts: this.alerts,
      paths,
      forced: options.sandbox === true,
      keep: (sandbox) => this.changeSettings({ sandbox }),
      start: () => this.session.start(),
    });
    this.#trust = new Trust(shared ? paths.config : null);
    this.clients = new Clients(shared ? paths.config : null);
    this.pairing = new Pairing(this.clients, () => this.settings.value.approvalMinutes);
    this.#audit = new Audit(path.join(paths.state, 'audit'), AUDIT_DAYS);
    this.#targets = new Targets({
      list: () => [...(options.target ? [options.target] : []), ...this.settings.value.targets],
      project: () => this.#project.root,
      sources: options.sources,
      environment,
    });
    const place = (name: () => string) => ({
      target: () => this.#targets.named(name()),
      wantedTarget: () => name() || null,
    });
    const forced = options.target?.name ?? null;
    const directory = (): string =>
      // An image cannot start in the project folder if the folder was deleted in the meantime.
      this.#project.root !== null && existsSync(this.#project.root) ? this.#project.root : paths.state;
    this.clientLibraries = new ClientLibraries({
      environment,
      addresses: () => distAddresses(environment, this.settings.value.libraries.dists),
    });
    this.sessions = new Sessions('workbench', {
      ...place(() => forced ?? this.settings.value.sharedTarget),
      runtime: (building) => this.#imageSettings.runtime(building),
      directory,
      environment,
      memory: () => this.#imageSettings.memory,
      checkpoints: options.checkpoints ?? true,
      ...(shared ? {} : { mostCheckpoints: FEW_CHECKPOINTS }),
      effects: 'ask',
      ...(shared ? { trusted: () => this.trusted } : {}),
      worlds: path.join(paths.state, 'worlds'),
      libraries: { client: this.clientLibraries, jobs: this.libraryJobs, tool: () => this.libraries.chosen },
      initFile: () => this.#imageSettings.initFile,
      sandbox: () => this.#sandbox.paths(),
      asksPerson: () => options.strict === true || this.settings.value.asksPerson,
      waitsForAgents: () => this.settings.value.waitsForAgents,
    });
    this.session = this.sessions.main;
    this.libraries = new Libraries({
      session: this.session,
      trusted: () => !shared || this.trusted,
      root: () => this.#project.root,
      directory,
      environment,
      sandboxed: () => this.#sandbox.paths() !== null,
    });
    this.session.events.on('lifecycle', ({ change }) => {
      if (change === 'started') void this.#imageSettings.prepareClient().catch(() => {});
    });
    this.definitions = new DefinitionList(this.session);
    this.#breakpoints = new KeptBreakpoints(shared ? paths.config : null);
    this.breakpoints = new Breakpoints(this.session, this.#breakpoints, this.#project.root);
    this.indentation = new MacroIndentation(this.session);
    this.output = new PrintedOutput({
      session: this.session,
      // Other programs with the same home use separate folders.
      folder: path.join(paths.state, shared ? 'output' : `output-${process.pid}`),
      limit: () => this.outputLimit,
    });
    this.images = new PersonImages(this.sessions, this.output, (target) => place(() => target ?? ''));
    this.repls = new PersonRepls(this.sessions, this.images);
    this.#records = new ApprovalRecords(shared ? path.join(paths.state, 'approvals.json') : null);
    this.approvals = new ApprovalQueue({
      minutes: () => this.settings.value.approvalMinutes,
      unrecorded: () => this.#audit.failure,
      records: this.#records,
    });
    this.clientApproval = new ClientApproval(this.approvals);
    this.proposals = new RestartProposals(this.approvals, this.sessions, this.images);
    this.rules = new RuleBook(
      standingRules(
        paths,
        () => this.#project,
        () => this.settings.value.writableFolders,
        () => this.servers.list(),
        this.#targets,
      ),
    );
    this.backups = new Backups(shared ? path.join(paths.state, 'kept') : (options.keptFiles ?? null));
    this.deletions = new Backups(
      shared ? path.join(paths.state, 'deleted') : null,
      'The list of deleted files that can be restored',
    );
    const effects = (this.#effects = new EffectGate<ToolOutcome>({
      approvals: this.approvals,
      rules: this.rules,
      project: () => this.#project,
      actorOf: (id) => knownActor(id) ?? this.clients.actor(id),
      policyOf: (actor) => this.agents.policyOf(actor),
      callOf: (session, evaluation) => this.executor.callOf(session, evaluation),
      tell: (fact) => this.activity.publish({ kind: 'effect', ...fact }),
      announce: (fact) => this.#audit.announce({ kind: 'effect-allowed', ...fact }),
      alarm: (id, why) => void this.clients.pause(id, why),
      done: { success: true, text: 'Approved.' },
    }));
    for (const session of this.sessions.all) effects.watch(session);
    this.sessions.events.on('opened', (session) => effects.watch(session));
    this.executor = new Executor({
      // If no one can be asked, the effect is denied at once.
      asked: (effect) => this.approvals.approver !== null && effects.asks(effect),
      approvals: this.approvals,
      clientApproval: this.clientApproval,
      project: () => this.#project,
      rules: this.rules,
      announce: (call) => this.#audit.announce({ kind: 'call-allowed', ...call }),
      backups: this.backups,
      buffers: () => options.buffers?.() ?? [],
    });
    this.activity.events.on('batch', (events) => this.#audit.append(events));
    process.on('exit', this.#atExit);
    this.#raiseAlerts();
    this.servers.add(
      new SwankListener({
        session: this.session,
        activity: this.activity,
        home: environment['HOME'] || homedir(),
        ...(options.swank ?? { secret: () => null, address: '127.0.0.1' }),
      }),
    );
    this.loads = new SystemLoads(this.session, this.executor);
    this.build = new ProjectBuild(this.sessions, () => this.#project.root);
    this.tests = new PersonTests({
      session: this.session,
      activity: this.activity,
      details: () => this.details,
      outputLimit: () => this.outputLimit,
      onError: () => this.onError,
    });
    const calls = recordedCalls(this.executor, this.activity);
    this.#details = new ActivityDetails(calls);
    this.session.events.on('swank-evaluation-started', (started) =>
      this.#details.began(started.evaluation, started.code, started.package),
    );
    // Installed first, so that a call's row comes before the rows of its actions.
    this.#metrics = installObservability(calls, this.activity, publishedName);
    publishFacts(this.activity, {
      sessions: this.sessions,
      clients: this.clients,
      pairing: this.pairing,
      approvals: this.approvals,
      calls,
    });
    this.executor.events.on('ended', ({ tool, actor, outcome }) => {
      if (!outcome?.evaluation) return;
      const { report, code } = outcome.evaluation;
      if (shared) this.images.valuesOf(this.session).add(report.evaluation);
      this.events.emit('agent-evaluated', { actor, tool: publishedName(tool), code, at: Date.now(), report });
    });
    this.agents = new Agents({
      clients: this.clients,
      approvals: this.approvals,
      rules: this.rules,
      executor: this.executor,
      sessions: this.sessions,
      shared,
      ownPlace: place(() => forced ?? this.settings.value.clientsTarget),
      effects: options.effects ?? 'ask',
      release: options.release ?? null,
      effectsOf: (call) => pastEffects(path.join(paths.state, 'audit'), call),
      untrusted: () => (this.trusted ? null : `${this.#project.root} is not trusted. ${UNTRUSTED}`),
    });
    const { clients, sessions, definitions, approvals, clientApproval, rules, executor, agents, activity, events } =
      this;
    this.transportHost = createTransportHost({
      clients,
      sessions,
      definitions,
      approvals,
      clientApproval,
      rules,
      executor,
      agents,
      activity,
      events,
      version: options.version,
      shared: options.shared,
      mostOpenRequests: options.mostOpenRequests,
      effects: options.effects ?? 'ask',
      tools: options.tools ?? null,
      project: () => this.#project,
      sandboxed: () => {
        const { pid, sandbox } = this.session.view();
        return pid === null ? this.#sandbox.wanted && this.session.view().target === null : sandbox !== null;
      },
    });
  }

  /** The details that are omitted in the rows of the activity. */
  get details(): ActivityDetails {
    this.activity.settle();
    return this.#details;
  }

  /** The numbers of calls and failures, the time and the size, for each tool. */
  get metrics(): ReadonlyMap<string, Readonly<ToolMetrics>> {
    this.activity.settle();
    return this.#metrics;
  }

  get version(): string {
    return this.#options.version;
  }

  get project(): Project {
    return this.#project;
  }

  /** True if code in the project's folder may be loaded, and clients may join. */
  get trusted(): boolean {
    return this.#trust.has(this.#project);
  }

  /** Marks the open folder as trusted permanently. */
  async trustProject(): Promise<void> {
    await this.#trust.add(this.#project);
    for (const session of this.sessions.all) session.tell('trust-project', { trusted: true });
    this.events.emit('project-changed', this.#project);
  }

  /** The faults of stored files, which are reported once at start. Faults that persist are in `alerts`. */
  get problems(): string[] {
    const problems = this.#documents.map(([, { problem }]) => problem);
    return [...problems.filter((problem) => problem !== null), ...this.#audit.notices];
  }

  /** Checks the audit of all runs in the background. A fault in the audit becomes an alert. */
  checkAudit(): Promise<void> {
    return this.#audit.check();
  }

  async openProject(folder: string): Promise<Project> {
    this.#project = await Project.open(folder);
    const root = this.#project.root!;
    // A sandbox is created for one folder, so the next image is started in a new sandbox.
    for (const session of this.sessions.all) {
      const moved = session.view().sandbox === null ? { directory: root } : {};
      session.tell('trust-project', { trusted: this.trusted, ...moved });
    }
    this.breakpoints.openFolder(root);
    this.events.emit('project-changed', this.#project);
    await this.rememberProject();
    return this.#project;
  }

  /** Moves the open project to the start of the list of recent projects. */
  async rememberProject(): Promise<void> {
    const { root } = this.#project;
    if (root === null || this.settings.value.recentProjects[0] === root) return;
    const recentProjects = [root, ...this.settings.value.recentProjects.filter((other) => other !== root)].slice(0, 12);
    await this.changeSettings({ recentProjects }).catch(() => {}); // ignored, because nothing depends on saving the list
  }

  /** Refuses the name of a file on a target, as in `TARGET:/path`. @throws WorkbenchError `refused`. */
  refuseFileOfTarget(name: string): void {
    this.#targets.refuseFile(name);
  }

  /** Returns the SBCL of this machine, and the sources of the engine. @throws WorkbenchError `no-sbcl` with advice if there is none. */
  async sbcl(): Promise<{ sbcl: Sbcl; sources: string }> {
    return { sbcl: (await this.#imageSettings.runtime()).sbcl, sources: this.#sources };
  }

  /** Tests a target by performing the steps of an image's start. */
  tryTarget(target: Target): ReturnType<Targets['try']> {
    return this.#targets.try(target, this.#imageSettings.memory);
  }

  /**
   * Saves a change to the settings. @throws WorkbenchError if the change names something that does not exist. In that case, nothing is
   * saved.
   */
  async changeSettings(change: Partial<Settings>): Promise<Settings> {
    await this.#imageSettings.check(change);
    const settings = settingsSchema.parse({ ...this.settings.value, ...change });
    await this.settings.keep(settings);
    if (change.sandbox !== undefined) this.#sandbox.changed();
    if (change.asksPerson !== undefined) for (const session of this.sessions.all) await session.changes.choose(null);
    this.events.emit('settings-changed', settings);
    return settings;
  }

  /** Evaluates code from the person's REPL or editor. */
  async evaluateAsPerson({ repl = FIRST_REPL, ...request }: PersonEvaluation): Promise<EvaluationReport> {
    const { activity, output, images, repls } = this;
    const place = repls.place(repl);
    const values = images.valuesOf(place.session);
    const parts = { ...place, activity, output, values, details: this.#details, outputLimit: this.outputLimit };
    const report = await evaluateAsPerson(parts, { onError: this.onError, ...request });
    if (request.origin === 'repl' && report.status !== 'lost') repls.answered(repl, report.package);
    return images.addresses.told(place.session, report);
  }

  /** Returns the state of the audit on disk, after reading the entries that this run has written. */
  verifyAudit(): Promise<AuditState> {
    return this.#audit.verify();
  }

  /** Returns the image in which code is waiting for the decision on a card; null if there is none. */
  imageOfCard(card: string): Session | null {
    const waits = ({ effects }: Session): boolean =>
      effects.some(({ effect }) => this.#effects.cardOf(effect) === card);
    return this.sessions.all.find(waits) ?? null;
  }

  /** Resolves with the file changes of a client's approved calls since the time `at`, newest first. */
  takeable(actor: string, at: number): Promise<Takeable[]> {
    return this.backups.since(actor, at, (file) => this.#project.display(file));
  }

  /** Reverts an approved write, move or delete of a file. @throws WorkbenchError `not-found` if there is no backup. */
  async takeBack(approval: string): Promise<Restored> {
    const restored = await this.backups.restore(approval);
    if (restored.restored) {
      this.approvals.setUndo(approval, null);
      for (const { approvedReviews } of this.sessions.all) approvedReviews.takeBack(approval);
    }
    const { restored: success, message: summary } = restored;
    this.activity.publish({ kind: 'approval-undone', actor: PERSON, approval, success, summary });
    return restored;
  }

  /** Shows again the requests that were still open when the previous run of the program ended. */
  async resume(): Promise<void> {
    await this.agents.restore(await this.#records.take());
  }

  async dispose(): Promise<void> {
    this.approvals.dispose();
    this.pairing.dispose();
    await this.servers.dispose();
    await this.sessions.dispose();
    await this.output.dispose();
    await this.settings.settled();
    const stored = [this.#records, this.backups, this.deletions, this.#trust, this.#breakpoints, this.clients];
    await Promise.all(stored.map((each) => each.settled()));
    process.off('exit', this.#atExit);
    this.activity.settle();
    this.#audit.close();
  }

  /** How unhandled errors in the person's code are treated, according to the settings. */
  get onError(): 'debug' | 'report' {
    return this.settings.value.onError === 'debugger' ? 'debug' : 'report';
  }

  /** The number of characters that an evaluation of the person may print. After that, output is only counted. */
  get outputLimit(): number {
    return this.settings.value.outputMegabytes * 1_000_000;
  }

  get #documents(): (readonly [string, StoredFile])[] {
    const documents = [
      ['settings', this.settings],
      ['clients', this.clients.kept],
      ['approvals', this.#records.kept],
      ['kept-files', this.backups.list],
      ['deleted-files', this.deletions.list],
      ['trust', this.#trust.kept],
      ['breakpoints', this.#breakpoints.kept],
    ] as const;
    return documents.flatMap(([id, kept]) => (kept === null ? [] : [[id, kept] as const]));
  }

  #raiseAlerts(): void {
    for (const [id, kept] of this.#documents) this.alerts.watch(id, kept);
    raiseAuditAlerts(this.#audit, this.alerts);
    this.#sandbox.raiseAlert();
    raiseSilenceAlerts(this.sessions, this.alerts);
  }
}
