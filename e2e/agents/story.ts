/** A story that a scripted agent plays: what it does in each turn, in order. */

export type Step =
  /** Says words, in so many pieces. */
  | { readonly say: string; readonly pieces?: number }
  | { readonly think: string }
  | { readonly plan: readonly { readonly content: string; readonly status: 'pending' | 'in_progress' | 'completed' }[] }
  | { readonly usage: { readonly used: number; readonly size: number; readonly cost?: number } }
  /** Calls a tool of the MCP server that it was given, tells of it, and says the answer where `says` is true. */
  | {
      readonly call: string;
      readonly arguments: Record<string, unknown>;
      readonly says?: boolean;
      readonly asks?: boolean;
    }
  /** Tells of a call of a tool of the server that it never makes. */
  | { readonly lie: string; readonly arguments: Record<string, unknown> }
  /** Does something with a tool of its own, in a shell, after asking for permission where `asks` is true; says what came of it. */
  | { readonly shell: string; readonly asks?: boolean }
  /** Writes a file through the host, or reads one, and says what came of it. */
  | { readonly writeFile: string; readonly content: string }
  | { readonly readFile: string }
  /** Asks for permission to change a file itself, with the change. */
  | { readonly edit: string; readonly before: string; readonly after: string }
  /** Waits for the cancel; with `ignore` it never ends; with `asks` it asks for permission after the cancel. */
  | { readonly wait: 'cancel' | 'ignore' | 'asks' }
  /** Writes messages without end. */
  | { readonly flood: true }
  /** Says one message of so many octets. */
  | { readonly long: number }
  /** Writes a line that is no JSON, and one that is no message. */
  | { readonly garbage: true }
  /** Ends its process in the middle of the turn. */
  | { readonly exit: number }
  /** Asks for permission for a tool of its own with this title and goes on at once; says the answer when it comes. */
  | { readonly asksAside: string }
  /** Fails since it wants a login, which its method gives; with `once` not after that. */
  | { readonly wantsLogin: true | 'once' }
  /** Changes its mode by itself. */
  | { readonly mode: string }
  | { readonly fail: string };

export interface Story {
  /** Version of the protocol that it says it speaks; 1 when left out. */
  readonly protocol?: number;
  /** Members of its introduction that take the place of the usual ones. */
  readonly introduction?: Readonly<Record<string, unknown>>;
  /** True for one that takes no images in prompts. */
  readonly withoutImages?: boolean;
  /** True for one that takes no MCP server over HTTP. */
  readonly withoutHttp?: boolean;
  /** True for one that wants a login before its first session, `later` for one that wants it by a step; its method lets it in. */
  readonly login?: boolean | 'later';
  /**
   * A file in whose presence it is logged in; `HOME` in it is the agent's home. Its method is a login at a terminal then, which asks for `code` and makes
   * the file. As real programs do, it names that only to a client that has terminals.
   */
  readonly loginFile?: string;
  readonly code?: string;
  /** True for a login at a terminal that handles the key that interrupts. */
  readonly trapsInterrupt?: boolean;
  /** A page that its method of login asks the person to open. It is logged in once the page was opened and the file `done` is there. */
  readonly loginPage?: { readonly address: string; readonly message: string; readonly done: string };
  /** True for one that names its login at a terminal in the way of before the protocol had them. */
  readonly olderLogin?: boolean;
  /** True for one that cannot go on with a session. */
  readonly forgets?: boolean;
  /** True for one that can go on with sessions, and knows none. */
  readonly losesSessions?: boolean;
  /** A file in whose presence it opens no session; it says the text of the file. */
  readonly refusal?: string;
  /** True for one that never answers to `initialize`. */
  readonly silent?: boolean;
  /** True for one that never asks for the list of our tools. */
  readonly listsNoTools?: boolean;
  /** The tools of its own that it offers its model. */
  readonly offers?: readonly string[];
  /** True for one whose requests for permission can only be granted. */
  readonly takesNoNo?: boolean;
  /** True for one that does not change its mode. */
  readonly keepsMode?: boolean;
  /** The mode to which it changes by itself as soon as a session is open, before it asks for the list of our tools. */
  readonly drifts?: string;
  /** Options beside the modes that are on or off, with their values at the start. */
  readonly switches?: Readonly<Record<string, boolean>>;
  /** Modes that it offers, the first is the one that it starts in. */
  readonly modes?: readonly { readonly id: string; readonly name: string }[];
  /** The turns: the first whose `when` is part of the prompt, else the first without one. */
  readonly turns: readonly { readonly when?: string; readonly steps: readonly Step[] }[];
}
