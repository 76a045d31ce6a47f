/** The interface between a server and the table of servers: the server listens on request, and reports events while it listens. */
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
  /** The port to use if no port is requested. */
  readonly usualPort: number;
  /** The name of the server's service, as stored in its record: "MCP and Lisply". */
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
