/** One image as the rest of the workbench sees it: evaluations take turns in it, and whatever happens to the process, each gets an answer. */
import { randomUUID } from 'node:crypto';
import type { DebuggerRecord, OpenDebuggers } from '#contract/image/debugger.ts';
import type { EffectDecision, Effect } from '#contract/decisions/effect.ts';
import type { ForcedPart } from '#contract/image/system.ts';
import { PERSON } from '#contract/clients/known-actors.ts';
import type { Actor, CheckpointRecord, Session as SessionView } from '#contract/image/session.ts';
import { Emitter } from '#core/base/emitter.ts';
import { WorkbenchError } from '#core/base/error.ts';
import { endReasons } from '#core/lisp/image-end.ts';
import type {
  LookUpOperation,
  OperationReply,
  OperationRequest,
  RunOperation,
  WorkerOperation,
} from '#core/lisp/messages.ts';
import { HeldEvaluations } from './held-evaluations.ts';
import type { ChangesOfAgents } from './agents-changes.ts';
import type { DefinitionJournal } from './definitions/definition-journal.ts';
import { Recovery, type ExecutableRequest, type SessionOptions, type SessionLimits } from './supervisor/recovery.ts';
import { ImageEventRouter, type SessionEvents } from './image-events.ts';
import type { LoadedSystem } from './checkpoints/journal.ts';
import { readsOnly } from './checkpoints/read-only.ts';
import {
  besides,
  turnOf,
  type Evaluation,
  type EvaluationRequest,
  type SystemRequest,
  type RunFields,
  type RunRequest,
  type RunResult,
  type TextCompilation,
} from './requests.ts';
import { loadAgain, replayLost, type ReplayReport } from './supervisor/replay.ts';
import { lostEvaluation, lostRun, reportOf, summarize } from './report.ts';
import type { OutputChunk } from './scheduler/output-chunk.ts';
import { Scheduler, type Run, type RunOutcome } from './scheduler/scheduler.ts';
import type { TurnRequest } from './scheduler/run-queue.ts';
import { journalUndone } from './definitions/undo.ts';
import type { World } from './checkpoints/worlds.ts';

const LIMITS: SessionLimits = { seconds: null, output: 1_000_000, value: 200_000 };

/** The policy by which frames keep all variables, as the debugger compiles a function again for them. */
const FOR_DEBUGGING = { debug: 3, speed: 1, space: 1, compilationSpeed: 1 };

export class Session {
  readonly id = randomUUID();
  #name: string;
  readonly events = new Emitter<SessionEvents>();
  /** Evaluations of clients that were answered and wait in the debugger. */
  readonly held = new HeldEvaluations();
  readonly #recovery: Recovery;
  readonly #scheduler: Scheduler;
  readonly #router: ImageEventRouter;
  readonly #limits: SessionLimits;
  readonly #waitsForAgents: () => boolean;

  constructor(name: string, options: SessionOptions) {
    this.#name = name;
    this.#limits = { ...LIMITS, ...options.limits };
    this.#waitsForAgents = options.waitsForAgents ?? (() => false);
    this.#recovery = new Recovery(options);
    this.#scheduler = new Scheduler(
      this.#recovery.supervisor,
      () => this.#changed(),
      (evaluation) => this.held.callOf(evaluation) !== null,
    );
    this.#router = new ImageEventRouter(this.#recovery, this.#scheduler, this.events, options.effects ?? 'allow');
    this.#recovery.events.on('changed', () => this.#changed());
    for (const event of ['debugger-entered', 'debugger-left'] as const) this.events.on(event, () => this.#changed());
    this.#recovery.events.on('change', (change) => this.events.emit('lifecycle', change));
  }

  get name(): string {
    return this.#name;
  }

  /** Gives it another name; `Sessions.rename` sees to it that no other has it. */
  set name(name: string) {
    this.#name = name;
    this.#changed();
  }

