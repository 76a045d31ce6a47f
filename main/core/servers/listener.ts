/** A server as the table of servers uses it: it listens on request, and reports events while it does. */
import type { ServerKind, ServerRecord } from '#contract/clients/server.ts';

/** Called by a listener while it starts and while it listens. */
export interface ListenerEvents {
  /** Called when a fact about the server has changed. While it starts, `notice` describes the current step. */
  changed(facts: Partial<Pick<ServerRecord, 'connections' | 'notice' | 'refused' | 'certificate'>>): void;
  /** Called when the listener ended unexpectedly. `why` is a sentence with the reason and advice. */
  ended(why: string): void;
}

export interface Listening {
  readonly address: string;
  readonly port: number;
  readonly notice?: string | null;
  readonly certificate?: ServerRecord['certificate'];
  /** Stops the server and closes its connections. */
  close(): Promise<void>;
}

export interface Listener {
  readonly kind: ServerKind;
  /** The port to use if none is given. */
  readonly usualPort: number;
  /** The name of its service, for the record: "MCP and Lisply". */
  readonly serves: string;
  /**
   * Listens on a loopback port; 0 uses any free one. `stopped` is aborted if the server is stopped before it listens.
   * @throws WorkbenchError with the reason and advice.
   */
  listen(port: number, events: ListenerEvents, stopped: AbortSignal): Promise<Listening>;
  /** Returns the actions that the person can start with a click after a failure. */
  offers?(): ServerRecord['offers'];
  /** Performs one of these actions. The server is started again afterwards. */
  act?(offer: string): Promise<void>;
}
