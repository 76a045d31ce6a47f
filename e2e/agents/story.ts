/** The story that a scripted agent plays: the steps of each turn, in order. */

export type Step =
  /** Says this text, split into `pieces` pieces. */
  | { readonly say: string; readonly pieces?: number }
  | { readonly think: string }
  | { readonly plan: readonly { readonly content: string; readonly status: 'pending' | 'in_progress' | 'completed' }[] }
  | { readonly usage: { readonly used: number; readonly size: number; readonly cost?: number } }
  /** Calls a tool of the agent's MCP server and reports the call. If `says` is true, says the tool's answer. */
  | {
      readonly call: string;
      readonly arguments: Record<string, unknown>;
      readonly says?: boolean;
      readonly asks?: boolean;
    }
  /** Reports a call of one of the server's tools, but does not make the call. */
  | { readonly lie: string; readonly arguments: Record<string, unknown> }
  /** Runs a command in the agent's own shell. If `asks` is true, asks for permission first. Says the outcome. */
  | { readonly shell: string; readonly asks?: boolean }
  /** Writes or reads a file through the host, and says the outcome. */
  | { readonly writeFile: string; readonly content: string }
  | { readonly readFile: string }
  /** Asks for permission to change a file without using the host, and shows the change. */
  | { readonly edit: string; readonly before: string; readonly after: string }
  /**
   * Waits until the turn is cancelled. With `ignore` the turn never ends; with `asks` the agent asks for permission after the cancellation.
   */
  | { readonly wait: 'cancel' | 'ignore' | 'asks' }
  /** Writes messages without end. */
  | { readonly flood: true }
  /** Says one message of this many octets. */
  | { readonly long: number }
  /** Writes a line that is not JSON, and a line that is not a message. */
  | { readonly garbage: true }
  /** Ends the agent's process during the turn. */
  | { readonly exit: number }
  /** Asks for permission for the agent's own tool with this title, and continues at once. Says the answer when it arrives. */
  | { readonly asksAside: string }
  /** Fails because the agent needs a login, which its login method provides. With `once`, the step succeeds after the login. */
  | { readonly wantsLogin: true | 'once' }
  /** Changes the agent's mode without a request. */
  | { readonly mode: string }
  | { readonly fail: string };

export interface Story {
  /** The protocol version that the agent reports; 1 if omitted. */
  readonly protocol?: number;
  /** Fields that replace the usual ones in the agent's answer to `initialize`. */
  readonly introduction?: Readonly<Record<string, unknown>>;
  /** True for an agent that does not accept images in prompts. */
  readonly withoutImages?: boolean;
  /** True for an agent that does not accept an MCP server over HTTP. */
  readonly withoutHttp?: boolean;
  /**
   * True for an agent that needs a login before its first session; `later` if only a later step needs the login. The agent's login method
   * logs it in.
   */
  readonly login?: boolean | 'later';
  /**
   * The agent is logged in if this file exists; `HOME` in the path is the agent's home. The login method is then a login in a terminal,
   * which asks for `code` and creates the file. Like real programs, the agent offers this method only to a client with terminals.
   */
  readonly loginFile?: string;
  readonly code?: string;
  /** True for a login in a terminal that handles the interrupt key. */
  readonly trapsInterrupt?: boolean;
  /**
   * A page that the agent's login method asks the person to open. The agent is logged in once the page was opened and the file `done`
   * exists.
   */
  readonly loginPage?: { readonly address: string; readonly message: string; readonly done: string };
  /** True for an agent that announces its terminal login with the method used before the protocol supported such logins. */
  readonly olderLogin?: boolean;
  /** True for an agent that cannot resume a session. */
  readonly forgets?: boolean;
  /** True for an agent that can resume sessions, but has lost all of them. */
  readonly losesSessions?: boolean;
  /** If this file exists, the agent refuses to open a session and says the text of the file. */
  readonly refusal?: string;
  /** True for an agent that never answers `initialize`. */
  readonly silent?: boolean;
  /** True for an agent that never requests the list of our tools. */
  readonly listsNoTools?: boolean;
  /** The agent's own tools, which it offers to its model. */
  readonly offers?: readonly string[];
  /** True for an agent whose permission requests offer no way to refuse. */
  readonly takesNoNo?: boolean;
  /** True for an agent that ignores requests to change its mode. */
  readonly keepsMode?: boolean;
  /** The mode to which the agent changes without a request as soon as a session is open, before it requests the list of our tools. */
  readonly drifts?: string;
  /** On-off options that the agent offers in addition to the modes, with their initial values. */
  readonly switches?: Readonly<Record<string, boolean>>;
  /** The modes that the agent offers; it starts in the first one. */
  readonly modes?: readonly { readonly id: string; readonly name: string }[];
  /** The turns. A prompt gets the first turn whose `when` the prompt contains, otherwise the first turn without `when`. */
  readonly turns: readonly { readonly when?: string; readonly steps: readonly Step[] }[];
}
