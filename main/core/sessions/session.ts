/**
 * One image, as the rest of the workbench uses it: evaluations take turns in it, and each gets an answer, whatever happens to the process.
 */
import { randomUUID } from 'node:crypto';
import type { DebuggerRecord, OpenDebuggers } from '#contract/image/debugger.ts';
import type { EffectDecision, Effect } from '#contract/decisions/effect.ts';
import { PERSON } from '#contract/clients/known-actors.ts';
import type { Actor, CheckpointRecord, Session as SessionView } from '#contract/image/session.ts';
import type { LibraryTool } from '#contract/image/library-tool.ts';
import type { ClientLibraries } from '#core/libraries/libraries.ts';
import { Emitter } from '#core/base/emitter.ts';
import { WorkbenchError } from '#core/base/error.ts';
import { endReasons } from '#core/lisp/image-end.ts';
import type { LookUpOperation, OperationReply, OperationRequest, RunOperation } from '#core/lisp/messages.ts';
import { HeldEvaluations } from './held-evaluations.ts';
import type { ChangesOfAgents } from './agents-changes.ts';
import { ApprovedReviews } from './definitions/approved-reviews.ts';
import type { DefinitionJournal } from './definitions/definition-journal.ts';
import { Recovery, type ExecutableRequest, type SessionOptions } from './supervisor/recovery.ts';
import { ImageEventRouter, type SessionEvents } from './image-events.ts';
import type { LoadedSystem } from './checkpoints/journal.ts';
import {
  turnOf,
  type Evaluation,
  type EvaluationRequest,
  type SystemCompilation,
  type SystemRequest,
  type RunFields,
  type RunRequest,
  type RunResult,
  type TextCompilation,
} from './requests.ts';
import { Runs } from './runs.ts';
import { loadAgain, replayLost, type ReplayReport } from './supervisor/replay.ts';
import type { OutputChunk } from './scheduler/output-chunk.ts';
import { Scheduler } from './scheduler/scheduler.ts';
import type { TurnRequest } from './scheduler/run-queue.ts';
import type { World } from './checkpoints/worlds.ts';

export class Session {
  readonly id = randomUUID();
  #name: string;
  readonly events = new Emitter<SessionEvents>();
  /** Evaluations of clients that were answered and are waiting in the debugger. */
  readonly held = new HeldEvaluations();
  /** The definitions that count as reviewed because the person approved an edit with their text. */
  readonly approvedReviews = new ApprovedReviews(() => this.definitions);
  readonly #recovery: Recovery;
  readonly #scheduler: Scheduler;
  readonly #router: ImageEventRouter;
  readonly #runs: Runs;

  /** The libraries of the person's Quicklisp; null if nothing is installed for this session's images. */
  readonly libraries: ClientLibraries | null;

