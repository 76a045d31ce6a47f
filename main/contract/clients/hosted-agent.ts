/** AI agents that the workbench itself runs, using the Agent Client Protocol (ACP). */
import { z } from 'zod';
import { IMAGE_TYPES, LARGEST_IMAGE, LARGEST_THUMBNAIL, MOST_IMAGES } from '#contract/image/image-type.ts';
import { actor } from '#contract/image/session.ts';

/**
 * The access level of an agent's process. `workbench-only`: the agent's own tools are off and the process is sandboxed, so the agent can
 * act only through the workbench's tools; `project-read-only`: the process is sandboxed, and the agent's own tools cannot write to the
 * project; `unconfined`: the process has the rights of any other program that the person runs.
 */
export const agentStanding = z.enum(['workbench-only', 'project-read-only', 'unconfined']);

/** An agent program that can run here. */
const agentProgram = z.object({
  /** The id of the program's recipe, such as `claude-code`, or of its entry in the agent list, such as `registry-goose`. */
  id: z.string(),
  title: z.string(),
  /** The description of the program in one line; empty if there is none. */
  description: z.string(),
  /** The HTTPS address of the program's web page; null if unknown. */
  page: z.string().nullable(),
  /** True if the workbench has a recipe for the program. Other programs run as the agent list specifies. */
  recipe: z.boolean(),
  /** `missing`: the program is not installed; `unusable`: the program is installed, and `problem` says what is wrong with it. */
  state: z.enum(['ready', 'missing', 'installing', 'removing', 'unusable']),
  /** The installed version; null if the program is missing or does not report its version. */
  version: z.string().nullable(),
  /** The version with which the recipe was tested; null without a recipe. */
  tried: z.string().nullable(),
  /** The newest known version; null if none is known. */
  newest: z.string().nullable(),
  /** The absolute path of the program; null if it was not found. */
  place: z.string().nullable(),
  /** The command line from the agent list; null if the program has a recipe or is missing. */
  command: z.string().nullable(),
  /** True for a program in the workbench's own folder, which the workbench can update and remove. The person manages all other programs. */
  own: z.boolean(),
  /** The newer version that *Update* installs; null if no newer version is known or the person manages the program. */
  update: z.string().nullable(),
  problem: z.string().nullable(),
  /** The approximate size on disk in megabytes; null if unknown. */
  megabytes: z.int().positive().nullable(),
  /**
   * The command or download that *Install* and *Update* run, in the workbench's own folder; null for a program that the person installs.
   */
  install: z.string().nullable(),
  /** The access levels available with this version on this machine, strictest first. */
  standings: z.array(agentStanding).min(1),
  /** The reason why a stricter access level is unavailable; null if all levels are available. */
  limits: z.string().nullable(),
  /** A sentence about the actions that the agent takes without asking, unless something prevents them. */
  unasked: z.string(),
});

/** The list of installable agents. */
const agentList = z.object({
  /** The time of the last refresh, in milliseconds since the epoch; null for the list that came with this release. */
  at: z.number().nullable(),
  /** The reason why the list could not be refreshed or read, and what to do; null if there is no problem. */
  problem: z.string().nullable(),
  /** The number of entries that were skipped because they could not be parsed. */
  leftOut: z.int().nonnegative(),
});

/** A thumbnail of an image, as a data URL; empty if no thumbnail could be created. */
const thumbnail = z
  .string()
  .max(LARGEST_THUMBNAIL)
  .regex(/^(?:data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2})?$/);

/** An image attached to a prompt. */
const promptImage = z.object({
  type: z.enum(IMAGE_TYPES),
  /** The bytes in base64. */
  data: z
    .string()
    .min(4)
    .max(Math.ceil(LARGEST_IMAGE / 3) * 4)
    .regex(/^[A-Za-z0-9+/]+={0,2}$/),
  thumbnail,
});

