/** Takes in what an image says of its own accord: for the turns, the debuggers, the record of definitions, and whoever listens. */
import type { DebuggerRecord } from '#contract/debugger.ts';
import type { DefinitionEvent, PackageDefinitions } from '#contract/definition.ts';
import type { EffectRecord, RecordedEffect } from '#contract/effect.ts';
import type { EvaluationReport, OutputStream } from '#contract/evaluation.ts';
import type { SystemProgress } from '#contract/system.ts';
import { PERSON } from '#contract/session.ts';
import type { Emitter } from '#core/emitter.ts';
import type { ImageEvent } from '#core/lisp/messages.ts';
import { Debuggers } from './debuggers.ts';
import { Effects, type EffectsMode, type SettledEffect } from './effects.ts';
import type { ImageLife, LifeChange } from './life.ts';
import type { Runner } from './runner.ts';

/** Everything that a session tells. */
export interface SessionEvents {
  /** Something of the view is different; who needs it asks for it. */
  changed: void;
  life: LifeChange;
  output: { evaluation: string | null; stream: OutputStream | 'process'; text: string };
  /** Nobody will use this context again. */
  forgotten: { context: string };
  'input-requested': { evaluation: string };
  'definitions-changed': {
    evaluation: string | null;
    actor: string | null;
    packages: PackageDefinitions[];
    removedPackages: string[];
  };
  /** What happened to definitions in one evaluation; `more` were only counted. */
  'definition-events': { evaluation: string | null; events: DefinitionEvent[]; more: number };
  'debugger-entered': DebuggerRecord;
  'debugger-left': { debugger: string; evaluation: string };
  /** Agent code waits for a decision about what it is about to do outside; `Session.decideEffect` gives it. */
  'effect-requested': EffectRecord;
  /** A wait is over, however it ended. Told of every effect that was waited for, also where the session decided by itself. */
  'effect-settled': SettledEffect;
  /** What was done, or denied, without anybody being asked. */
  'effect-recorded': RecordedEffect;
  /** An agent's code took the guard away from these operators; it is in its place again. */
  'guard-tampered': { evaluation: string; actor: string; operators: string[] };
  /** Calls of traced functions. */
  trace: Extract<ImageEvent, { event: 'trace' }>;
  /** How far a load, a compilation or a test of a system is. */
  'system-progress': SystemProgress;
  /** How an evaluation ended that was held in the debugger after its answer. */
  'evaluation-continued': { evaluation: string } & Pick<EvaluationReport, 'status' | 'values' | 'condition'>;
}

export class ImageNews {
  readonly #events: Emitter<SessionEvents>;
  readonly debuggers = new Debuggers();
  readonly effects: Effects;
  readonly #life: ImageLife;
  readonly #runner: Runner;

  constructor(life: ImageLife, runner: Runner, events: Emitter<SessionEvents>, effects: EffectsMode) {
    this.effects = new Effects(effects);
    this.#events = events;
    this.#life = life;
    this.#runner = runner;
    const image = life.keeper.events;
    image.on('process-output', (text) => this.#events.emit('output', { evaluation: null, stream: 'process', text }));
    image.on('event', (event) => this.#take(event));
    image.on('ended', () => this.#lifeOver());
    image.on('started', () => life.definitions.beginLife());
    image.on('rewound', () => this.#lifeOver());
  }

  /** The process in which they were is gone; it told of none. */
  #lifeOver(): void {
    for (const settled of this.effects.lose()) this.#events.emit('effect-settled', settled);
    const left = this.debuggers.all;
    this.debuggers.clear();
    for (const { id, evaluation } of left) this.#events.emit('debugger-left', { debugger: id, evaluation });
  }

  #take(event: ImageEvent): void {
    switch (event.event) {
      case 'output': {
        const { evaluation, stream, text } = event;
        this.#runner.collect(evaluation, { stream, text });
        return this.#events.emit('output', { evaluation, stream, text });
      }
      case 'input-requested':
        this.#runner.park(event.evaluation);
        return this.#events.emit('input-requested', { evaluation: event.evaluation });
      case 'input-received':
        return this.#resume(event.evaluation);
      case 'debugger-entered':
        this.debuggers.entered(event.debugger);
        this.#runner.park(event.debugger.evaluation);
        return this.#events.emit('debugger-entered', event.debugger);
      case 'debugger-left':
        this.debuggers.left(event.debugger);
        this.#resume(event.evaluation);
        return this.#events.emit('debugger-left', { debugger: event.debugger, evaluation: event.evaluation });
      case 'effect-requested':
        return this.#effectRequested(event.effect);
      case 'effect-settled':
        return this.#effectSettled(event);
      case 'effect-recorded': {
        const { event: _event, ...effect } = event;
        this.effects.recorded(effect);
        return this.#events.emit('effect-recorded', effect);
      }
      case 'guard-tampered':
        return this.#events.emit('guard-tampered', event);
      case 'definitions-changed':
        return void this.#tellDefinitions(event);
      case 'definition-events':
        this.#life.definitions.record(event.events, event.more, (actor) => actor === PERSON.id);
        return this.#events.emit('definition-events', event);
      case 'trace':
        return this.#events.emit('trace', event);
      case 'system-progress':
        return this.#events.emit('system-progress', event);
      case 'evaluation-continued':
        return this.#events.emit('evaluation-continued', event);
      case 'exiting':
        return this.#runner.imageExits(event.evaluation);
      case 'thread-failed': {
        const text = `;; Thread ${event.thread} ended: ${event.condition.type}: ${event.condition.message}\n`;
        this.#runner.collect(event.evaluation, { stream: 'stderr', text });
        return this.#events.emit('output', { evaluation: event.evaluation, stream: 'stderr', text });
      }
      case 'ready':
      case 'started':
      case 'woken':
      case 'world-saved':
        return;
    }
  }

  #effectRequested(effect: EffectRecord): void {
    if (!this.effects.requested(this.#life.keeper.living, effect)) return;
    if (effect.ownThread && effect.evaluation !== null) this.#runner.park(effect.evaluation);
    this.#events.emit('effect-requested', effect);
  }

  #effectSettled({ effect, outcome }: Extract<ImageEvent, { event: 'effect-settled' }>): void {
    const settled = this.effects.settled(effect, outcome);
    if (!settled) return;
    const { ownThread, evaluation } = settled.effect;
    if (ownThread && evaluation !== null) this.#resume(evaluation);
    this.#events.emit('effect-settled', settled);
  }

  /** What it waited for is over; it may have waited for something else before, as code does that is run in a debugger. */
  #resume(evaluation: string): void {
    if (!this.debuggers.of(evaluation) && !this.effects.waits(evaluation)) this.#runner.resume(evaluation);
  }

  async #tellDefinitions(event: Extract<ImageEvent, { event: 'definitions-changed' }>): Promise<void> {
    const { evaluation, actor, removedPackages } = event;
    const image = this.#life.keeper.living;
    const reply = await image?.request('definitions', { packages: event.packages }).catch(() => null);
    this.#events.emit('definitions-changed', { evaluation, actor, packages: reply?.packages ?? [], removedPackages });
  }
}
