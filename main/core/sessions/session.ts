/** One image as the rest of the workbench sees it: evaluations take turns in it, and whatever happens to the process, each gets an answer. */
import { randomUUID } from 'node:crypto';
import type { DebuggerRecord } from '#contract/debugger.ts';
import type { EffectDecision, EffectRecord } from '#contract/effect.ts';
import type { EvaluationReport } from '#contract/evaluation.ts';
import { PERSON, type Actor, type CheckpointRecord, type Session as SessionView } from '#contract/session.ts';
import { Emitter } from '#core/emitter.ts';
import { WorkbenchError } from '#core/error.ts';
import type {
  EvaluatedForm,
  LookUpOperation,
  OperationReply,
  OperationRequest,
  RunOperation,
  WorkerOperation,
} from '#core/lisp/messages.ts';
import type { DefinitionJournal } from './definition-journal.ts';
import { ImageLife, type LifeOptions, type SessionLimits } from './life.ts';
import { ImageNews, type SessionEvents } from './news.ts';
import type { Evaluation, EvaluationRequest, RunFields, RunRequest, RunResult } from './requests.ts';
import { loadAgain, replayLost, type ReplayReport } from './replay.ts';
import { lostEvaluation, lostRun, summarize } from './report.ts';
import { Runner, type Run, type RunOutcome } from './runner.ts';
import type { TurnRequest } from './turns.ts';
import { journalUndone } from './undo.ts';
import type { World } from './worlds.ts';

const LIMITS: SessionLimits = { seconds: null, output: 1_000_000, value: 200_000 };

export class Session {
  readonly id = randomUUID();
  readonly name: string;
  readonly events = new Emitter<SessionEvents>();
  readonly #life: ImageLife;
  readonly #runner: Runner;
  readonly #news: ImageNews;
  readonly #limits: SessionLimits;

  constructor(name: string, options: LifeOptions) {
    this.name = name;
    this.#limits = { ...LIMITS, ...options.limits };
    this.#life = new ImageLife(options);
    this.#runner = new Runner(this.#life.keeper, () => this.#changed());
    this.#news = new ImageNews(this.#life, this.#runner, this.events, options.effects ?? 'allow');
    this.#life.events.on('changed', () => this.#changed());
    this.#life.events.on('change', (change) => this.events.emit('life', change));
  }

  /** What happened to definitions in its images, with who did it and what was looked at. */
  get definitions(): DefinitionJournal {
    return this.#life.definitions;
  }

  /** Where code of the image waits in the debugger. */
  get debuggers(): readonly DebuggerRecord[] {
    return this.#news.debuggers.all;
  }

  /** What agent code waits to do outside the image, oldest first. */
  get effects(): readonly EffectRecord[] {
    return this.#news.effects.all;
  }

  /** What has a turn or waits for one: that which runs first, then those that are set aside, then the queue. */
  get underway(): readonly TurnRequest[] {
    const { running, parked, waiting } = this.#runner.turns;
    return [...(running ? [running] : []), ...parked, ...waiting];
  }

  /** The state as everybody sees it. */
  view(): SessionView {
    const { running, parked, waiting } = this.#runner.turns;
    return {
      ...this.#life.view(),
      id: this.id,
      name: this.name,
      state: this.#state(),
      running,
      parked,
      asked: this.#news.effects.view(),
      waiting: waiting.map(({ evaluation, actor, summary }) => ({ evaluation, actor, summary })),
    };
  }

  /** Starts the image if none runs. @throws WorkbenchError `no-sbcl` or `no-image` with what to do. */
  async start(): Promise<void> {
    await this.#life.keeper.image();
  }

