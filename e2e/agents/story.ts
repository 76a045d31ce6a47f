/** The story that a scripted agent plays: the steps of each turn, in order. */

export type Step =
  /** Says words, in this many pieces. */
  | { readonly say: string; readonly pieces?: number }
  | { readonly think: string }
  | { readonly plan: readonly { readonly content: string; readonly status: 'pending' | 'in_progress' | 'completed' }[] }
  | { readonly usage: { readonly used: number; readonly size: number; readonly cost?: number } }
  /** Calls a tool of the MCP server that it was given and reports the call; says the answer if `says` is true. */
  | {
      readonly call: string;
      readonly arguments: Record<string, unknown>;
      readonly says?: boolean;
      readonly asks?: boolean;
    }
  /** Reports a call of one of the server's tools that it never makes. */
  | { readonly lie: string; readonly arguments: Record<string, unknown> }
  /** Runs a command with its own shell, after asking for permission if `asks` is true; says the outcome. */
  | { readonly shell: string; readonly asks?: boolean }
  /** Writes or reads a file through the host, and says the outcome. */
  | { readonly writeFile: string; readonly content: string }
  | { readonly readFile: string }
  /** Asks for permission to change a file itself, and shows the change. */
  | { readonly edit: string; readonly before: string; readonly after: string }
  /** Waits until it is cancelled; with `ignore` it never ends; with `asks` it asks for permission after the cancellation. */
  | { readonly wait: 'cancel' | 'ignore' | 'asks' }
  /** Writes messages without end. */
  | { readonly flood: true }
  /** Says one message of this many octets. */
  | { readonly long: number }
  /** Writes a line that is not JSON, and a line that is not a message. */
  | { readonly garbage: true }
  /** Ends its process during the turn. */
  | { readonly exit: number }
  /** Asks for permission for its own tool with this title and continues at once; says the answer when it arrives. */
  | { readonly asksAside: string }
  /** Fails because it needs a login, which its method provides; with `once` it does not fail after that. */
  | { readonly wantsLogin: true | 'once' }
  /** Changes its mode without being asked. */
  | { readonly mode: string }
  | { readonly fail: string };

export interface Story {
  /** The protocol version that it reports; 1 if omitted. */
  readonly protocol?: number;
  /** Fields that replace the usual ones in its introduction. */
  readonly introduction?: Readonly<Record<string, unknown>>;
  /** True for an agent that does not accept images in prompts. */
  readonly withoutImages?: boolean;
  /** True for an agent that does not accept an MCP server over HTTP. */
  readonly withoutHttp?: boolean;
  /** True for an agent that needs a login before its first session, `later` for one that needs it from a step on. Its method logs it in. */
  readonly login?: boolean | 'later';
  /**
   * The agent is logged in if this file exists; `HOME` in the path is the agent's home. Its method is then a login in a terminal, which
   * asks for `code` and creates the file. Like real programs, it offers this method only to a client with terminals.
   */
  readonly loginFile?: string;
  readonly code?: string;
  /** True for a login in a terminal that handles the interrupt key. */
  readonly trapsInterrupt?: boolean;
  /** A page that its login method asks the person to open. It is logged in once the page was opened and the file `done` exists. */
  readonly loginPage?: { readonly address: string; readonly message: string; readonly done: string };
  /** True for an agent that announces its terminal login in the way used before the protocol supported it. */
  readonly olderLogin?: boolean;
  /** True for an agent that cannot resume a session. */
  readonly forgets?: boolean;
  /** True for an agent that can resume sessions, but does not know any. */
  readonly losesSessions?: boolean;
  /** If this file exists, the agent refuses to open a session and says the text of the file. */
  readonly refusal?: string;
  /** True for an agent that never answers `initialize`. */
  readonly silent?: boolean;
  /** True for an agent that never requests the list of our tools. */
  readonly listsNoTools?: boolean;
  /** The agent's own tools that it offers to its model. */
  readonly offers?: readonly string[];
  /** True for an agent whose permission requests can only be granted. */
  readonly takesNoNo?: boolean;
  /** True for an agent that does not change its mode. */
  readonly keepsMode?: boolean;
  /** The mode to which it changes on its own as soon as a session is open, before it requests the list of our tools. */
  readonly drifts?: string;
  /** Options in addition to the modes that are on or off, with their initial values. */
  readonly switches?: Readonly<Record<string, boolean>>;
  /** The modes that it offers; it starts in the first one. */
  readonly modes?: readonly { readonly id: string; readonly name: string }[];
  /** The turns. A prompt gets the first turn whose `when` it contains, otherwise the first turn without one. */
  readonly turns: readonly { readonly when?: string; readonly steps: readonly Step[] }[];
}