  constructor(name: string, options: SessionOptions) {
    this.#name = name;
    this.libraries = options.libraries?.client ?? null;
    this.#recovery = new Recovery(options);
    this.#scheduler = new Scheduler(
      this.#recovery.supervisor,
      () => this.#changed(),
      (evaluation) => this.held.callOf(evaluation) !== null,
    );
    this.#router = new ImageEventRouter(this.#recovery, this.#scheduler, this.events, options);
    this.#runs = new Runs({
      recovery: this.#recovery,
      scheduler: this.#scheduler,
      router: this.#router,
      held: this.held,
      limits: options.limits ?? {},
      waitsForAgents: options.waitsForAgents ?? (() => false),
    });
    this.#recovery.events.on('changed', () => this.#changed());
    for (const event of ['debugger-entered', 'debugger-left'] as const) this.events.on(event, () => this.#changed());
    this.#recovery.events.on('change', (change) => this.events.emit('lifecycle', change));
  }

  get name(): string {
    return this.#name;
  }

  /** Renames the session. `Sessions.rename` ensures that names are unique. */
  set name(name: string) {
    this.#name = name;
    this.#changed();
  }

  /** The systems that were loaded into the running image, in order. */
  get systems(): readonly string[] {
    return this.#recovery.journal.systems.map(({ name }) => name);
  }

  /** The systems that were loaded into the running image, in order, each with the actor that loaded it. */
  get loads(): readonly LoadedSystem[] {
    return this.#recovery.journal.systems;
  }

  /** The journal of definitions in the session's images, with their actors and the person's reviews. */
  get definitions(): DefinitionJournal {
    return this.#recovery.definitions;
  }

  /** The evaluations of agents that the person has not accepted yet, and whether the person's own effects wait until they are accepted. */
  get changes(): ChangesOfAgents {
    return this.#recovery.changes;
  }

  /** The debuggers in which code of the image is waiting. */
  get debuggers(): readonly DebuggerRecord[] {
    return this.#router.debuggers.records;
  }

  /** The summaries of these debuggers, for the window's list. */
  get openDebuggers(): OpenDebuggers {
    return this.#router.debuggers.view();
  }

  /** Returns a debugger in which code is waiting. Throws a WorkbenchError, code `not-found`, if it no longer exists. */
  debugger(id: string): DebuggerRecord {
    return this.#router.debuggers.find(id);
  }

  /** The effects outside the image that agent code is waiting to perform, oldest first. */
  get effects(): readonly Effect<'waiting'>[] {
    return this.#router.effects.all;
  }

  /** The evaluations in progress: first the running ones, then the suspended ones, then the waiting ones. */
  get underway(): readonly TurnRequest[] {
    return this.#scheduler.queue.underway;
  }

  /**
   * Returns true once the image has received the evaluation. An evaluation whose turn has come may not have been sent yet, because the
   * image is starting or being checkpointed.
   */
  hasBegun(evaluation: string): boolean {
    return this.#scheduler.hasBegun(evaluation);
  }

  /** Returns the session's state for the window and clients. */
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

  /**
   * Returns the queue's state, with one exception: an error that is held after its answer has no turn any more, but still counts as
   * waiting.
   */
  #stateWith(state: SessionView['state']): SessionView['state'] {
    return state === 'idle' && this.debuggers.length > 0 ? 'debugging' : state;
  }

  /** True while the core of the next image is being built. This is part of the view, so that each change is reported. */
  get building(): boolean {
    return this.#recovery.status.facts.building;
  }

  /** Starts the image if none is running. @throws WorkbenchError `no-sbcl` or `no-image` with advice. */
  async start(): Promise<void> {
    await this.#recovery.supervisor.image();
  }

  /**
   * Starts the image. If the cause of a failure may be temporary, waits for the automatic retries.
   * @throws WorkbenchError `no-sbcl` or `no-image` if there is no further retry.
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
   * Queues an evaluation and runs it when its turn comes. Always answers: an evaluation that was interrupted, cancelled or lost with its
   * image has a corresponding status.
   * @throws WorkbenchError `no-sbcl` or `no-image` if no image could be started.
   */
  evaluate(request: EvaluationRequest): Promise<Evaluation> {
    return this.#runs.evaluate(request);
  }

  /**
   * Queues any other operation of the worker's lane and runs it when its turn comes. Like `evaluate`, it always answers. `about` describes
   * it in the queue.
   * @throws WorkbenchError `no-sbcl` or `no-image` if no image could be started.
   */
  run<Name extends RunOperation>(
    op: Name,
    request: RunRequest,
    fields: RunFields<Name>,
    about: string,
  ): Promise<RunResult<Name>> {
    return this.#runs.run(op, request, fields, about);
  }

  /** Loads an ASDF system when its turn in the queue comes. */
  loadSystem(request: SystemRequest): Promise<RunResult<'load-system'>> {
    return this.#runs.loadSystem(request);
  }

  /**
   * Compiles and loads source text like a file when its turn in the queue comes. After a crash its definitions are restored as if they had
   * been evaluated.
   */
  compileText(request: TextCompilation): Promise<RunResult<'compile-text'>> {
    return this.#runs.compileText(request);
  }

  /**
   * Compiles and loads an ASDF system when its turn in the queue comes. Continues after failures, and returns the compiler's messages about
   * its files.
   */
  compileSystem(request: SystemCompilation): Promise<RunResult<'compile-system'>> {
    return this.#runs.compileSystem(request);
  }

  /**
   * Restores the previous version of some definitions, or of all definitions of one evaluation, newest first. With `dry` it only reports
   * the outcome. The undo is itself an entry in the history of definitions and can be undone.
   * @throws WorkbenchError `no-sbcl` or `no-image` if no image could be started.
   */
  undoDefinitions(
    request: RunRequest,
    what: RunFields<'undo-definitions'>,
  ): Promise<OperationReply<'undo-definitions'>> {
    return this.#runs.undoDefinitions(request, what);
  }

  /**
   * Returns true if the effect was denied when its system was loaded before. Such an effect is denied again, because a repeated load must
   * not do more than the first one.
   */
  wasDenied(effect: Effect<'waiting'>): boolean {
    return this.#router.wasDenied(effect);
  }

  /** Sends the image a request that does not wait for a turn. */
  async lookUp<Name extends LookUpOperation>(op: Name, fields: OperationRequest<Name>): Promise<OperationReply<Name>> {
    return (await this.#recovery.supervisor.image()).request(op, fields);
  }

  /**
   * Sends the running image a request that does not wait for a turn, and resolves with the reply; null if no image is running. Unlike
   * {@link lookUp}, it never starts an image.
   */
  async lookUpIfUp<Name extends LookUpOperation>(
    op: Name,
    fields: OperationRequest<Name>,
  ): Promise<OperationReply<Name> | null> {
    return (await this.#recovery.supervisor.living?.request(op, fields)) ?? null;
  }

  /** Records that the image uses a library tool that was chosen after its start. */
  noteLibraryTool(tool: LibraryTool): void {
    this.#recovery.status.libraryTool = tool;
  }

  /** Makes SWANK serve a connection in the image. Does not wait for a turn; the threads of SWANK continue as threads of this evaluation. */
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
   * Stops one evaluation; with null, the running one. With `holds`, an evaluation whose errors are held stays in the debugger. Returns
   * false if there was nothing to stop.
   */
  async interrupt(evaluation: string | null, options: { holds?: boolean } = {}): Promise<boolean> {
    return (await this.#scheduler.interrupt(evaluation, options)) || this.held.interrupt(evaluation);
  }

  /**
   * Returns the output that threads and timers of a connection's evaluations printed after the evaluations were answered. The output is
   * returned only once.
   */
  takeLateOutput(connectionId: string): OutputChunk[] {
    return this.#scheduler.late.take(connectionId);
  }

  /**
   * Returns the errors that ended threads of a connection's evaluations after the evaluations were answered. The errors are returned only
   * once.
   */
  takeThreadFailures(connectionId: string): OutputChunk[] {
    return this.#scheduler.late.takeFailures(connectionId);
  }

  /**
   * Makes the image count the output of an evaluation from now on, instead of transferring it. Returns false if the evaluation has ended.
   */
  async discardOutput(evaluation: string): Promise<boolean> {
    return (await this.lookUp('discard-output', { evaluation })).found;
  }

  /** Stops reading from the running image until the returned function is called. Code that prints is blocked until then. */
  holdOutput(): () => void {
    return this.#recovery.supervisor.living?.hold() ?? (() => {});
  }

  /** Stores the answer to a debugger's question for the transcript, until the code has received it. */
  keepAnswer(question: string, text: string): void {
    this.#router.answers(question, text);
  }

  /** Answers a request for the person's input; null is end of file. */
  async answerInput(evaluation: string, text: string | null): Promise<void> {
    this.#router.answers(evaluation, text ?? undefined);
    const { found } = await this.lookUp('input', { evaluation, text });
    if (!found) this.#router.answers(evaluation, undefined);
    if (!found) throw new WorkbenchError('not-found', 'No code is waiting for this input any longer.');
  }

  /**
   * Decides about a waiting effect. Each effect can be decided only once.
   * @throws WorkbenchError `not-found` if the effect is not waiting any more, `wire` if the decision names another path and the effect
   * cannot use one.
   */
  decideEffect(effect: string, decision: EffectDecision): Promise<void> {
    return this.#router.effects.decide(this.#recovery.supervisor.living, effect, decision);
  }

  /**
   * Makes a package the current one of a REPL, if the running image has that package. Returns the current package; null if no image is
   * running.
   */
  async enterPackage(context: string, name: string): Promise<string | null> {
    const reply = await this.lookUpIfUp('enter-package', { context, package: name });
    if (reply && context === PERSON.id) {
      this.#recovery.status.package = reply.package;
      this.#changed();
    }
    return reply?.package ?? null;
  }

  /** Discards the image's data about a connection that will not be used again. */
  forget(connectionId: string): void {
    this.events.emit('forgotten', { connectionId });
    this.#scheduler.late.take(connectionId);
    this.tell('forget-context', { context: connectionId });
  }

  /** Sends the running image a message whose answer is not needed. */
  tell<Name extends LookUpOperation>(op: Name, fields: OperationRequest<Name>): void {
    this.#recovery.supervisor.living?.request(op, fields).catch(() => {});
  }

  /** Starts a fresh image with nothing loaded, at the person's request. The old image's contents can still be replayed. */
  async restart(): Promise<void> {
    this.#recovery.giveUp(endReasons.restartedByPerson);
    await this.#recovery.replace(endReasons.restarted, {
      change: 'restarted',
      summary: 'fresh image, nothing loaded',
    });
  }

  /**
   * Starts a fresh image and loads the previously loaded systems again, in order (decision 14), each for the actor that loaded it. Never
   * fails: returns the systems that did not load, with the reason.
   */
  async reset(actor: Actor): Promise<{ system: string; message: string }[]> {
    const systems = [...this.loads];
    this.#recovery.lostWork.take();
    await this.#recovery.replace(endReasons.reset, { change: 'reset', summary: 'definitions cleared' });
    return loadAgain(this, systems, actor);
  }

  /**
   * Creates a checkpoint of the whole image.
   * @throws WorkbenchError `refused` with the reason why that is not possible now.
   */
  checkpoint(label: string, actor: Actor): Promise<CheckpointRecord> {
    if (actor.kind === 'client') this.held.crowd(actor);
    return this.#recovery.checkpoint(label, actor);
  }

  /**
   * Returns to a checkpoint. Running evaluations are answered as lost. Effects outside the image are not undone.
   * @returns sentences about what was not restored.
   * @throws WorkbenchError `not-found`, or `no-image` if the checkpoint's process does not wake up.
   */
  rewind(id: number, actor: Actor): Promise<readonly string[]> {
    return this.#recovery.rewind(id, actor, () => this.#scheduler.queue.idle);
  }

  /** Returns the saved images, newest first. */
  worlds(): Promise<World[]> {
    return this.#recovery.worlds();
  }

  /**
   * Saves the whole image to disk while it continues to run.
   * @throws WorkbenchError `invalid` for a name that is not a valid file name, `refused` if the image cannot be forked now, with the
   * reason, `system` if writing failed.
   */
  saveWorld(name: string): Promise<void> {
    return this.#recovery.saveWorld(name);
  }

  /**
   * Replaces the running image with a saved one. After it has started, agents' start-up hooks run when their turn in the queue comes; their
   * effects outside the image wait for a decision.
   * @throws WorkbenchError `not-found` or `refused`.
   */
  async openWorld(name: string): Promise<void> {
    await this.#recovery.openWorld(name);
    if ((await this.agentsHooks()).due === 0) return;
    const who = { evaluation: randomUUID(), context: PERSON.id, actor: PERSON };
    // Not awaited: a hook's effect may wait for a decision of the person, who is just opening the saved image.
    this.run('run-start-hooks', who, {}, `hooks of the saved image “${name}”`).catch(() => {}); // the image may have ended
  }

  /**
   * Returns the functions that agents registered to be called by SBCL or UIOP when the image starts, is saved, collects garbage or ends.
   */
  agentsHooks(): Promise<OperationReply<'list-hooks'>> {
    return this.#recovery.agentsHooks();
  }

  /**
   * Writes the image to an executable that runs without the workbench. The image continues to run.
   * @throws WorkbenchError `refused` if the image cannot be forked now, with the reason, or has no such function; `system` if writing
   * failed.
   */
  saveExecutable(request: ExecutableRequest): Promise<void> {
    return this.#recovery.saveExecutable(request);
  }

  removeWorld(name: string): Promise<void> {
    return this.#recovery.removeWorld(name);
  }

  /** Loads the lost systems and evaluates the person's lost definitions in the running image. Reports failures. */
  replay(): Promise<ReplayReport> {
    return replayLost(this, this.#recovery.lostWork, () => this.#changed());
  }

  /** The clients whose code ran in the image. */
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

  #changed(): void {
    this.events.emit('changed', undefined);
  }
}
