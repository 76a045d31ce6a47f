/**
 * Queues evaluations and other operations of an image, and runs each when its turn comes. Sets their limits, creates the checkpoint before
 * them, and records them in the journal.
 */
import { PERSON } from '#contract/clients/known-actors.ts';
import type { Actor } from '#contract/image/session.ts';
import type { OperationReply, OperationRequest, RunOperation, WorkerOperation } from '#core/lisp/messages.ts';
import { readsOnly } from './checkpoints/read-only.ts';
import { journalUndone } from './definitions/undo.ts';
import type { HeldEvaluations } from './held-evaluations.ts';
import type { ImageEventRouter } from './image-events.ts';
import { lostEvaluation, lostRun, reportOf, summarize } from './report.ts';
import {
  besides,
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
import type { Run, RunOutcome, Scheduler } from './scheduler/scheduler.ts';
import type { Recovery, SessionLimits } from './supervisor/recovery.ts';

/** The parts of a session that its runs use. */
export interface RunParts {
  readonly recovery: Recovery;
  readonly scheduler: Scheduler;
  readonly router: ImageEventRouter;
  readonly held: HeldEvaluations;
  readonly limits: Partial<SessionLimits>;
  /** Returns true if the person's evaluations wait for a running evaluation of an agent. */
  readonly waitsForAgents: () => boolean;
}

const LIMITS: SessionLimits = { seconds: null, output: 1_000_000, value: 200_000 };

/** The policy that makes frames keep all variables. The debugger uses the same one to recompile a function. */
const FOR_DEBUGGING = { debug: 3, speed: 1, space: 1, compilationSpeed: 1 };

export class Runs {
  readonly #parts: RunParts;
  readonly #limits: SessionLimits;

  constructor(parts: RunParts) {
    this.#parts = parts;
    this.#limits = { ...LIMITS, ...parts.limits };
  }

  /**
   * Queues an evaluation and runs it when its turn comes. Always answers: an evaluation that was interrupted, cancelled or lost with its
   * image has a corresponding status.
   * @throws WorkbenchError `no-sbcl` or `no-image` if no image could be started.
   */
  async evaluate(request: EvaluationRequest): Promise<Evaluation> {
    const { evaluation, actor, context, code, interactive, source } = request;
    const reads = readsOnly(code);
    const preparing = { actor, context, readsOnly: reads };
    const beside = besides('evaluate', request, this.#parts.waitsForAgents());
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
        ? { readsOnly: reads, prepare: (image) => this.#parts.recovery.automatic.prepare(image, preparing) }
        : {}),
      // Recorded here, so that a checkpoint requested in the meantime contains these definitions.
      answered: (reply) => {
        const { forms, package: pkg } = reply;
        this.#parts.recovery.journal.record(actor, code, forms, source);
        this.#parts.recovery.automatic.answered(this.#parts.recovery.supervisor.living, {
          fields,
          reply,
          actor,
          readsOnly: actor.kind === 'client' && reads,
        });
        if (context === PERSON.id) this.#parts.recovery.status.package = pkg;
      },
      lost: (message) => ({
        ...lostEvaluation(message, this.#parts.recovery.status.package),
        ...this.#parts.router.effects.past(evaluation),
      }),
    });
    this.#prepareNext(preparing);
    return { report: reportOf(evaluation, reply), output, debugger: reply.debugger };
  }

  /**
   * Queues any other operation of the worker's lane and runs it when its turn comes. Like `evaluate`, it always answers. `about` describes
   * it in the queue.
   * @throws WorkbenchError `no-sbcl` or `no-image` if no image could be started.
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
    const beside = besides(op, request, this.#parts.waitsForAgents());
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
        ? { prepare: (image) => this.#parts.recovery.automatic.prepare(image, request, summary) }
        : {}),
      lost: (message) =>
        ({ ...lostRun(message), ...this.#parts.router.effects.past(evaluation) }) as unknown as OperationReply<Name>,
    });
    this.#prepareNext(request, summary);
    return answer;
  }

  /** Loads an ASDF system when its turn in the queue comes. */
  async loadSystem(request: SystemRequest): Promise<RunResult<'load-system'>> {
    const { system, denied = [], without = [], install = true, ...who } = request;
    const forget = this.#parts.router.denyAgain(request.evaluation, denied);
    try {
      const result = await this.run(
        'load-system',
        who,
        { system, without: [...without], onlyInstalled: !install },
        `load ${system}`,
      );
      const { name } = result.reply.result ?? {};
      if (name !== undefined) this.#parts.recovery.journal.recordRequest({ name, actor: request.actor, denied });
      return result;
    } finally {
      forget();
    }
  }

  /**
   * Compiles and loads source text like a file when its turn in the queue comes. After a crash its definitions are restored as if they had
   * been evaluated.
   */
  async compileText(request: TextCompilation): Promise<RunResult<'compile-text'>> {
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
    if (result?.loaded) this.#parts.recovery.journal.record(request.actor, text, result.forms, source);
    return answer;
  }

  /**
   * Compiles and loads an ASDF system when its turn in the queue comes. Continues after failures, and returns the compiler's diagnostics
   * for its files.
   */
  async compileSystem(request: SystemCompilation): Promise<RunResult<'compile-system'>> {
    const { system, force, without = [], ...who } = request;
    const fields = { system, force, without: [...without], keepGoing: true };
    const result = await this.run('compile-system', who, fields, `load ${system}`);
    const { result: load } = result.reply;
    if (load?.loaded) this.#parts.recovery.journal.recordRequest({ name: load.name, actor: request.actor, denied: [] });
    return result;
  }

  /**
   * Restores the state before some definitions, or before all definitions of one evaluation, newest first; with `dry` it only returns the
   * expected result. The undo is itself an entry in the definition history, and can be undone.
   * @throws WorkbenchError `no-sbcl` or `no-image` if no image could be started.
   */
  async undoDefinitions(
    request: RunRequest,
    what: RunFields<'undo-definitions'>,
  ): Promise<OperationReply<'undo-definitions'>> {
    const { recovery } = this.#parts;
    const { reply } = await this.run('undo-definitions', request, what, 'undo');
    if (!what.dry && reply.result)
      await journalUndone(recovery.journal, reply.result.undone, async (op, fields) =>
        (await recovery.supervisor.image()).request(op, fields),
      );
    return reply;
  }

  /** Runs an operation and records its effects outside the image, in case the image ends before it answers. */
  async #remembered<Name extends WorkerOperation>(run: Run<Name>): Promise<RunOutcome<Name>> {
    this.#parts.router.effects.begin(run.evaluation, run.fields.actor);
    this.#parts.router.debuggers.began(run);
    if (run.actor.kind === 'client') this.#parts.held.crowd(run.actor);
    try {
      return await this.#parts.scheduler.run(run);
    } finally {
      this.#parts.router.effects.forget(run.evaluation);
    }
  }

  /** Prepares the checkpoint before an agent's next call in advance, after its last run ended and while the agent considers the answer. */
  #prepareNext(request: { actor: Actor; readsOnly?: boolean }, what?: string): void {
    const { idle } = this.#parts.scheduler.queue;
    if (request.actor.kind === 'client' && idle && this.#parts.recovery.status.state === 'running')
      this.#parts.recovery.automatic.prepareNext(this.#parts.recovery.supervisor.living, request, what);
  }

  /**
   * Returns the time limit for an actor's evaluations. The person can interrupt an evaluation; an agent's evaluation must end
   * automatically, because its client may have stopped waiting.
   */
  #timeLimit(actor: Actor): { seconds?: number } {
    return actor.kind === 'person' || this.#limits.seconds === null ? {} : { seconds: this.#limits.seconds };
  }
}
