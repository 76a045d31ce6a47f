/** The breakpoints of a session's living image. They are the image's own: one that is gone takes them with it, and says so. */
import type { Breakpoints as BreakpointsView } from '#contract/debugger-calls.ts';
import { Emitter } from '#core/emitter.ts';
import type { OperationReply } from '#core/lisp/messages.ts';
import { plural } from '#contract/text.ts';
import type { Session } from './session.ts';

const NONE: BreakpointsView = { functions: [], conditions: [], gone: null };

export class Breakpoints {
  readonly events = new Emitter<{ changed: BreakpointsView }>();
  readonly #session: Session;
  #value: BreakpointsView = NONE;

  constructor(session: Session) {
    this.#session = session;
    session.events.on('lifecycle', ({ change }) => {
      if (change === 'ended' || change === 'restarted' || change === 'reset') this.#lose();
      else if (change === 'rewound') void this.#askAgain();
    });
  }

  get value(): BreakpointsView {
    return this.#value;
  }

  /** Breaks when code that is debugged calls the function, or no longer. Rejects when the name names no function of the user's. */
  async set(name: string, set: boolean): Promise<BreakpointsView> {
    return this.#take(await this.#session.lookUp('set-breakpoint', { function: name, set }));
  }

  /** Breaks when code that is debugged signals a condition of these types, handled or not. */
  async onConditions(types: string[]): Promise<BreakpointsView> {
    return this.#take(await this.#session.lookUp('break-on-conditions', { types }));
  }

  /** The image that a checkpoint has may have others. */
  async #askAgain(): Promise<void> {
    const reply = await this.#session.lookUp('breakpoints', {}).catch(() => null);
    if (reply) this.#take(reply);
  }

  #lose(): void {
    const { functions, conditions } = this.#value;
    const count = functions.length + conditions.length;
    if (count === 0) return;
    this.#tell({
      ...NONE,
      gone: `${plural(count, 'breakpoint')} ended with the image: ${[...functions, ...conditions].slice(0, 5).join(', ')}${count > 5 ? ' …' : ''}. Set them again once the code is loaded.`,
    });
  }

  #take({ functions, conditions }: OperationReply<'breakpoints'>): BreakpointsView {
    return this.#tell({ functions, conditions, gone: null });
  }

  #tell(value: BreakpointsView): BreakpointsView {
    this.#value = value;
    this.events.emit('changed', value);
    return value;
  }
}
