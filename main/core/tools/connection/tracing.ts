/** The functions that a connection traces, and the latest of their calls. */
import type { TracedCall } from '#contract/image/observation/profiling.ts';
import type { Session } from '#core/sessions/session.ts';

/** The number of beginnings and ends of calls that are stored; the oldest are dropped first. */
const KEPT = 2_000;
/** The package from which names in the image's answers are printed. */
const PRINTED_FROM = 'COMMON-LISP-USER';

export class Tracing {
  readonly #session: Session;
  readonly #connectionId: string;
  readonly #stopListening: () => void;
  /** The functions whose calls are collected; `own` if this connection started their trace. */
  readonly #functions = new Map<string, { own: boolean }>();
  #calls: TracedCall[] = [];
  #total = 0;
  /** The number of calls that the image did not report, by evaluation. */
  readonly #untold = new Map<string, number>();

  constructor(session: Session, connectionId: string) {
    this.#session = session;
    this.#connectionId = connectionId;
    this.#stopListening = session.events.on('trace', ({ evaluation, calls, dropped }) =>
      this.#collect(evaluation, calls, dropped),
    );
  }

  get functions(): string[] {
    return [...this.#functions.keys()];
  }

  /** The collected calls, the oldest first. */
  get calls(): readonly TracedCall[] {
    return this.#calls;
  }

  /** The number of calls that are missing from the list: too old, or too many in one evaluation. */
  get lost(): number {
    const untold = [...this.#untold.values()].reduce((sum, count) => sum + count, 0);
    return this.#total - this.#calls.length + untold;
  }

  /**
   * Begins to collect calls of a function; `printed` is its name as the image prints it. Returns the reason why it cannot be traced, or
   * null.
   */
  async start(name: string, printed: string, pkg: string | null, methods: boolean): Promise<string | null> {
    const before = new Set((await this.#session.lookUp('traced', {})).traced);
    const asked = { context: this.#connectionId, package: pkg, functions: [name], methods };
    const { traced, problems } = await this.#session.lookUp('trace', asked);
    const [problem] = problems;
    if (problem) return problem.reason;
    for (const each of traced)
      if (isOf(each, printed) && !this.#functions.has(each)) this.#functions.set(each, { own: !before.has(each) });
    return null;
  }

  /** Stops collecting for one function with its methods; for all functions if null. A trace of someone else continues. */
  async stop(printed: string | null): Promise<string[]> {
    const stopped = this.functions.filter((each) => printed === null || isOf(each, printed));
    const own = stopped.filter((each) => this.#functions.get(each)!.own);
    for (const each of stopped) this.#functions.delete(each);
    if (own.length > 0) await this.#session.lookUp('untrace', this.#untracing(own));
    return stopped;
  }

  /** Ends the traces of a connection that will not be used again. */
  abandon(): void {
    this.#stopListening();
    const own = [...this.#functions].flatMap(([name, each]) => (each.own ? [name] : []));
    this.#functions.clear();
    if (own.length > 0) this.#session.tell('untrace', this.#untracing(own));
  }

  /** Forgets the traced functions, because a new image traces none of them. */
  forget(): void {
    this.#functions.clear();
  }

  clear(): void {
    this.#calls = [];
    this.#total = 0;
    this.#untold.clear();
  }

  #untracing(functions: string[]) {
    return { context: this.#connectionId, package: PRINTED_FROM, functions };
  }

  #collect(evaluation: string, calls: readonly TracedCall[], dropped: number): void {
    const wanted = calls.filter((each) => this.#functions.has(each.function));
    if (wanted.length === 0 && !(dropped > 0 && this.#functions.size > 0)) return;
    this.#total += wanted.length;
    this.#calls = [...this.#calls, ...wanted].slice(-KEPT);
    if (dropped > 0) this.#untold.set(evaluation, dropped);
  }
}

/** Returns true if a traced name is the function's or that of one of its methods. */
function isOf(traced: string, printed: string): boolean {
  return traced === printed || traced.startsWith(`(METHOD ${printed} `);
}
