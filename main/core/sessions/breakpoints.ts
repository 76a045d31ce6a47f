/**
 * The person's breakpoints. They belong to the folder that is open and outlast images and runs of the program: the shared image is told
 * which ones are wanted, and puts each on its function as soon as that is there.
 */
import type { Breakpoints as BreakpointsView } from '#contract/debugger-calls.ts';
import { Emitter } from '#core/emitter.ts';
import { WorkbenchError } from '#core/error.ts';
import type { OperationReply } from '#core/lisp/messages.ts';
import type { BreakpointNames, KeptBreakpoints } from './kept-breakpoints.ts';
import type { Session } from './session.ts';

type Reported = OperationReply<'keep-breakpoints'>;
type Kind = keyof BreakpointNames;

const NOTHING: Reported = { functions: [], conditions: [] };

export class Breakpoints {
  readonly events = new Emitter<{ changed: BreakpointsView }>();
  readonly #session: Session;
  readonly #kept: KeptBreakpoints;
  #folder: string | null;
  #wanted: BreakpointNames;
  /** The state that the living image told last. */
  #reported = NOTHING;
  /** True when a copy of the image may have some. */
  #toldImage = false;

  constructor(session: Session, kept: KeptBreakpoints, folder: string | null) {
    this.#session = session;
    this.#kept = kept;
    this.#folder = folder;
    this.#wanted = kept.of(folder);
    session.events.on('lifecycle', ({ change }) => {
      if (change === 'started' || change === 'ended' || change === 'rewound') this.#take(NOTHING);
      // A saved world and a checkpoint have those of their time.
      if (change === 'started' || (change === 'rewound' && this.#toldImage)) void this.#tellImage();
    });
    session.events.on('breakpoints-changed', (reported) => this.#take(reported));
  }

  get value(): BreakpointsView {
    return { functions: this.#view('functions'), conditions: this.#view('conditions') };
  }

  /** The breakpoints of another folder take the place of those that are. */
  openFolder(folder: string | null): void {
    if (folder === this.#folder) return;
    this.#folder = folder;
    this.#wanted = this.#kept.of(folder);
    this.#take(NOTHING);
    void this.#tellImage();
  }

  /**
   * Breaks when code that is debugged calls the function, now or once it is defined; or no longer.
   * @throws WorkbenchError `wire` for what is no function of the user's.
   */
  async set(name: string, set: boolean): Promise<BreakpointsView> {
    const text = asRead(name);
    if (set) {
      const folder = this.#folder;
      const reported = await this.#answer(this.#session.lookUpIfUp('set-breakpoint', { function: text, set }));
      // Another name of the function may have one already.
      const taken = reported?.functions.some(({ wanted }) => wanted === text) ?? true;
      if (taken && folder === this.#folder)
        this.#want('functions', [...this.#wanted.functions.filter((each) => each !== text), text]);
    } else {
      const removed = this.#view('functions').filter((each) => [each.wanted, each.name].includes(text));
      this.#want(
        'functions',
        this.#wanted.functions.filter((each) => !removed.some(({ wanted }) => wanted === each)),
      );
      for (const { wanted } of removed)
        await this.#answer(this.#session.lookUpIfUp('set-breakpoint', { function: wanted, set }));
    }
    return this.value;
  }

  /**
   * Breaks when code that is debugged signals a condition of these types, handled or not.
   * @throws WorkbenchError `wire` for a name of something else.
   */
  async onConditions(types: string[]): Promise<BreakpointsView> {
    const texts = [...new Set(types.map(asRead))];
    await this.#answer(this.#session.lookUpIfUp('break-on-conditions', { types: texts }));
    this.#want('conditions', texts);
    return this.value;
  }

  /** Resolves with what the living image answers; null where none is up. It hears of all breakpoints when it is. */
  async #answer(asking: Promise<Reported | null>): Promise<Reported | null> {
    this.#toldImage = true;
    try {
      const reported = await asking;
      if (reported) this.#take(reported);
      return reported;
    } catch (error) {
      if (error instanceof WorkbenchError && error.code === 'no-image') return null;
      throw error;
    }
  }

  async #tellImage(): Promise<void> {
    const { functions, conditions } = this.#wanted;
    if (functions.length + conditions.length > 0) this.#toldImage = true;
    const asked = { functions: [...functions], conditions: [...conditions] };
    // An image that ends meanwhile is told when it is up again.
    const reported = await this.#session.lookUpIfUp('keep-breakpoints', asked).catch(() => null);
    if (reported) this.#take(reported);
  }

  #want(kind: Kind, names: readonly string[]): void {
    this.#wanted = { ...this.#wanted, [kind]: names };
    this.#kept.keep(this.#folder, this.#wanted);
    this.#tell();
  }

  #take(reported: Reported): void {
    this.#reported = reported;
    this.#tell();
  }

  #view(kind: Kind): BreakpointsView[Kind] {
    return this.#wanted[kind].map((wanted) => {
      const name = this.#reported[kind].find((each) => each.wanted === wanted)?.name ?? null;
      return { wanted, name: name ?? wanted, there: name !== null };
    });
  }

  #tell(): void {
    this.events.emit('changed', this.value);
  }
}

/** A name as the reader has it, without the package that it is read in. */
function asRead(name: string): string {
  const upper = /[|\\]/.test(name) ? name : name.toUpperCase();
  return upper.replace(/^(\(SETF )?(?:COMMON-LISP-USER|CL-USER)::?/, '$1');
}
