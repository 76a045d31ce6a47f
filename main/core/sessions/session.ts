/** One image as the rest of the workbench sees it: evaluations take turns in it, and whatever happens to the process, each gets an answer. */
import { randomUUID } from 'node:crypto';
import type { DebuggerRecord, OpenDebuggers } from '#contract/image/debugger.ts';
import type { EffectDecision, Effect } from '#contract/decisions/effect.ts';
import { PERSON } from '#contract/clients/known-actors.ts';
import type { Actor, CheckpointRecord, Session as SessionView } from '#contract/image/session.ts';
import { Emitter } from '#core/base/emitter.ts';
import { WorkbenchError } from '#core/base/error.ts';
import { endReasons } from '#core/lisp/image-end.ts';
import type { LookUpOperation, OperationReply, OperationRequest, RunOperation } from '#core/lisp/messages.ts';
import { HeldEvaluations } from './held-evaluations.ts';
import type { ChangesOfAgents } from './agents-changes.ts';
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
  /** Evaluations of clients that were answered and wait in the debugger. */
  readonly held = new HeldEvaluations();
  readonly #recovery: Recovery;
  readonly #scheduler: Scheduler;
  readonly #router: ImageEventRouter;
  readonly #runs: Runs;

  constructor(name: string, options: SessionOptions) {
    this.#name = name;
    this.#recovery = new Recovery(options);
    this.#scheduler = new Scheduler(
      this.#recovery.supervisor,
      () => this.#changed(),
      (evaluation) => this.held.callOf(evaluation) !== null,
    );
    this.#router = new ImageEventRouter(this.#recovery, this.#scheduler, this.events, options.effects ?? 'allow');
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
  evaluate(request: EvaluationRequest): Promise<Evaluation> {
    return this.#runs.evaluate(request);
  }

  /**
   * Runs another operation of the worker's lane in turn; like `evaluate` it always answers. `about` is what the queue
   * shows meanwhile.
   * @throws WorkbenchError `no-sbcl` or `no-image` when no image could be started.
   */
  run<Name extends RunOperation>(
    op: Name,
    request: RunRequest,
    fields: RunFields<Name>,
    about: string,
  ): Promise<RunResult<Name>> {
    return this.#runs.run(op, request, fields, about);
  }

  /** Loads an ASDF system in turn. */
  loadSystem(request: SystemRequest): Promise<RunResult<'load-system'>> {
    return this.#runs.loadSystem(request);
  }

  /** Compiles and loads a text in turn, as a file is compiled; what it defines comes back after a crash as if it had been evaluated. */
  compileText(request: TextCompilation): Promise<RunResult<'compile-text'>> {
    return this.#runs.compileText(request);
  }

  /** Compiles and loads an ASDF system in turn, to its end whatever fails, with what the compiler says of its files. */
  compileSystem(request: SystemCompilation): Promise<RunResult<'compile-system'>> {
    return this.#runs.compileSystem(request);
  }

  /**
   * Puts back what was there before some definitions, or before all of one evaluation, newest first; with `dry` it only
   * tells what would come of it. It is an entry in the history of definitions itself, and can be undone.
   * @throws WorkbenchError `no-sbcl` or `no-image` when no image could be started.
   */
  undoDefinitions(
    request: RunRequest,
    what: RunFields<'undo-definitions'>,
  ): Promise<OperationReply<'undo-definitions'>> {
    return this.#runs.undoDefinitions(request, what);
  }

  /** True when the effect was denied when its system was loaded before, and is denied again: the load repeats nothing else either. */
  wasDenied(effect: Effect<'waiting'>): boolean {
    return this.#router.wasDenied(effect);
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
    if (!found) throw new WorkbenchError('not-found', 'No code is waiting for this input any longer.');
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
    this.#recovery.giveUp(endReasons.restartedByPerson);
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

  #changed(): void {
    this.events.emit('changed', undefined);
  }
}