/** An attachment of a prompt: an object of the live image, or a piece of text. */
const promptContext = z.object({
  kind: z.enum([
    'form',
    'selection',
    'definition',
    'condition',
    'object',
    'repl',
    'test',
    'file',
    'request',
    'project',
    'instructions',
    'image',
  ]),
  /** The label of the attachment's chip: "form in cart.lisp, line 20". */
  title: z.string().min(1).max(300),
  /** The text; empty for an image. */
  text: z.string().max(200_000),
  /** The image, if the attachment is an image. */
  image: promptImage.optional(),
});

const promptContexts = z
  .array(promptContext)
  .max(20)
  .refine(
    (all) => all.filter(({ image }) => image).length <= MOST_IMAGES,
    `A prompt has at most ${MOST_IMAGES} images.`,
  );

/** The stored text of an item; `cut` is the number of characters removed from its end. */
const itemText = { text: z.string(), cut: z.int().nonnegative() };

const itemBase = {
  /** The number of the item in its conversation, from 1. A later state of the same item has the same number. */
  seq: z.int().positive(),
  /** Milliseconds since the epoch. */
  at: z.number(),
};

/** An entry of a conversation with an agent. */
export const agentItem = z.discriminatedUnion('kind', [
  /** The person's prompt, with the titles of its attachments, and the names and thumbnails of its images. */
  z.object({
    kind: z.literal('asked'),
    ...itemBase,
    ...itemText,
    context: z.array(z.string()),
    images: z.array(z.object({ name: z.string(), thumbnail: thumbnail.catch('') })).default([]),
  }),
  /** The agent's message in Markdown; `open` is true while more text may follow. */
  z.object({ kind: z.literal('said'), ...itemBase, ...itemText, open: z.boolean() }),
  z.object({ kind: z.literal('thought'), ...itemBase, ...itemText, open: z.boolean() }),
  /** A tool call, as the agent reports it. */
  z.object({
    kind: z.literal('call'),
    ...itemBase,
    /** The id that the agent gave to the call. */
    id: z.string(),
    title: z.string(),
    status: z.enum(['pending', 'running', 'done', 'failed']),
    /** The name of the called tool of the workbench; null for one of the agent's own tools. */
    tool: z.string().nullable(),
    /** The id of the call in the activity; null if the workbench has not received the call. */
    call: z.string().nullable(),
    input: z.object(itemText),
    output: z.object(itemText),
    /** The files that the agent says it is working on. */
    files: z.array(z.object({ path: z.string(), line: z.int().nullable() })),
  }),
  /** A message from the workbench about the conversation, such as a stop, a refusal or the end of a process. */
  z.object({
    kind: z.literal('notice'),
    ...itemBase,
    ...itemText,
    tone: z.enum(['plain', 'warning', 'error']),
  }),
]);

/** A setting that an agent offers, such as its model. */
const agentPicker = z.object({
  id: z.string(),
  title: z.string(),
  value: z.string(),
  choices: z.array(z.object({ value: z.string(), title: z.string(), detail: z.string() })),
});

/** A login method that an agent offers. */
const loginMethod = z.object({
  id: z.string(),
  title: z.string(),
  detail: z.string(),
  /** True if the agent's program logs in at a terminal; otherwise the agent handles the login itself, for example in a browser. */
  terminal: z.boolean(),
});

/** The terminal in which the person logs in to an agent's program. */
const loginTerminal = z.object({
  /** The agent's id. */
  agent: z.string(),
  title: z.string(),
  /** The number of this login among the logins of all agents. */
  run: z.int().positive(),
  /** The latest output, with its control sequences. `total` is the length of all output so far, in UTF-16 code units. */
  text: z.string(),
  total: z.int().nonnegative(),
  state: z.enum(['running', 'ended']),
  /** The reason why the login failed; null while it is running and after a success. */
  problem: z.string().nullable(),
});

const terminalSize = { columns: z.int().min(20).max(500), rows: z.int().min(5).max(200) };

