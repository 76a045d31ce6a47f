/** The functions that a connection traces, and the latest of their calls. */
import type { TracedCall } from '#contract/image/observation/profiling.ts';
import type { Session } from '#core/sessions/session.ts';

/** The maximum number of starts and ends of calls that are stored; the oldest are dropped first. */
const KEPT = 2_000;
/** The package in which the image prints names in its answers. */
const PRINTED_FROM = 'COMMON-LISP-USER';

export class Tracing {
  readonly #session: Session;
  readonly #connectionId: string;
  readonly #stopListening: () => void;
  /** The functions whose calls are collected. `own` is true if this connection started the trace of the function. */
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

  /** The number of calls that are missing from the list, because they were too old or there were too many in one evaluation. */
  get lost(): number {
    const untold = [...this.#untold.values()].reduce((sum, count) => sum + count, 0);
    return this.#total - this.#calls.length + untold;
  }

  /**
   * Begins to collect the calls of a function. `printed` is the function's name as the image prints it. Returns the reason why the function
   * cannot be traced, or null.
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

  /**
   * Stops collecting the calls of one function and its methods; with null, of all functions. A trace that another actor started continues.
   */
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

  /** Forgets the traced functions. Called for a new image, which traces no functions. */
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

/** Returns true if a traced name is the name of the function `printed`, or of one of its methods. */
function isOf(traced: string, printed: string): boolean {
  return traced === printed || traced.startsWith(`(METHOD ${printed} `);
}
