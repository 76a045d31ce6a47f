/**
 * The person's breakpoints. They belong to the open folder and survive restarts of the image and the program. The shared image receives the
 * list, and sets each breakpoint as soon as its function exists.
 */
import type { BreakpointLine, Breakpoints as BreakpointsView } from '#contract/image/debugger.ts';
import { imbalanceOf } from '#contract/sexp/balance.ts';
import { readText } from '#contract/sexp/reader.ts';
import { Emitter } from '#core/base/emitter.ts';
import { WorkbenchError } from '#core/base/error.ts';
import type { OperationReply } from '#core/lisp/messages.ts';
import type { KeptBreakpoints, WantedBreakpoints } from './kept-breakpoints.ts';
import type { Session } from './session.ts';

type Reported = OperationReply<'keep-breakpoints'>;
type Kind = 'functions' | 'conditions';

/** The first line of a definition, on which a breakpoint stops the call. */
const CALL: BreakpointLine = { line: 0, text: '' };
const NOTHING: Reported = { functions: [], conditions: [], revision: 0 };

export class Breakpoints {
  readonly events = new Emitter<{ changed: BreakpointsView }>();
  readonly #session: Session;
  readonly #kept: KeptBreakpoints;
  #folder: string | null;
  #wanted: WantedBreakpoints;
  /** The state that the running image reported last. */
  #reported = NOTHING;
  /** True if a checkpoint of the image may have breakpoints. */
  #toldImage = false;