/** A web page that an agent asks the person to open, for example for a login. */
const askedPage = z.object({
  id: z.string(),
  /** The agent's message, which may contain a code to enter on the page. */
  message: z.string(),
  address: z.string(),
  /** True once the person has opened the page; the agent then waits until they finish there. */
  isOpened: z.boolean(),
});

export const hostedAgent = z.object({
  id: z.string(),
  /** The id of the recipe of the agent's program. */
  program: z.string(),
  title: z.string(),
  /** The agent's client, which has the agent's hue, mode, pause state and image. */
  actor,
  /**
   * `login`: the person has to log in first; `stopping`: a turn was stopped, but the agent has not confirmed it yet; `ended`: the agent's
   * process has exited, but the conversation can still be read.
   */
  state: z.enum(['starting', 'idle', 'working', 'stopping', 'login', 'ended']),
  standing: agentStanding,
  /** True while a request for one of the agent's own tools is waiting in Review. */
  asks: z.boolean(),
  /** The reason why the agent ended or cannot continue, in words; null if there is no problem. */
  problem: z.string().nullable(),
  startedAt: z.number(),
  /** The start of the current turn; null between turns. */
  turnStartedAt: z.number().nullable(),
  plan: z.array(z.object({ text: z.string(), status: z.enum(['pending', 'in_progress', 'completed']) })),
  /** The number of used tokens, the size of the context, and the cost such as "0.12 USD", all as reported by the agent. */
  usage: z.object({ used: z.number(), size: z.number(), cost: z.string().nullable() }).nullable(),
  pickers: z.array(agentPicker),
  /**
   * The strictest access level that the program does comply with, if the agent was ended because it violated its access level. Otherwise
   * null.
   */
  looser: agentStanding.nullable(),
  /** True if the agent accepts images; false while it is starting, because that is not known yet. */
  takesImages: z.boolean(),
  /** Commands with which a prompt can begin, such as `/init`. */
  commands: z.array(z.object({ name: z.string(), detail: z.string() })),
  logins: z.array(loginMethod),
  /** The page that the agent asks the person to open; null if there is none. */
  page: askedPage.nullable(),
  /** The prompt that is sent after the current turn; null if there is none. The prompt can be withdrawn even after the agent has ended. */
  queued: z.string().nullable(),
  process: z.object({ pid: z.int(), memory: z.number().nullable() }).nullable(),
  /** True if an ended conversation can be continued with the same agent. */
  resumable: z.boolean(),
});

/** A stored conversation of the project. */
const keptConversation = z.object({
  id: z.string(),
  program: z.string(),
  title: z.string(),
  /** The access level of the agent's last run in this conversation. */
  standing: agentStanding,
  startedAt: z.number(),
  /** The beginning of the first prompt. */
  about: z.string(),
  items: z.int().nonnegative(),
});

const agentId = z.object({ id: z.string() });

