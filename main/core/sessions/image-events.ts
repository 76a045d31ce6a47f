/**
 * Routes the events that an image sends on its own to the scheduler, to the records of debuggers, effects and definitions, and to the
 * session's listeners.
 */
import type { FilesCompiled } from '#contract/image/compilation.ts';
import type { DebuggerRecord } from '#contract/image/debugger.ts';
import type { DefinitionEvent } from '#contract/image/definition.ts';
import type { Effect } from '#contract/decisions/effect.ts';
import type { EvaluationReport, TranscriptStream } from '#contract/image/evaluation.ts';
import type { SystemProgress } from '#contract/image/system.ts';
import type { TestResult } from '#contract/image/testing.ts';
import { nameInId, UNKNOWN_CLIENT } from '#contract/clients/actor-id.ts';
import { EMACS, isPersonId, knownActor, PERSON } from '#contract/clients/known-actors.ts';
import type { Actor } from '#contract/image/session.ts';
import type { Emitter } from '#core/base/emitter.ts';
import { describeEnd, endReasons } from '#core/lisp/image-end.ts';
import type { ImageEvent } from '#core/lisp/messages.ts';
import { deniedKey } from './checkpoints/journal.ts';
import { Debuggers } from './debuggers.ts';
import { LibraryRequests } from './systems/library-requests.ts';
import { Effects } from './effects.ts';
import type { LifecycleChange, Recovery, SessionOptions } from './supervisor/recovery.ts';
import type { TurnRequest } from './scheduler/run-queue.ts';
import type { Scheduler } from './scheduler/scheduler.ts';

type ImageEventOf<Name extends ImageEvent['event']> = Extract<ImageEvent, { event: Name }>;

/** All events of a session. */
export interface SessionEvents {
  /** Part of the session's view has changed. Listeners read the view if they need it. */
  changed: void;
  lifecycle: LifecycleChange;
  output: { evaluation: string | null; stream: TranscriptStream; text: string };
  /** The context of this connection will not be used again. */
  forgotten: { connectionId: string };
  'input-requested': { evaluation: string };
  /** The person's code called INSPECT on the object of this handle, which is held for the evaluation. */
  'inspection-wanted': { evaluation: string; handle: number };
  'editing-wanted': { file: string | null; name: string | null };
  /** Diagnostics of files that the person's code compiled. */
  'files-compiled': FilesCompiled;
  'definitions-changed': {
    evaluation: string | null;
    actor: string | null;
    /** The names of the packages that changed. */
    packages: string[];
    removedPackages: string[];
  };
  /** The events of definitions in one evaluation; `more` is the number of other events, which are left out. */
  'definition-events': { evaluation: string | null; events: DefinitionEvent[]; more: number };
  'debugger-entered': DebuggerRecord;
  'debugger-left': { debugger: string; evaluation: string };
  /** The functions or condition types of requested breakpoints have changed in the image. */
  'breakpoints-changed': Pick<
    Extract<ImageEvent, { event: 'breakpoints-changed' }>,
    'functions' | 'conditions' | 'revision'
  >;
  /** Code that runs in this debugger has asked the person a question, or has stopped waiting for the answer. */
  'debugger-question': { debugger: string };
  /** Agents' code is waiting for a decision about an effect outside the image; `Session.decideEffect` decides it. */
  'effect-requested': Effect<'waiting'>;
  /** The wait for an effect is over, whatever the reason. Sent for every effect that waited, even if the session decided automatically. */
  'effect-settled': Effect<'settled'>;
  /** An effect that happened or was denied without a question. */
  'effect-recorded': Effect<'recorded'>;
  /** An agent's code removed the guard from these operators; the guard has been restored. */
  'guard-tampered': { evaluation: string; actor: string; operators: string[] };
  /** Calls of traced functions. */
  trace: Extract<ImageEvent, { event: 'trace' }>;
  /** Marked forms were evaluated; the event has the current counts. */
  'values-recorded': Pick<ImageEventOf<'values-recorded'>, 'forms'>;
  /** Definitions were evaluated again without the marks of these forms. */
  'recordings-ended': Pick<ImageEventOf<'recordings-ended'>, 'forms'>;
  /** A test of a run has started. */
  'test-started': { evaluation: string; test: string };
  /** The result of a test of a run. */
  'test-finished': TestResult;
  /** The progress of a load, a compilation or a test of a system. */
  'system-progress': SystemProgress;
  /** Emacs has started an evaluation through SWANK. */
  'swank-evaluation-started': Pick<ImageEventOf<'swank-evaluation-started'>, 'evaluation' | 'code' | 'package'>;
  'swank-evaluation-finished': Pick<ImageEventOf<'swank-evaluation-finished'>, 'evaluation' | 'ok' | 'realMs'>;
  /** The end of an evaluation that was held in the debugger after its answer. */
  'evaluation-continued': { evaluation: string } & Pick<EvaluationReport, 'status' | 'values' | 'condition'>;
}

