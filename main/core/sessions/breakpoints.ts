/**
 * The person's breakpoints. They belong to the folder that is open and outlast images and runs of the program: the shared image is told
 * which ones are wanted, and puts each on its function as soon as that is there.
 */
import type { Breakpoints as BreakpointsView } from '#contract/image/debugger.ts';
import { imbalanceOf } from '#contract/sexp/balance.ts';
import { readText } from '#contract/sexp/reader.ts';
import { Emitter } from '#core/base/emitter.ts';
import { WorkbenchError } from '#core/base/error.ts';
import type { OperationReply } from '#core/lisp/messages.ts';
import type { KeptBreakpoints, WantedBreakpoints } from './kept-breakpoints.ts';
import type { Session } from './session.ts';

type Reported = OperationReply<'keep-breakpoints'>;
type Kind = 'functions' | 'conditions';

const NOTHING: Reported = { functions: [], conditions: [], revision: 0 };

export class Breakpoints {
  readonly events = new Emitter<{ changed: BreakpointsView }>();
  readonly #session: Session;
  readonly #kept: KeptBreakpoints;
  #folder: string | null;
  #wanted: WantedBreakpoints;
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
      if (change === 'started' || change === 'ended' || change === 'rewound') this.#forgetReported();
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
    this.#forgetReported();
    void this.#tellImage();
  }

  /**
   * Breaks when code that is debugged calls the function, now or once it is defined; or no longer.
   * @throws WorkbenchError `refused` for what is no function of the user's.
   */
  async set(name: string, set: boolean): Promise<BreakpointsView> {
    const text = asRead(name);
    if (set) {
      await this.#put(text, this.#wanted.when[text] ?? null);
    } else {
      const removed = this.#named(text).map(({ wanted }) => wanted);
      this.#want({
        functions: this.#wanted.functions.filter((each) => !removed.includes(each)),
        when: without(this.#wanted.when, removed),
      });
      for (const wanted of removed)
        await this.#answer(this.#session.lookUpIfUp('set-breakpoint', { function: wanted, set }));
    }
    return this.value;
  }

  /**
   * Lets the breakpoint of the function, a new one where it has none, stop only where the form is true; null: always.
   * @throws WorkbenchError `invalid` for a form that cannot be read, `refused` for what is no function of the user's.
   */
  async stopWhen(name: string, when: string | null): Promise<BreakpointsView> {
    const text = asRead(name);
    const wanted = this.#named(text)[0]?.wanted ?? text;
    if (when !== null) {
      const asked = { function: wanted, when };
      const checked = await this.#unlessDown(this.#session.lookUpIfUp('check-breakpoint-condition', asked));
      const problem = checked ? checked.problem : formProblem(when);
      if (problem !== null) throw new WorkbenchError('invalid', `The condition cannot be read. ${problem}`);
    }
    await this.#put(wanted, when);
    return this.value;
  }

  /**
   * Breaks when code that is debugged signals a condition of these types, handled or not.
   * @throws WorkbenchError `refused` for a name of something else.
   */
  async onConditions(types: string[]): Promise<BreakpointsView> {
    const texts = [...new Set(types.map(asRead))];
    await this.#answer(this.#session.lookUpIfUp('break-on-conditions', { types: texts }));
    this.#want({ conditions: texts });
    return this.value;
  }

  async #put(text: string, when: string | null): Promise<void> {
    const folder = this.#folder;
    const asked = { function: text, set: true, ...(when === null ? {} : { when }) };
    const reported = await this.#answer(this.#session.lookUpIfUp('set-breakpoint', asked));
    // Another name of the function may have one already.
    const taken = reported?.functions.some(({ wanted }) => wanted === text) ?? true;
    if (!taken || folder !== this.#folder) return;
    const { functions, when: before } = this.#wanted;
    this.#want({
      functions: functions.includes(text) ? functions : [...functions, text],
      when: { ...without(before, [text]), ...(when === null ? {} : { [text]: when }) },
    });
  }

  /** The breakpoints on the function of this name, by which it was wanted or which the image has for it. */
  #named(text: string): BreakpointsView['functions'] {
    return this.#view('functions').filter((each) => [each.wanted, each.name].includes(text));
  }

  /** Resolves with what the living image answers; null where none is up. It hears of all breakpoints when it is. */
  async #answer(asking: Promise<Reported | null>): Promise<Reported | null> {
    this.#toldImage = true;
    const reported = await this.#unlessDown(asking);
    if (reported) this.#take(reported);
    return reported;
  }

  async #unlessDown<Reply>(asking: Promise<Reply | null>): Promise<Reply | null> {
    try {
      return await asking;
    } catch (error) {
      if (error instanceof WorkbenchError && error.code === 'no-image') return null;
      throw error;
    }
  }

  async #tellImage(): Promise<void> {
    const { functions, conditions, when } = this.#wanted;
    if (functions.length + conditions.length > 0) this.#toldImage = true;
    const asked = { functions: [...functions], conditions: [...conditions], when: { ...when } };
    // An image that ends meanwhile is told when it is up again.
    const reported = await this.#session.lookUpIfUp('keep-breakpoints', asked).catch(() => null);
    if (reported) this.#take(reported);
  }

  #want(changed: Partial<WantedBreakpoints>): void {
    this.#wanted = { ...this.#wanted, ...changed };
    this.#kept.keep(this.#folder, this.#wanted);
    this.#tell();
  }

  /** A reply may be read after an event that was sent later. */
  #take(reported: Reported): void {
    if (reported.revision < this.#reported.revision) return;
    this.#reported = reported;
    this.#tell();
  }

  #forgetReported(): void {
    this.#reported = NOTHING;
    this.#tell();
  }

  #view(kind: Kind): BreakpointsView[Kind] {
    const names = new Map(this.#reported[kind].map(({ wanted, name }) => [wanted, name]));
    return this.#wanted[kind].map((wanted) => {
      const name = names.get(wanted) ?? null;
      const when = kind === 'functions' ? this.#wanted.when[wanted] : undefined;
      return { wanted, name: name ?? wanted, there: name !== null, ...(when === undefined ? {} : { when }) };
    });
  }

  #tell(): void {
    this.events.emit('changed', this.value);
  }
}

/** Without an image, what is surely no form is told all the same. */
function formProblem(text: string): string | null {
  const imbalance = imbalanceOf(text);
  if (imbalance) return imbalance.message;
  return readText(text).forms.length === 1 ? null : 'It is not one form.';
}

function without(record: Readonly<Record<string, string>>, keys: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));
}

/** A name as the reader has it, without the package that it is read in. */
function asRead(name: string): string {
  const upper = /[|\\]/.test(name) ? name : name.toUpperCase();
  return upper.replaceAll(/(^|[\s(])(?:COMMON-LISP-USER|CL-USER)::?/g, '$1');
}
