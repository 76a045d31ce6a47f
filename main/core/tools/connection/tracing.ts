/** The functions that a connection has traced, and the latest of their calls. */
import type { TracedCall } from '#contract/image/observation/profiling.ts';
import type { Session } from '#core/sessions/session.ts';

/** Beginnings and ends of calls; the oldest go first. */
const KEPT = 2_000;
/** Names in answers of the image are printed as from here. */
const PRINTED_FROM = 'COMMON-LISP-USER';

export class Tracing {
  readonly #session: Session;
  readonly #connectionId: string;
  readonly #stopListening: () => void;
  /** The functions whose calls are collected; `own` where it was this connection that began to trace them. */
  readonly #functions = new Map<string, { own: boolean }>();
  #calls: TracedCall[] = [];
  #total = 0;
  /** The number of calls that the image did not tell, by evaluation. */
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

  /** The oldest first. */
  get calls(): readonly TracedCall[] {
    return this.#calls;
  }

  /** Calls that are not in the list: too old, or too many in one evaluation. */
  get lost(): number {
    const untold = [...this.#untold.values()].reduce((sum, count) => sum + count, 0);
    return this.#total - this.#calls.length + untold;
  }

  /** Begins to collect; `printed` is the function's name as the image prints it. Gives back why it cannot be traced, or null. */
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

  /** Stops one function with its methods, or with null all. What somebody else traces too goes on for them. */
  async stop(printed: string | null): Promise<string[]> {
    const stopped = this.functions.filter((each) => printed === null || isOf(each, printed));
    const own = stopped.filter((each) => this.#functions.get(each)!.own);
    for (const each of stopped) this.#functions.delete(each);
    if (own.length > 0) await this.#session.lookUp('untrace', this.#untracing(own));
    return stopped;
  }

  /** Ends the tracing of a connection that nobody will use again. */
  abandon(): void {
    this.#stopListening();
    const own = [...this.#functions].flatMap(([name, each]) => (each.own ? [name] : []));
    this.#functions.clear();
    if (own.length > 0) this.#session.tell('untrace', this.#untracing(own));
  }

  /** The image is another one, in which nothing is traced. */
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

/** True when a traced name is the function's or that of one of its methods. */
function isOf(traced: string, printed: string): boolean {
  return traced === printed || traced.startsWith(`(METHOD ${printed} `);
}
