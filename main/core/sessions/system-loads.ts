/** Loads of systems, the person's and the agents', as the system loader shows them. */
import type { SystemLoad } from '#contract/system.ts';
import { PERSON } from '#contract/session.ts';
import { Emitter } from '#core/emitter.ts';
import { messageOf } from '#core/error.ts';
import type { OperationReply } from '#core/lisp/messages.ts';
import type { Executor } from '#core/tools/execute.ts';
import type { Session } from './session.ts';

const KEPT = 20;

export class SystemLoads {
  readonly events = new Emitter<{ changed: SystemLoad[] }>();
  readonly #session: Session;
  #loads: SystemLoad[] = [];

  constructor(session: Session, executor: Executor) {
    this.#session = session;
    session.events.on('changed', () => {
      if (!this.#loads.some(({ state }) => state === 'waiting')) return;
      const { running } = session.view();
      const load = this.#loads.find((each) => each.evaluation === running?.evaluation);
      if (load?.state === 'waiting') this.#put({ ...load, state: 'loading' });
    });
    executor.hooks.push((phase, tool, args, result, { id, actor }) => {
      if (tool.name !== 'load_system') return;
      const load: SystemLoad = {
        evaluation: id,
        system: String(args['system']),
        actor: actor.id,
        state: 'waiting',
        message: null,
      };
      if (phase === 'before') this.#put(load);
      else this.#put({ ...load, state: phase === 'after' ? 'loaded' : 'failed', message: result?.error ?? null });
    });
  }

  /** The newest loads, newest first. */
  all(): SystemLoad[] {
    return this.#loads;
  }

  /** Loads for the person; settles when it has ended, however it ended. */
  async load(system: string, evaluation: string): Promise<SystemLoad> {
    const load: SystemLoad = { evaluation, system, actor: PERSON.id, state: 'waiting', message: null };
    this.#put(load);
    const ended = await this.#run(load);
    this.#put(ended);
    return ended;
  }

  async #run(load: SystemLoad): Promise<SystemLoad> {
    try {
      const { reply } = await this.#session.loadSystem({
        evaluation: load.evaluation,
        actor: PERSON,
        context: PERSON.id,
        system: load.system,
      });
      return { ...load, ...stateOf(reply) };
    } catch (error) {
      return { ...load, state: 'failed', message: messageOf(error) };
    }
  }

  #put(load: SystemLoad): void {
    const others = this.#loads.filter((each) => each.evaluation !== load.evaluation);
    this.#loads = [load, ...others].slice(0, KEPT);
    this.events.emit('changed', this.#loads);
  }
}

function stateOf({ status, condition, result }: OperationReply<'load-system'>): Pick<SystemLoad, 'state' | 'message'> {
  if (status === 'ok')
    return { state: 'loaded', message: result?.version == null ? null : `version ${result.version}` };
  if (status === 'interrupted') return { state: 'cancelled', message: null };
  return {
    state: 'failed',
    message: condition ? `${condition.type}: ${condition.message}` : 'Loading ended without an answer.',
  };
}