  /** The systems that were loaded into the living image, in order. */
  get systems(): readonly string[] {
    return this.#recovery.journal.systems.map(({ name }) => name);
  }

  /** The systems that were loaded into the living image, in order, with who loaded each. */
  get loads(): readonly LoadedSystem[] {
    return this.#recovery.journal.systems;
  }

  /** The journal of definitions in the session's images, with their actors and what the person reviewed. */
  get definitions(): DefinitionJournal {
    return this.#recovery.definitions;
  }

  /** The evaluations of agents that the person has not accepted, and whether their own effects wait for that. */
  get changes(): ChangesOfAgents {
    return this.#recovery.changes;
  }

  /** The debuggers in which code of the image waits. */
  get debuggers(): readonly DebuggerRecord[] {
    return this.#router.debuggers.records;
  }

  /** The heads of these debuggers, as the window lists them. */
  get openDebuggers(): OpenDebuggers {
    return this.#router.debuggers.view();
  }

  /** Asserts that code waits in a debugger. Throws a WorkbenchError, code `not-found`, when none does any more. */
  debugger(id: string): DebuggerRecord {
    return this.#router.debuggers.find(id);
  }

  /** The effects that agent code waits to have outside the image, oldest first. */
  get effects(): readonly Effect<'waiting'>[] {
    return this.#router.effects.all;
  }

  /** The evaluations under way: the running one, then the suspended ones, then those that wait for their turn. */
  get underway(): readonly TurnRequest[] {
    return this.#scheduler.queue.underway;
  }

  /** True once the image has an evaluation whose turn has come: before that it is started, or copied to go back to. */
  hasBegun(evaluation: string): boolean {
    return this.#scheduler.hasBegun(evaluation);
  }

  /** The state as everybody sees it. */
  view(): SessionView {
    const { running, overtaken, suspended, waiting, state } = this.#scheduler.queue;
    const { status } = this.#recovery;
    return {
      ...status.facts,
      ...this.#recovery.view(),
      id: this.id,
      name: this.name,
      asksPerson: this.changes.asks,
      unreviewed: this.changes.unreviewed,
      state: status.state === 'running' ? this.#stateWith(state) : status.state,
      running,
      overtaken,
      suspended,
      effects: this.#router.effects.view(),
      waiting: waiting.map(({ evaluation, actor, summary }) => ({ evaluation, actor, summary })),
    };
  }

