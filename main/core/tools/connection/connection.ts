/** The state that the tools store for a connection between calls. It is discarded with the connection. */
import { detached } from '#contract/text/text.ts';
import type { Evaluation } from '#core/sessions/requests.ts';
import type { Session } from '#core/sessions/session.ts';
import { Handles } from './handles.ts';
import type { SuspendedEvaluation } from './suspended-evaluation.ts';
import { Tracing } from './tracing.ts';
import type { ToolContext } from '../tool.ts';

/** One evaluation of the connection's history. */
export interface HistoryEntry {
  readonly code: string;
  readonly package: string | null;
  readonly result: string;
  readonly failed: boolean;
}

/** An event of the image that clients must learn about, such as its loss. */
interface ImageNotice {
  readonly said: string;
  /** True if definitions and loaded systems were lost with the image. */
  readonly lost: boolean;
}

const HISTORY = 100;
const MOST_NOTICES = 3;
const LONGEST_CODE = 20_000;
const LONGEST_RESULT = 2_000;

export class Connection {
  /** The handles of the objects that the connection inspects. */
  readonly handles: Handles;
  readonly tracing: Tracing;
  #history: HistoryEntry[] = [];
  readonly #session: Session;
  #notices: ImageNotice[] = [];
  /** Calls that are running or waiting, each with the notices about image changes that happened before its evaluation began. */
  readonly #calls = new Map<string, ImageNotice[]>();
  /** The evaluation of this connection that is suspended at an error in the debugger; null if there is none. */
  suspended: SuspendedEvaluation | null = null;
  /** The code of the latest failure, which RETRY evaluates again. */
  failed: Pick<HistoryEntry, 'code' | 'package'> | null = null;

  constructor(session: Session, connectionId: string) {
    this.#session = session;
    this.handles = new Handles(session, `inspected ${connectionId}`);
    this.tracing = new Tracing(session, connectionId);
  }

  /** Ends the connection, which will not be used again. */
  async end(): Promise<void> {
    this.handles.release();
    this.tracing.abandon();
    await this.abandonSuspended();
  }

  /**
   * Records that the image was replaced or has returned to an earlier state. A call that the old image was evaluating reports this itself.
   * A call that is waiting for its turn gets the notice, because a different image will evaluate it.
   */
  imageChanged(notice: ImageNotice | null): void {
    this.handles.clear();
    this.tracing.forget();
    if (notice === null) return;
    if (this.#calls.size === 0) this.#notices = [...this.#notices, notice].slice(-MOST_NOTICES);
    for (const [call, notices] of this.#calls) if (!this.#session.hasBegun(call)) notices.push(notice);
  }

  /** Returns the notices about the image since the last call, and forgets them. */
  takeImageNotices(): readonly ImageNotice[] {
    const notices = this.#notices;
    this.#notices = [];
    return notices;
  }

  /** Begins a call. The returned function ends the call and returns the notices about the image that the call does not report itself. */
  begin(call: string): () => readonly ImageNotice[] {
    const notices: ImageNotice[] = [];
    this.#calls.set(call, notices);
    return () => {
      this.#calls.delete(call);
      return notices.slice(-MOST_NOTICES);
    };
  }

  /**
   * Returns the notices about the image as text for an answer; null if there are none. The text also says whether a new image exists. If no
   * image could be started, a later call of the connection reports the new one.
   */
  imageWords(notices: readonly ImageNotice[]): string | null {
    if (notices.length === 0) return null;
    const { pid, problem } = this.#session.view();
    const none = pid === null && problem !== null;
    if (none && notices.some(({ lost }) => lost)) this.#notices = [STARTED, ...this.#notices].slice(-MOST_NOTICES);
    const words = notices
      .filter((notice) => !none || notice !== STARTED)
      .map(({ said, lost }) => (lost ? `${said} ${none ? noneWords(problem) : FRESH}` : said));
    return words.length === 0 ? null : words.join('\n');
  }

  /** Waits until no call runs code in the connection's debugger, or until `signal` fires. */
  async idleInDebugger(signal: AbortSignal): Promise<void> {
    while (this.suspended && this.suspended.call !== null && !signal.aborted) await this.suspended.idle(signal);
  }

  /** Waits like `idleInDebugger`, then abandons the suspended evaluation. */
  async leaveDebugger(signal: AbortSignal): Promise<void> {
    await this.idleInDebugger(signal);
    if (!signal.aborted) await this.abandonSuspended();
  }

  /** Abandons the suspended evaluation of the connection, if there is one. */
  async abandonSuspended(): Promise<void> {
    const { suspended } = this;
    this.suspended = null;
    await suspended?.abandon();
  }

  /** The history of evaluations, the latest last. */
  get history(): readonly HistoryEntry[] {
    return this.#history;
  }

  /** Adds a finished evaluation to the history. */
  remember(code: string, pkg: string | null, { report }: Evaluation): void {
    const failed = report.status !== 'ok';
    const result = failed
      ? report.condition
        ? `${report.condition.type}: ${report.condition.message}`
        : report.status
      : report.values.map(({ text }) => text).join('\n') || 'No values';
    this.failed = failed ? { code, package: pkg } : this.failed;
    const entry = { code: cut(code, LONGEST_CODE), package: pkg, result: cut(result, LONGEST_RESULT), failed };
    this.#history.push(entry);
    if (this.#history.length > HISTORY) this.#history.shift();
  }
}

const connections = new WeakMap<Session, Map<string, Connection>>();

/** Returns the caller's connection, which is created on first use. */
export function connectionOf({ session, connectionId }: Pick<ToolContext, 'session' | 'connectionId'>): Connection {
  const known = connections.get(session) ?? beginFor(session);
  const connection = known.get(connectionId) ?? new Connection(session, connectionId);
  known.set(connectionId, connection);
  return connection;
}

function beginFor(session: Session): Map<string, Connection> {
  const known = new Map<string, Connection>();
  connections.set(session, known);
  session.events.on('forgotten', ({ connectionId }) => {
    void known.get(connectionId)?.end();
    known.delete(connectionId);
  });
  session.events.on('lifecycle', (life) => {
    if (life.change === 'checkpoint') return;
    for (const connection of known.values()) connection.imageChanged(noticeOf(life));
  });
  return known;
}

/** Returns the notice about an image change; null if nothing was lost. */
function noticeOf({ change, summary }: { readonly change: string; readonly summary: string }): ImageNotice | null {
  const said = summary.replace(/\.?$/, '.');
  if (change === 'rewound') return { said: `${said} Later definitions are gone.`, lost: false };
  if (change === 'ended') return { said, lost: true };
  if (change === 'reset') return { said: 'The image was reset.', lost: true };
  if (change === 'restarted') return { said: `The image was restarted: ${said}`, lost: true };
  return null;
}

/** The notice that an image was finally started, for clients that were informed of a failed start. */
const STARTED: ImageNotice = { said: 'An image could be started again.', lost: true };

function noneWords(problem: string): string {
  return `The image was not replaced: ${problem} Each evaluation tries to start a new image, without the earlier definitions and systems.`;
}

const FRESH = 'This is a new image: check which definitions and systems it has.';

function cut(text: string, most: number): string {
  return text.length > most ? `${detached(text.slice(0, most))} … ${text.length - most} more characters` : text;
}