export const hostedAgentCalls = {
  /** Finds the available agent programs and their access levels. */
  'hosted.look': { input: z.object({}), output: z.object({ programs: z.array(agentProgram), list: agentList }) },
  /**
   * Fetches the agent list and the newest versions of the programs that the workbench installed. If this fails, the list's `problem` gives
   * the reason.
   */
  'hosted.refreshList': { input: z.object({}), output: z.object({ list: agentList }) },
  /** Removes a program that the workbench installed. With `state`, also removes the program's own data, such as its login and settings. */
  'hosted.remove': { input: z.object({ program: z.string(), state: z.boolean() }), output: z.object({}) },
  /** Installs or updates a program in the workbench's own folder. `hosted-programs-changed` reports the progress. */
  'hosted.install': { input: z.object({ program: z.string() }), output: z.object({}) },
  'hosted.cancelInstall': { input: z.object({ program: z.string() }), output: z.object({}) },
  /** Starts an agent; `conversation` names a stored conversation to continue. */
  'hosted.start': {
    input: z.object({ program: z.string(), standing: agentStanding, conversation: z.string().nullable() }),
    output: agentId,
  },
  /** Returns the attachments of a conversation's first prompt: the project and the instruction files in it. */
  'hosted.place': { input: agentId, output: z.object({ context: z.array(promptContext) }) },
  /** Sends a prompt, or queues it until the current turn ends. If a prompt is already queued, this one is appended to it. */
  'hosted.prompt': {
    input: z.object({ id: z.string(), text: z.string().max(200_000), context: promptContexts }),
    output: z.object({}),
  },
  /** Withdraws the queued prompt and returns it with its attachments. */
  'hosted.unqueue': { input: agentId, output: z.object({ text: z.string(), context: z.array(promptContext) }) },
  /** Stops the current turn, both in the agent and in the image. */
  'hosted.stop': { input: agentId, output: z.object({}) },
  /** Ends the agent and its process. The conversation remains stored. */
  'hosted.end': { input: agentId, output: z.object({}) },
  /** Removes an ended agent from the list. */
  'hosted.close': { input: agentId, output: z.object({}) },
  'hosted.choose': {
    input: z.object({ id: z.string(), picker: z.string(), value: z.string() }),
    output: z.object({}),
  },
  /**
   * Opens the session of an agent that asked for a login. `method` is one of the agent's login methods; null means that the person has
   * logged in elsewhere.
   */
  'hosted.login': { input: z.object({ id: z.string(), method: z.string().nullable() }), output: z.object({}) },
  /** Answers an agent's request to open a page: the person opened it, or refused. */
  'hosted.answerPage': {
    input: z.object({ id: z.string(), page: z.string(), isOpened: z.boolean() }),
    output: z.object({}),
  },
  /**
   * Runs a login in a terminal and closes any earlier login terminal. After a successful login, opens the session and sends a waiting
   * prompt.
   */
  'hosted.openLogin': {
    input: z.object({ id: z.string(), method: z.string(), ...terminalSize }),
    output: z.object({}),
  },
  'hosted.typeLogin': { input: z.object({ id: z.string(), text: z.string().max(100_000) }), output: z.object({}) },
  'hosted.resizeLogin': { input: z.object({ id: z.string(), ...terminalSize }), output: z.object({}) },
  'hosted.closeLogin': { input: agentId, output: z.object({}) },
  /** Returns the newest items before the number `before`, in conversation order. If `before` is null, returns the newest items of all. */
  'hosted.items': {
    input: z.object({ id: z.string(), before: z.int().nullable(), most: z.int().min(1).max(500) }),
    output: z.object({ items: z.array(agentItem) }),
  },
  /** Returns the latest text that the agent's program wrote to standard error. */
  'hosted.log': { input: agentId, output: z.object({ text: z.string() }) },
  /** Returns the conversations of the open project, newest first. */
  'hosted.conversations': { input: z.object({}), output: z.object({ conversations: z.array(keptConversation) }) },
  'hosted.forget': { input: agentId, output: z.object({}) },
} as const;

export const hostedAgentEvents = {
  'hosted-agents-changed': z.array(hostedAgent),
  'hosted-programs-changed': z.array(agentProgram),
  /** The terminals in which a login is open. */
  'hosted-logins-changed': z.array(loginTerminal),
  /** An item is new or has changed. */
  'hosted-item': z.object({ agent: z.string(), item: agentItem }),
} as const;

export type AgentStanding = z.infer<typeof agentStanding>;
export type AgentList = z.infer<typeof agentList>;
export type AgentProgram = z.infer<typeof agentProgram>;
export type AgentItem = z.infer<typeof agentItem>;
export type AgentPicker = z.infer<typeof agentPicker>;
export type AskedPage = z.infer<typeof askedPage>;
export type HostedAgent = z.infer<typeof hostedAgent>;
export type KeptConversation = z.infer<typeof keptConversation>;
export type LoginMethod = z.infer<typeof loginMethod>;
export type LoginTerminal = z.infer<typeof loginTerminal>;
export type PromptContext = z.infer<typeof promptContext>;