  /** The queue's state, but for an error that is held after its answer: it has no turn any more, and waits all the same. */
  #stateWith(state: SessionView['state']): SessionView['state'] {
    return state === 'idle' && this.debuggers.length > 0 ? 'debugging' : state;
  }

  /** True while the core is being built that the next image starts from. Part of the view, for whoever looks at each change. */
  get building(): boolean {
    return this.#recovery.status.facts.building;
  }

  /** Starts the image if none runs. @throws WorkbenchError `no-sbcl` or `no-image` with what to do. */
  async start(): Promise<void> {
    await this.#recovery.supervisor.image();
  }

  /**
   * Starts the image, and waits for the tries that follow by themselves where a lack may pass.
   * @throws WorkbenchError `no-sbcl` or `no-image` where it is not tried again.
   */
  async startInTheEnd(): Promise<void> {
    for (;;) {
      try {
        return await this.start();
      } catch (error) {
        if (!(await this.#recovery.supervisor.triedAgain())) throw error;
      }
    }
  }

  /**
   * Evaluates in turn. Always answers: an evaluation that was interrupted, cancelled or lost with its image has that as
   * its status.
   * @throws WorkbenchError `no-sbcl` or `no-image` when no image could be started.
   */
  async evaluate(request: EvaluationRequest): Promise<Evaluation> {
    const { evaluation, actor, context, code, interactive, source } = request;
    const reads = readsOnly(code);
    const preparing = { actor, context, readsOnly: reads };
    const beside = besides('evaluate', request, this.#waitsForAgents());
    const fields = {
      evaluation,
      context,
      actor: actor.id,
      code,
      package: request.package,
      interactive,
      ...(request.printsAsSet ? { printsAsSet: true } : {}),
      source,
      outputLimit: request.streamedOutput ?? this.#limits.output,
      valueLimit: this.#limits.value,
      keepValues: request.keepValues ?? false,
      packageStays: request.packageStays ?? false,
      onError: request.onError ?? ('report' as const),
      guard: actor.kind === 'client',
      overtakes: beside.overtakes,
    };
    const { reply, output } = await this.#remembered({
      ...turnOf(request, summarize(code)),
      ...beside,
      ...this.#timeLimit(actor),
      op: 'evaluate',
      fields,
      collects: request.streamedOutput === undefined,
      ...(actor.kind === 'client'
        ? { readsOnly: reads, prepare: (image) => this.#recovery.automatic.prepare(image, preparing) }
        : {}),
      // A checkpoint that is asked for meanwhile holds these definitions.
      answered: (reply) => {
        const { forms, package: pkg } = reply;
        this.#recovery.journal.record(actor, code, forms, source);
        this.#recovery.automatic.answered(this.#recovery.supervisor.living, {
          fields,
          reply,
          actor,
          readsOnly: actor.kind === 'client' && reads,
        });
        if (context === PERSON.id) this.#recovery.status.package = pkg;
      },
      lost: (message) => ({
        ...lostEvaluation(message, this.#recovery.status.package),
        ...this.#router.effects.past(evaluation),
      }),
    });
    this.#prepareNext(preparing);
    return { report: reportOf(evaluation, reply), output, debugger: reply.debugger };
  }

  /**
   * Runs another operation of the worker's lane in turn; like `evaluate` it always answers. `about` is what the queue
   * shows meanwhile.
   * @throws WorkbenchError `no-sbcl` or `no-image` when no image could be started.
   */
  async run<Name extends RunOperation>(
    op: Name,
    request: RunRequest,
    fields: RunFields<Name>,
    about: string,
  ): Promise<RunResult<Name>> {
    const summary = summarize(about);
    const { evaluation, context, actor } = request;
    const onError = request.onError ?? 'report';
    const beside = besides(op, request, this.#waitsForAgents());
    const own = {
      evaluation,
      context,
      actor: actor.id,
      outputLimit: request.streamedOutput ?? this.#limits.output,
      onError,
      guard: actor.kind === 'client',
      overtakes: beside.overtakes,
    };
    const answer = await this.#remembered<Name>({
      ...turnOf(request, summary),
      ...beside,
      ...this.#timeLimit(actor),
      op,
      collects: request.streamedOutput === undefined,
      fields: { ...own, ...fields } as unknown as OperationRequest<Name>,
      ...(actor.kind === 'client' || op === 'load-system'
        ? { prepare: (image) => this.#recovery.automatic.prepare(image, request, summary) }
        : {}),
      lost: (message) =>
        ({ ...lostRun(message), ...this.#router.effects.past(evaluation) }) as unknown as OperationReply<Name>,
    });
    this.#prepareNext(request, summary);
    return answer;
  }

  /** Loads an ASDF system in turn. */
  async loadSystem(request: SystemRequest): Promise<RunResult<'load-system'>> {
    const { system, denied = [], without = [], ...who } = request;
    const forget = this.#router.denyAgain(request.evaluation, denied);
    try {
      const result = await this.run('load-system', who, { system, without: [...without] }, `load ${system}`);
      const { name } = result.reply.result ?? {};
      if (name !== undefined) this.#recovery.journal.recordRequest({ name, actor: request.actor, denied });
      return result;
    } finally {
      forget();
    }
  }

  /** True when the effect was denied when its system was loaded before, and is denied again: the load repeats nothing else either. */
  wasDenied(effect: Effect<'waiting'>): boolean {
    return this.#router.wasDenied(effect);
  }

  /** Compiles and loads a text in turn, as a file is compiled; what it defines comes back after a crash as if it had been evaluated. */
  async compileText(request: TextCompilation) {
    const {
      text,
      package: inPackage,
      source,
      title,
      whole = false,
      interactive = false,
      counts = false,
      debugs = false,
      loads = true,
      marks = [],
      ...who
    } = request;
    const policy = counts || debugs ? { ...(counts && { coverage: 3 }), ...(debugs && FOR_DEBUGGING) } : null;
    const fields = { text, package: inPackage, source, load: loads, policy, whole, interactive, marks: [...marks] };
    const answer = await this.run('compile-text', who, fields, title);
    const { result } = answer.reply;
    if (result?.loaded) this.#recovery.journal.record(request.actor, text, result.forms, source);
    return answer;
  }

  /** Compiles and loads an ASDF system in turn, to its end whatever fails, with what the compiler says of its files. */
  async compileSystem(
    request: Omit<SystemRequest, 'denied'> & { force: ForcedPart | null },
  ): Promise<RunResult<'compile-system'>> {
    const { system, force, without = [], ...who } = request;
    const fields = { system, force, without: [...without], keepGoing: true };
    const result = await this.run('compile-system', who, fields, `load ${system}`);
    const { result: load } = result.reply;
    if (load?.loaded) this.#recovery.journal.recordRequest({ name: load.name, actor: request.actor, denied: [] });
    return result;
  }

  /**
   * Puts back what was there before some definitions, or before all of one evaluation, newest first; with `dry` it only
   * tells what would come of it. It is an entry in the history of definitions itself, and can be undone.
   * @throws WorkbenchError `no-sbcl` or `no-image` when no image could be started.
   */
  async undoDefinitions(
    request: RunRequest,
    what: RunFields<'undo-definitions'>,
  ): Promise<OperationReply<'undo-definitions'>> {
    const { reply } = await this.run('undo-definitions', request, what, 'undo');
    if (!what.dry && reply.result)
      await journalUndone(this.#recovery.journal, reply.result.undone, (op, fields) => this.lookUp(op, fields));
    return reply;
  }

  /** Asks the image something that does not wait for a turn. */
  async lookUp<Name extends LookUpOperation>(op: Name, fields: OperationRequest<Name>): Promise<OperationReply<Name>> {
    return (await this.#recovery.supervisor.image()).request(op, fields);
  }

  /** Asks the living image something that does not wait for a turn; null where none is up. Unlike {@link lookUp} it starts no image. */
  async lookUpIfUp<Name extends LookUpOperation>(
    op: Name,
    fields: OperationRequest<Name>,
  ): Promise<OperationReply<Name> | null> {
    return (await this.#recovery.supervisor.living?.request(op, fields)) ?? null;
  }

  /** Has SWANK serve a connection in the image. Does not wait for a turn; its threads go on as those of this evaluation. */
  async serveSwank(request: RunRequest, link: { port: number; nonce: string }): Promise<OperationReply<'serve-swank'>> {
    const { evaluation, actor, context } = request;
    this.#router.effects.begin(evaluation, actor.id);
    this.#router.debuggers.began(turnOf(request, 'Emacs'));
    try {
      return await this.lookUp('serve-swank', { evaluation, actor: actor.id, context, ...link });
    } finally {
      this.#router.effects.forget(evaluation);
    }
  }

  /**
   * Stops one evaluation, or with null whatever runs; with `holds` one whose error is to be held waits in the debugger. False when there
   * was nothing to stop.
   */
  async interrupt(evaluation: string | null, options: { holds?: boolean } = {}): Promise<boolean> {
    return (await this.#scheduler.interrupt(evaluation, options)) || this.held.interrupt(evaluation);
  }

  /** Returns, once, what threads and timers of a connection's evaluations printed after these were answered. */
  takeLateOutput(connectionId: string): OutputChunk[] {
    return this.#scheduler.late.take(connectionId);
  }

  /** Returns, once, the errors that ended threads of a connection's evaluations after these were answered. */
  takeThreadFailures(connectionId: string): OutputChunk[] {
    return this.#scheduler.late.takeFailures(connectionId);
  }

  /** Has what an evaluation prints from now on counted only. False when it has ended. */
  async discardOutput(evaluation: string): Promise<boolean> {
    return (await this.lookUp('discard-output', { evaluation })).found;
  }

  /** Reads nothing from the living image until the returned function is called: code that prints waits meanwhile. */
  holdOutput(): () => void {
    return this.#recovery.supervisor.living?.hold() ?? (() => {});
  }

  /** Keeps the answer to a question of a debugger for the transcript, until the code has it. */
  keepAnswer(question: string, text: string): void {
    this.#router.answers(question, text);
  }

  /** Answers a read of the person's input; null is end of file. */
  async answerInput(evaluation: string, text: string | null): Promise<void> {
    this.#router.answers(evaluation, text ?? undefined);
    const { found } = await this.lookUp('input', { evaluation, text });
    if (!found) this.#router.answers(evaluation, undefined);
    if (!found) throw new WorkbenchError('not-found', 'Nothing waits for this input any more.');
  }

  /**
   * Decides about an effect that waits. Single use.
   * @throws WorkbenchError `not-found` when nothing waits for it any more, `wire` for another path where none can be used.
   */
  decideEffect(effect: string, decision: EffectDecision): Promise<void> {
    return this.#router.effects.decide(this.#recovery.supervisor.living, effect, decision);
  }

  /** Makes a package the current one of a REPL, where the living image has it. Returns the current one; null where no image is up. */
  async enterPackage(context: string, name: string): Promise<string | null> {
    const reply = await this.lookUpIfUp('enter-package', { context, package: name });
    if (reply && context === PERSON.id) {
      this.#recovery.status.package = reply.package;
      this.#changed();
    }
    return reply?.package ?? null;
  }

  /** Drops what the image keeps of a connection that nobody will use again. */
  forget(connectionId: string): void {
    this.events.emit('forgotten', { connectionId });
    this.#scheduler.late.take(connectionId);
    this.tell('forget-context', { context: connectionId });
  }

  /** Tells the living image something whose answer nobody needs. */
  tell<Name extends LookUpOperation>(op: Name, fields: OperationRequest<Name>): void {
    this.#recovery.supervisor.living?.request(op, fields).catch(() => {});
  }

  /** A fresh image with nothing loaded, at the person's wish. What the old one held can still be replayed. */
  async restart(): Promise<void> {
    this.#recovery.giveUp('You restarted the image.');
    await this.#recovery.replace(endReasons.restarted, {
      change: 'restarted',
      summary: 'fresh image, nothing loaded',
    });
  }

  /**
   * The pristine image with the systems that were loaded, loaded again in order (decision 14), as whoever loaded them. Never fails:
   * gives back the systems that did not load, with why.
   */
  async reset(actor: Actor): Promise<{ system: string; message: string }[]> {
    const systems = [...this.loads];
    this.#recovery.lostWork.take();
    await this.#recovery.replace(endReasons.reset, { change: 'reset', summary: 'definitions cleared' });
    return loadAgain(this, systems, actor);
  }

  /**
   * Copies the whole image, so that it can be gone back to.
   * @throws WorkbenchError `refused` with why that is not possible now.
   */
  checkpoint(label: string, actor: Actor): Promise<CheckpointRecord> {
    if (actor.kind === 'client') this.held.crowd(actor);
    return this.#recovery.checkpoint(label, actor);
  }

  /**
   * Goes back to a checkpoint; what runs now is answered as lost. What happened outside the image is not undone.
   * @returns sentences about what did not come back.
   * @throws WorkbenchError `not-found`, or `no-image` when the checkpoint does not wake up.
   */
  rewind(id: number, actor: Actor): Promise<readonly string[]> {
    return this.#recovery.rewind(id, actor, () => this.#scheduler.queue.idle);
  }

  /** Saved worlds, newest first. */
  worlds(): Promise<World[]> {
    return this.#recovery.worlds();
  }

  /**
   * Keeps the whole image on disk; it goes on meanwhile.
   * @throws WorkbenchError `invalid` for a bad name, `refused` with why it cannot be copied now, `system` when writing failed.
   */
  saveWorld(name: string): Promise<void> {
    return this.#recovery.saveWorld(name);
  }

  /**
   * Goes on with a saved world in place of the image. Hooks of agents that were due at its start run after it, in turn: what they try outside
   * the image is asked about.
   * @throws WorkbenchError `not-found` or `refused`.
   */
  async openWorld(name: string): Promise<void> {
    await this.#recovery.openWorld(name);
    if ((await this.agentsHooks()).due === 0) return;
    const who = { evaluation: randomUUID(), context: PERSON.id, actor: PERSON };
    // Nobody waits for it: an effect may wait for the person's decision, who opens the world just now.
    this.run('run-start-hooks', who, {}, `hooks of the saved image “${name}”`).catch(() => {}); // the image may have ended
  }

  /** The functions that agents have SBCL or UIOP call when the image starts, is saved, collects garbage or ends. */
  agentsHooks(): Promise<OperationReply<'list-hooks'>> {
    return this.#recovery.agentsHooks();
  }

  /**
   * Writes the image to an executable that runs without the workbench; the image goes on meanwhile.
   * @throws WorkbenchError `refused` with why it cannot be copied now or has no such function, `system` when writing failed.
   */
  saveExecutable(request: ExecutableRequest): Promise<void> {
    return this.#recovery.saveExecutable(request);
  }

  removeWorld(name: string): Promise<void> {
    return this.#recovery.removeWorld(name);
  }

  /** Loads the lost systems and evaluates the person's lost definitions in the living image; tells what failed. */
  replay(): Promise<ReplayReport> {
    return replayLost(this, this.#recovery.lostWork, () => this.#changed());
  }

  /** Clients whose code ran in it. */
  get ranFor(): string[] {
    return this.#router.effects.clients;
  }

  dismissLost(): void {
    this.#recovery.lostWork.take();
    this.#changed();
  }

  async dispose(): Promise<void> {
    await this.#recovery.supervisor.dispose();
  }

  /** Runs it, and knows what it did outside should the image end before it answers. */
  async #remembered<Name extends WorkerOperation>(run: Run<Name>): Promise<RunOutcome<Name>> {
    this.#router.effects.begin(run.evaluation, run.fields.actor);
    this.#router.debuggers.began(run);
    if (run.actor.kind === 'client') this.held.crowd(run.actor);
    try {
      return await this.#scheduler.run(run);
    } finally {
      this.#router.effects.forget(run.evaluation);
    }
  }

  /** Makes the copy that must be there before an agent's next call while the agent thinks: its last run is over. */
  #prepareNext(request: { actor: Actor; readsOnly?: boolean }, what?: string): void {
    const { idle } = this.#scheduler.queue;
    if (request.actor.kind === 'client' && idle && this.#recovery.status.state === 'running')
      this.#recovery.automatic.prepareNext(this.#recovery.supervisor.living, request, what);
  }

  /** The person can interrupt; an agent's evaluation that nobody waits for any more must end by itself. */
  #timeLimit(actor: Actor): { seconds?: number } {
    return actor.kind === 'person' || this.#limits.seconds === null ? {} : { seconds: this.#limits.seconds };
  }

  #changed(): void {
    this.events.emit('changed', undefined);
  }
}
