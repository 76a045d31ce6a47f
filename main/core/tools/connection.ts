/** What the tools keep of a connection between its calls. It goes when the connection goes. */
import type { Evaluation } from '#core/sessions/requests.ts';
import type { Session } from '#core/sessions/session.ts';
import { Handles } from './handles.ts';
import type { Held } from './held.ts';
import { Tracing } from './tracing.ts';
import type { ToolContext } from './tool.ts';

/** One evaluation of the connection's history. */
export interface HistoryEntry {
  readonly code: string;
  readonly package: string | null;
  readonly result: string;
  readonly failed: boolean;
}

const HISTORY = 100;
const LONGEST_CODE = 20_000;
const LONGEST_RESULT = 2_000;

export class Connection {
  /** Of the objects that it inspects. */
  readonly handles: Handles;
  readonly tracing: Tracing;
  #history: HistoryEntry[] = [];
  /** Its error that waits in the debugger. */
  held: Held | null = null;
  /** The code of the latest failure, as it would have to be evaluated again. */
  failed: Pick<HistoryEntry, 'code' | 'package'> | null = null;

  constructor(session: Session, context: string) {
    this.handles = new Handles(session, `inspected ${context}`);
    this.tracing = new Tracing(session, context);
  }

  /** Nobody will use it again. */
  async end(): Promise<void> {
    this.handles.release();
    this.tracing.abandon();
    await this.letGo();
  }

  /** The image is another one. */
  imageChanged(): void {
    this.handles.clear();
    this.tracing.forget();
  }

  /** Gives up what is held. */
  async letGo(): Promise<void> {
    const { held } = this;
    this.held = null;
    await held?.giveUp();
  }

  /** The latest last. */
  get history(): readonly HistoryEntry[] {
    return this.#history;
  }

  /** Takes in an evaluation that has ended. */
  remember(code: string, pkg: string | null, { report }: Evaluation): void {
    const failed = report.status !== 'ok';
    const result = failed
      ? report.condition
        ? `${report.condition.type}: ${report.condition.message}`
        : report.status
      : report.values.map(({ text }) => text).join('\n') || 'No values';
    this.failed = failed ? { code, package: pkg } : this.failed;
    const entry = { code: cut(code, LONGEST_CODE), package: pkg, result: cut(result, LONGEST_RESULT), failed };
    this.#history = [...this.#history, entry].slice(-HISTORY);
  }
}

const connections = new WeakMap<Session, Map<string, Connection>>();

/** The caller's connection; made on first use. */
export function connectionOf({ session, context }: Pick<ToolContext, 'session' | 'context'>): Connection {
  const known = connections.get(session) ?? beginFor(session);
  const connection = known.get(context) ?? new Connection(session, context);
  known.set(context, connection);
  return connection;
}

function beginFor(session: Session): Map<string, Connection> {
  const known = new Map<string, Connection>();
  connections.set(session, known);
  session.events.on('forgotten', ({ context }) => {
    void known.get(context)?.end();
    known.delete(context);
  });
  session.events.on('life', ({ change }) => {
    if (change !== 'checkpoint') for (const connection of known.values()) connection.imageChanged();
  });
  return known;
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)} … ${text.length - most} more characters` : text;
}
