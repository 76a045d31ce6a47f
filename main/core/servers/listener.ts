/** A server as the table of servers sees it: something that listens when it is asked to, and tells what happens meanwhile. */
import type { ServerKind, ServerRecord } from '#contract/clients/server.ts';

/** Called by a listener while it starts and while it listens. */
export interface ListenerEvents {
  /** A fact about it is another now; while it starts, `notice` is what it is about. */
  changed(facts: Partial<Pick<ServerRecord, 'connections' | 'notice' | 'refused' | 'certificate'>>): void;
  /** The listener ended without being asked to. The sentence says why, and what to do. */
  ended(why: string): void;
}

export interface Listening {
  readonly address: string;
  readonly port: number;
  readonly notice?: string | null;
  readonly certificate?: ServerRecord['certificate'];
  /** Ends it with its connections. */
  close(): Promise<void>;
}

export interface Listener {
  readonly kind: ServerKind;
  /** The port that is taken where nobody names one. */
  readonly usualPort: number;
  /** Name of its service, for the record: "MCP and Lisply". */
  readonly serves: string;
  /**
   * Listens on a port of loopback; 0 takes any free one. `stopped` fires when it is stopped before it listens.
   * @throws WorkbenchError with why it does not listen, and what to do.
   */
  listen(port: number, events: ListenerEvents, stopped: AbortSignal): Promise<Listening>;
  /** Returns the actions that can be done with a click after it has failed. */
  offers?(): ServerRecord['offers'];
  /** Does one of these actions. It is started again afterwards. */
  act?(offer: string): Promise<void>;
}