  constructor(session: Session, kept: KeptBreakpoints, folder: string | null) {
    this.#session = session;
    this.#kept = kept;
    this.#folder = folder;
    this.#wanted = kept.of(folder);
    session.events.on('lifecycle', ({ change }) => {
      if (change === 'started' || change === 'ended' || change === 'rewound') this.#forgetReported();
      // A saved image and a checkpoint have the breakpoints from the time when they were created.
      if (change === 'started' || (change === 'rewound' && this.#toldImage)) void this.#tellImage();
    });
    session.events.on('breakpoints-changed', (reported) => this.#take(reported));
  }

  get value(): BreakpointsView {
    return { functions: this.#view('functions'), conditions: this.#view('conditions') };
  }

  /** Replaces the breakpoints with the breakpoints of another folder. */
  openFolder(folder: string | null): void {
    if (folder === this.#folder) return;
    this.#folder = folder;
    this.#wanted = this.#kept.of(folder);
    this.#forgetReported();
    void this.#tellImage();
  }

  /**
   * Sets or removes a breakpoint on a function, which may be defined later; it stops debugged code that calls the function.
   * @throws WorkbenchError `refused` if the name is not a function of the user.
   */
  async set(name: string, set: boolean): Promise<BreakpointsView> {
    const text = asRead(name);
    if (set) {
      await this.#put(text, this.#wanted.when[text] ?? null, this.#wanted.lines[text] ?? []);
    } else {
      const removed = this.#named(text).map(({ wanted }) => wanted);
      this.#want({
        functions: this.#wanted.functions.filter((each) => !removed.includes(each)),
        when: without(this.#wanted.when, removed),
        lines: without(this.#wanted.lines, removed),
      });
      for (const wanted of removed)
        await this.#answer(this.#session.lookUpIfUp('set-breakpoint', { function: wanted, set }));
    }
    return this.value;
  }

  /**
   * Sets or clears a breakpoint on a line of a function's definition. If calls cannot stop on that line, sets the breakpoint on the call and
   * returns the reason as `problem`.
   * @throws WorkbenchError `refused` if the name is not a function of the user.
   */
  async setLine(
    name: string,
    line: BreakpointLine,
    set: boolean,
  ): Promise<BreakpointsView & { problem: string | null }> {
    const text = asRead(name);
    const known = this.#named(text)[0];
    const before: readonly BreakpointLine[] = known ? (known.lines ?? [CALL]) : [];
    if (!set) {
      const left = before.filter((each) => each.line !== line.line);
      if (left.length === 0) await this.set(name, false);
      else await this.#put(known!.wanted, known!.when ?? null, left);
      return { ...this.value, problem: null };
    }
    const wanted = known?.wanted ?? text;
    const asked = { ...line, function: wanted };
    const checked =
      line.line === 0 ? null : await this.#unlessDown(this.#session.lookUpIfUp('check-breakpoint-line', asked));
    const problem = checked?.problem ?? null;
    const added = problem === null ? line : CALL;
    const others = before.filter((each) => each.line !== added.line);
    await this.#put(
      wanted,
      known?.when ?? null,
      [...others, added].toSorted((one, other) => one.line - other.line),
    );
    return { ...this.value, problem };
  }

  /**
   * Makes the function's breakpoint stop only if the form is true; with null, it always stops. Creates the breakpoint if necessary.
   * @throws WorkbenchError `invalid` for an unreadable form, `refused` if the name is not a function of the user.
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
    await this.#put(wanted, when, this.#wanted.lines[wanted] ?? []);
    return this.value;
  }

  /**
   * Stops debugged code that signals a condition of these types, handled or not.
   * @throws WorkbenchError `refused` for a name that is not a condition type.
   */
  async onConditions(types: string[]): Promise<BreakpointsView> {
    const texts = [...new Set(types.map(asRead))];
    await this.#answer(this.#session.lookUpIfUp('break-on-conditions', { types: texts }));
    this.#want({ conditions: texts });
    return this.value;
  }

  async #put(text: string, when: string | null, stops: readonly BreakpointLine[]): Promise<void> {
    const folder = this.#folder;
    const lines = stops.some(({ line }) => line > 0) ? stops : []; // without lines, the function stops when it is called
    const asked = {
      function: text,
      set: true,
      ...(when === null ? {} : { when }),
      ...(lines.length === 0 ? {} : { lines: [...lines] }),
    };
    const reported = await this.#answer(this.#session.lookUpIfUp('set-breakpoint', asked));
    // The function may have a breakpoint already under another name.
    const taken = reported?.functions.some(({ wanted }) => wanted === text) ?? true;
    if (!taken || folder !== this.#folder) return;
    const { functions, when: before, lines: linesBefore } = this.#wanted;
    this.#want({
      functions: functions.includes(text) ? functions : [...functions, text],
      when: { ...without(before, [text]), ...(when === null ? {} : { [text]: when }) },
      lines: { ...without(linesBefore, [text]), ...(lines.length === 0 ? {} : { [text]: lines }) },
    });
  }

  /** Returns the breakpoints on the function of this name: the requested name or the image's name for it. */
  #named(text: string): BreakpointsView['functions'] {
    return this.#view('functions').filter((each) => [each.wanted, each.name].includes(text));
  }

  /** Resolves with the running image's answer; null if no image is running. A new image receives all breakpoints when it starts. */
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
    const { functions, conditions, when, lines } = this.#wanted;
    if (functions.length + conditions.length > 0) this.#toldImage = true;
    const asked = {
      functions: [...functions],
      conditions: [...conditions],
      when: { ...when },
      lines: Object.fromEntries(Object.entries(lines).map(([name, each]) => [name, [...each]])),
    };
    // An image that ends in the meantime receives the breakpoints after its restart.
    const reported = await this.#session.lookUpIfUp('keep-breakpoints', asked).catch(() => null);
    if (reported) this.#take(reported);
  }

  #want(changed: Partial<WantedBreakpoints>): void {
    this.#wanted = { ...this.#wanted, ...changed };
    this.#kept.keep(this.#folder, this.#wanted);
    this.#tell();
  }

  /** Applies a report unless it is outdated, because a reply may be read after a later event. */
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
      const lines = kind === 'functions' ? this.#wanted.lines[wanted] : undefined;
      return {
        wanted,
        name: name ?? wanted,
        there: name !== null,
        ...(when === undefined ? {} : { when }),
        ...(lines === undefined ? {} : { lines: [...lines] }),
      };
    });
  }

  #tell(): void {
    this.events.emit('changed', this.value);
  }
}

/** Reports obvious syntax errors even without an image. */
function formProblem(text: string): string | null {
  const imbalance = imbalanceOf(text);
  if (imbalance) return imbalance.message;
  return readText(text).forms.length === 1 ? null : 'The condition must be a single form.';
}

function without<Value>(record: Readonly<Record<string, Value>>, keys: readonly string[]): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));
}

/** Returns a name in upper case, as the reader converts it, and without the package CL-USER. */
function asRead(name: string): string {
  const upper = /[|\\]/.test(name) ? name : name.toUpperCase();
  return upper.replaceAll(/(^|[\s(])(?:COMMON-LISP-USER|CL-USER)::?/g, '$1');
}