export class ImageEventRouter {
  readonly #events: Emitter<SessionEvents>;
  readonly debuggers = new Debuggers();
  readonly effects: Effects;
  readonly #recovery: Recovery;
  readonly #scheduler: Scheduler;
  /** Answers that the reading code has not received yet, by the id of the read. */
  readonly #answers = new Map<string, string>();
  /** Effects that were denied during an earlier load of the system, by the evaluation that loads it again. */
  readonly #denied = new Map<string, ReadonlySet<string>>();
  /** True from the first code of a fresh image until the image has started. */
  #inNewLife = false;
  /** The code of the current evaluations from Emacs, by evaluation. */
  readonly #ofEmacs = new Map<string, string>();

  readonly #libraries: LibraryRequests;

  constructor(
    recovery: Recovery,
    scheduler: Scheduler,
    events: Emitter<SessionEvents>,
    { effects = 'allow', libraries }: Pick<SessionOptions, 'effects' | 'libraries'>,
  ) {
    this.effects = new Effects(effects);
    this.#events = events;
    this.#recovery = recovery;
    this.#scheduler = scheduler;
    this.#libraries = new LibraryRequests({
      effects: this.effects,
      image: () => recovery.supervisor.living,
      tool: () => recovery.status.facts.libraryTool,
      libraries,
    });
    const image = recovery.supervisor.events;
    image.on('process-output', (chunk) => {
      scheduler.collectOfProcess(chunk);
      this.#events.emit('output', { evaluation: null, stream: 'process', text: chunk.text });
    });
    image.on('event', (event) => this.#take(event));
    image.on('ended', ({ end }) => this.#lifeOver(describeEnd(end)));
    image.on('init-starting', ({ evaluation }) => {
      this.#beginLife();
      this.effects.begin(evaluation, PERSON.id);
    });
    image.on('started', () => {
      this.#beginLife();
      this.#inNewLife = false;
    });
    image.on('rewound', ({ end, planned }) => this.#lifeOver(planned ? endReasons.wentBack : describeEnd(end)));
  }

  /** Begins the life of a fresh image's definitions, once: before its first code runs, or when it has started. */
  #beginLife(): void {
    if (!this.#inNewLife) this.#recovery.definitions.beginLife();
    this.#inNewLife = true;
  }

  /** Ends the effects and debuggers of a process that has ended, because the process did not report their end itself. */
  #lifeOver(why: string): void {
    this.#libraries.end();
    this.#answers.clear();
    for (const evaluation of this.#ofEmacs.keys())
      this.#events.emit('swank-evaluation-finished', { evaluation, ok: false, realMs: 0 });
    this.#ofEmacs.clear();
    for (const settled of this.effects.lose()) this.#events.emit('effect-settled', settled);
    for (const { id, evaluation } of this.debuggers.lose(why))
      this.#events.emit('debugger-left', { debugger: id, evaluation });
  }

  /**
   * Stores the answer to a read of the person's input until the code receives it. With undefined, deletes the stored answer. The read has
   * the id of its evaluation, or of the question in a debugger.
   */
  answers(read: string, text: string | undefined): void {
    if (text === undefined) this.#answers.delete(read);
    else this.#answers.set(read, text);
  }

  /**
   * Reports an answer when the code reads it, so that the answer comes before the code's next output. `evaluation` is null if no transcript
   * shows the answer.
   */
  #answerRead(read: string, evaluation: string | null): void {
    const text = this.#answers.get(read);
    this.#answers.delete(read);
    if (text && evaluation !== null)
      this.#events.emit('output', { evaluation, stream: 'input', text: text.replace(/\n?$/, '\n') });
  }

  #take(event: ImageEvent): void {
    switch (event.event) {
      case 'output': {
        const { evaluation, stream, text } = event;
        if (stream === 'terminal') return this.#events.emit('output', { evaluation, stream: 'process', text });
        this.#scheduler.collect(evaluation, { stream, text });
        return this.#events.emit('output', { evaluation, stream, text });
      }
      case 'input-requested':
        this.#scheduler.suspend(event.evaluation, { kind: 'input' });
        return this.#events.emit('input-requested', { evaluation: event.evaluation });
      case 'input-received':
        this.#scheduler.resume(event.evaluation, { kind: 'input' });
        return this.#answerRead(event.evaluation, event.evaluation);
      case 'debugger-entered':
        this.debuggers.entered(event.debugger, this.#turnOf(event.debugger.evaluation));
        this.#scheduler.suspend(event.debugger.evaluation, { kind: 'debugger', id: event.debugger.id });
        return this.#events.emit('debugger-entered', event.debugger);
      case 'debugger-left':
        this.debuggers.left(event.debugger);
        this.#scheduler.resume(event.evaluation, { kind: 'debugger', id: event.debugger });
        return this.#events.emit('debugger-left', { debugger: event.debugger, evaluation: event.evaluation });
      case 'breakpoints-changed':
        return this.#events.emit('breakpoints-changed', event);
      case 'question-asked':
        this.debuggers.asked(event.debugger, event.question);
        return this.#events.emit('debugger-question', { debugger: event.debugger });
      case 'question-over':
        this.#answerRead(event.question, this.debuggers.answered(event.debugger, event.question));
        return this.#events.emit('debugger-question', { debugger: event.debugger });
      case 'effect-requested':
        return this.#effectRequested(event.effect);
      case 'effect-settled':
        return this.#effectSettled(event);
      case 'effect-recorded': {
        const { event: _event, ...effect } = event;
        if (!this.effects.recorded(effect)) return;
        return this.#events.emit('effect-recorded', effect);
      }
      case 'agents-changed':
        return this.#recovery.changes.told(event);
      case 'guard-tampered':
        return this.#guardTampered(event);
      case 'definitions-changed':
        return this.#reportDefinitions(event);
      case 'system-loaded':
        return this.#systemLoaded(event);
      case 'definition-events':
        // A definition counts as the person's only if the session started its evaluation for the person, regardless of other claims.
        this.#recovery.definitions.record(
          event.events,
          event.more,
          ({ actor, evaluation }) =>
            isPersonId(actor) && evaluation !== null && this.effects.believes(evaluation, actor),
        );
        return this.#events.emit('definition-events', event);
      case 'trace':
        return this.#events.emit('trace', event);
      case 'values-recorded':
        return this.#events.emit('values-recorded', { forms: event.forms });
      case 'recordings-ended':
        return this.#events.emit('recordings-ended', { forms: event.forms });
      case 'libraries-sought':
        return void this.#libraries.sought(event);
      case 'libraries-wanted':
        return void this.#libraries.wanted(event);
      case 'dist-change-sought':
        return void this.#libraries.changeSought(event);
      case 'dist-change-wanted':
        return void this.#libraries.changeWanted(event);
      case 'libraries-abandoned':
        return this.#libraries.abandoned(event.request);
      case 'system-progress':
        return this.#events.emit('system-progress', event);
      case 'test-started':
        return this.#events.emit('test-started', { evaluation: event.evaluation, test: event.test });
      case 'test-finished': {
        const { event: _event, ...result } = event;
        return this.#events.emit('test-finished', result);
      }
      case 'swank-evaluation-started':
        return this.#swankStarted(event);
      case 'swank-evaluation-finished':
        return this.#swankFinished(event);
      case 'evaluation-continued':
        return this.#events.emit('evaluation-continued', event);
      case 'inspection-wanted':
        return this.#events.emit('inspection-wanted', { evaluation: event.evaluation, handle: event.handle });
      case 'editing-wanted':
        return this.#events.emit('editing-wanted', { file: event.file, name: event.name });
      case 'files-compiled':
        return this.#events.emit('files-compiled', { evaluation: event.evaluation, files: event.files });
      case 'exiting':
        return this.#scheduler.imageExits(event.evaluation);
      case 'thread-failed': {
        const text = `;; Thread ${event.thread} ended: ${event.condition.type}: ${event.condition.message}\n`;
        const evaluation = this.effects.believes(event.evaluation, EMACS.id) ? null : event.evaluation;
        this.#scheduler.threadFailed(evaluation, text + innermost(event.condition));
        return this.#events.emit('output', { evaluation, stream: 'stderr', text });
      }
      case 'ready':
      case 'woken':
      case 'world-saved':
        return;
    }
  }

  /**
   * Records the actor that loaded a system, and the effects denied during the load. The person counts as the actor only for an evaluation
   * that the session started for them.
   */
  #systemLoaded({ evaluation, actor, system: name, files }: ImageEventOf<'system-loaded'>): void {
    const isTheirs = evaluation !== null && this.effects.believes(evaluation, actor);
    const id = actor === null || (isPersonId(actor) && !isTheirs) ? UNKNOWN_CLIENT : actor;
    const loader: Actor = knownActor(id) ?? { id, kind: 'client', name: nameInId(id) };
    this.#recovery.journal.recordSystem({ name, actor: loader, denied: this.effects.denied(evaluation) }, files);
  }

  /** Denies an evaluation's effects that were denied before, until the returned function is called. */
  denyAgain(evaluation: string, keys: readonly string[]): () => void {
    this.#denied.set(evaluation, new Set(keys));
    return () => void this.#denied.delete(evaluation);
  }

  wasDenied(effect: Effect<'waiting'>): boolean {
    return this.#denied.get(effect.evaluation ?? '')?.has(deniedKey(effect)) ?? false;
  }

  #turnOf(evaluation: string): TurnRequest | undefined {
    return this.#scheduler.queue.underway.find((turn) => turn.evaluation === evaluation);
  }

  #effectRequested(effect: Effect<'waiting'>): void {
    if (!this.effects.requested(this.#recovery.supervisor.living, effect)) return;
    if (effect.ownThread && effect.evaluation !== null)
      this.#scheduler.suspend(effect.evaluation, { kind: 'effect', id: effect.effect });
    this.#events.emit('effect-requested', effect);
  }

  /**
   * Reports tampering with the guard. The image reports it when the evaluation ends, so a report for a suspended evaluation or another
   * actor is ignored.
   */
  #guardTampered(event: SessionEvents['guard-tampered']): void {
    const { evaluation, actor } = event;
    const suspended = this.#scheduler.queue.suspended.some((each) => each.evaluation === evaluation);
    if (!suspended && this.effects.believes(evaluation, actor)) this.#events.emit('guard-tampered', event);
  }

  #effectSettled({ effect, outcome }: Extract<ImageEvent, { event: 'effect-settled' }>): void {
    const settled = this.effects.settled(effect, outcome);
    if (!settled) return;
    const { ownThread, evaluation } = settled;
    if (ownThread && evaluation !== null) this.#scheduler.resume(evaluation, { kind: 'effect', id: effect });
    this.#events.emit('effect-settled', settled);
  }

  #swankStarted(event: ImageEventOf<'swank-evaluation-started'>): void {
    if (!this.effects.believes(event.evaluation, event.actor)) return;
    this.#ofEmacs.set(event.evaluation, event.code);
    this.#events.emit('swank-evaluation-started', event);
  }

  /** Records definitions from Emacs with their text, like the person's definitions here, so that they come back after a crash. */
  #swankFinished(event: ImageEventOf<'swank-evaluation-finished'>): void {
    const { evaluation, forms, source } = event;
    const code = this.#ofEmacs.get(evaluation);
    if (code === undefined) return;
    this.#ofEmacs.delete(evaluation);
    this.#recovery.journal.record(EMACS, code, forms, source);
    this.#events.emit('swank-evaluation-finished', event);
  }

  #reportDefinitions({ evaluation, actor, packages, removedPackages }: ImageEventOf<'definitions-changed'>): void {
    this.#events.emit('definitions-changed', { evaluation, actor, packages, removedPackages });
  }
}

/** The number of frames that are printed with a thread's error. */
const FRAMES_SAID = 5;

/** Returns the innermost frames as lines, and a note on how to see the other frames. */
function innermost({ frames }: Extract<ImageEvent, { event: 'thread-failed' }>['condition']): string {
  const lines = frames.slice(0, FRAMES_SAID).map(({ index, call }) => `;; ${index}: ${call}\n`);
  const more = frames.length - FRAMES_SAID;
  return lines.join('') + (more > 0 ? `;; … ${more} more, which get-last-error shows\n` : '');
}