  /**
   * Evaluates in turn. Always answers: an evaluation that was interrupted, cancelled or lost with its image has that as
   * its status.
   * @throws WorkbenchError `no-sbcl` or `no-image` when no image could be started.
   */
  async evaluate(request: EvaluationRequest): Promise<Evaluation> {
    const { evaluation, actor, context, code, interactive, source } = request;
    const fields = {
      evaluation,
      context,
      actor: actor.id,
      code,
      package: request.package,
      interactive,
      source,
      outputLimit: this.#limits.output,
      valueLimit: this.#limits.value,
      keepValues: request.keepValues ?? false,
      onError: request.onError ?? ('report' as const),
      guard: actor.kind === 'client',
    };
    const { reply, output } = await this.#remembered({
      ...turnOf(request, summarize(code)),
      ...this.#timeLimit(actor),
      op: 'evaluate',
      fields,
      ...(actor.kind === 'client' ? { prepare: (image) => this.#life.prepare(image, request) } : {}),
      lost: (message) => ({ ...lostEvaluation(message, this.#life.package), ...this.#news.effects.past(evaluation) }),
    });
    this.#life.journal.record(actor, code, reply.forms, source);
    if (context === PERSON.id && reply.status !== 'lost') this.#life.package = reply.package;
    return { report: reportOf(evaluation, reply), output, debugger: reply.debugger };
  }

  /**
   * Runs another operation of the worker's lane in turn; like `evaluate` it always answers. `summary` is what the queue
   * shows meanwhile.
   * @throws WorkbenchError `no-sbcl` or `no-image` when no image could be started.
   */
  async run<Name extends RunOperation>(
    op: Name,
    request: RunRequest,
    fields: RunFields<Name>,
    summary: string,
  ): Promise<RunResult<Name>> {
    const { evaluation, context, actor } = request;
    const onError = request.onError ?? 'report';
    const own = {
      evaluation,
      context,
      actor: actor.id,
      outputLimit: this.#limits.output,
      onError,
      guard: actor.kind === 'client',
    };
    return this.#remembered({
      ...turnOf(request, summary),
      ...this.#timeLimit(actor),
      op,
      fields: { ...own, ...fields } as unknown as OperationRequest<Name>,
      ...(actor.kind === 'client' || op === 'load-system'
        ? { prepare: (image) => this.#life.prepare(image, request, summary) }
        : {}),
      lost: (message) =>
        ({ ...lostRun(message), ...this.#news.effects.past(evaluation) }) as unknown as OperationReply<Name>,
    });
  }

  /** Loads an ASDF system in turn. */
  async loadSystem(request: RunRequest & { system: string }): Promise<RunResult<'load-system'>> {
    const { system, ...who } = request;
    const result = await this.run('load-system', who, { system }, `load ${system}`);
    if (result.reply.result) this.#life.journal.recordSystem(result.reply.result.name);
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
      await journalUndone(this.#life.journal, reply.result.undone, (op, fields) => this.lookUp(op, fields));
    return reply;
  }

  /** Asks the image something that does not wait for a turn. */
  async lookUp<Name extends LookUpOperation>(op: Name, fields: OperationRequest<Name>): Promise<OperationReply<Name>> {
    return (await this.#life.keeper.image()).request(op, fields);
  }

  /** Stops one evaluation, or with null whatever runs. False when there was nothing to stop. */
  interrupt(evaluation: string | null): Promise<boolean> {
    return this.#runner.interrupt(evaluation);
  }

  /** Answers a read of the person's input; null is end of file. */
  async answerInput(evaluation: string, text: string | null): Promise<void> {
    const { found } = await this.lookUp('input', { evaluation, text });
    if (!found) throw new WorkbenchError('not-found', 'Nothing waits for this input any more.');
  }

  /**
   * Decides about an effect that waits. Single use.
   * @throws WorkbenchError `not-found` when nothing waits for it any more, `wire` for another path where none can be used.
   */
  decideEffect(effect: string, decision: EffectDecision): Promise<void> {
    return this.#news.effects.decide(this.#life.keeper.living, effect, decision);
  }

  /** A context that nobody will use again. */
  forget(context: string): void {
    this.events.emit('forgotten', { context });
    this.tell('forget-context', { context });
  }

  /** Tells the living image something whose answer nobody needs. */
  tell<Name extends LookUpOperation>(op: Name, fields: OperationRequest<Name>): void {
    this.#life.keeper.living?.request(op, fields).catch(() => {});
  }

  /** A fresh image with nothing loaded, at the person's wish. What the old one held can still be replayed. */
  async restart(): Promise<void> {
    this.#life.losses.remember('You restarted the image.', this.#life.journal.state());
    await this.#life.replace('The image was restarted.', {
      change: 'restarted',
      summary: 'fresh image, nothing loaded',
    });
  }

  /**
   * The pristine image with the systems that were loaded, loaded again in order (REQUIREMENTS decision 14). Never fails:
   * gives back the systems that did not load, with why.
   */
  async reset(actor: Actor): Promise<{ system: string; message: string }[]> {
    const systems = [...this.#life.journal.systems];
    this.#life.losses.take();
    await this.#life.replace('The session was reset.', { change: 'reset', summary: 'definitions cleared' });
    return loadAgain(this, systems, actor);
  }

  /**
   * Copies the whole image, so that it can be gone back to.
   * @throws WorkbenchError `refused` with why that is not possible now.
   */
  checkpoint(label: string, actor: Actor): Promise<CheckpointRecord> {
    return this.#life.checkpoint(label, actor);
  }

  /**
   * Goes back to a checkpoint; what runs now is answered as lost. What happened outside the image is not undone.
   * @returns sentences about what did not come back.
   * @throws WorkbenchError `not-found`, or `no-image` when the checkpoint does not wake up.
   */
  rewind(id: number, actor: Actor): Promise<readonly string[]> {
    const { turns } = this.#runner;
    return this.#life.rewind(id, actor, () => turns.running === null && turns.parked.length === 0);
  }

  /** Saved worlds, newest first. */
  worlds(): Promise<World[]> {
    return this.#life.worlds();
  }

  /**
   * Keeps the whole image on disk; it goes on meanwhile.
   * @throws WorkbenchError `invalid` for a bad name, `refused` with why it cannot be copied now, `system` when writing failed.
   */
  saveWorld(name: string): Promise<void> {
    return this.#life.saveWorld(name);
  }

  /** Goes on with a saved world in place of the image. @throws WorkbenchError `not-found` or `refused`. */
  openWorld(name: string): Promise<void> {
    return this.#life.openWorld(name);
  }

  removeWorld(name: string): Promise<void> {
    return this.#life.removeWorld(name);
  }

  /** Loads the lost systems and evaluates the person's lost definitions in the living image; tells what failed. */
  replay(): Promise<ReplayReport> {
    return replayLost(this, this.#life.losses, () => this.#changed());
  }

  dismissLost(): void {
    this.#life.losses.take();
    this.#changed();
  }

  async dispose(): Promise<void> {
    await this.#life.keeper.dispose();
  }

  /** Runs it, and knows what it did outside should the image end before it answers. */
  async #remembered<Name extends WorkerOperation>(run: Run<Name>): Promise<RunOutcome<Name>> {
    this.#news.effects.begin(run.evaluation);
    try {
      return await this.#runner.run(run);
    } finally {
      this.#news.effects.forget(run.evaluation);
    }
  }

  /** The person can interrupt; an agent's evaluation that nobody waits for any more must end by itself. */
  #timeLimit(actor: Actor): { seconds?: number } {
    return actor.kind === 'person' || this.#limits.seconds === null ? {} : { seconds: this.#limits.seconds };
  }

  #state(): SessionView['state'] {
    if (this.#life.state !== 'running') return this.#life.state;
    if (this.#runner.turns.running) return 'evaluating';
    const { parked } = this.#runner.turns;
    if (parked.length === 0) return 'idle';
    if (parked.every(({ evaluation }) => this.#news.effects.waits(evaluation))) return 'waiting-for-approval';
    return parked.every(({ evaluation }) => this.#news.debuggers.of(evaluation)) ? 'debugging' : 'waiting-for-input';
  }

  #changed(): void {
    this.events.emit('changed', undefined);
  }
}

function turnOf(
  { evaluation, actor, context, urgent, signal }: RunRequest,
  summary: string,
): TurnRequest & { signal?: AbortSignal } {
  return { evaluation, actor, summary, context, urgent: urgent ?? false, ...(signal ? { signal } : {}) };
}

function reportOf(
  evaluation: string,
  reply: OperationReply<'evaluate'> & { forms: EvaluatedForm[] },
): EvaluationReport {
  const { forms, ...rest } = reply;
  return { evaluation, ...rest, formCount: forms.length };
}
