/** AI agents that the workbench runs itself, and speaks with by the Agent Client Protocol (ACP). */
import { z } from 'zod';
import { IMAGE_TYPES, LARGEST_IMAGE, LARGEST_THUMBNAIL, MOST_IMAGES } from '#contract/image/image-type.ts';
import { actor } from '#contract/image/session.ts';

/**
 * How far an agent's process is closed off. `workbench-only`: its own tools are off and its process is in the sandbox, so that it acts by the
 * tools of the workbench alone; `project-read-only`: in the sandbox, with its own tools, which can write nothing of the project;
 * `unconfined`: a program like any other of the person's.
 */
export const agentStanding = z.enum(['workbench-only', 'project-read-only', 'unconfined']);

/** An agent program that can be run here. */
const agentProgram = z.object({
  /** The id of its recipe, such as `claude-code`, or of its entry in the list, such as `registry-goose`. */
  id: z.string(),
  title: z.string(),
  /** The description of the program in one line; empty where there is none. */
  description: z.string(),
  /** The address of its page, over HTTPS; null where none is known. */
  page: z.string().nullable(),
  /** True for a program that the workbench knows by a recipe; others run as the list describes them. */
  recipe: z.boolean(),
  /** `missing`: it has to be installed first; `unusable`: it is there, and `problem` says what is wrong with it. */
  state: z.enum(['ready', 'missing', 'installing', 'removing', 'unusable']),
  /** The version that was found; null where there is none, or where it does not tell. */
  version: z.string().nullable(),
  /** The version that the recipe was tried with; null without a recipe. */
  tried: z.string().nullable(),
  /** The newest version that is known; null where none is. */
  newest: z.string().nullable(),
  /** The absolute path of the program that was found; null where there is none. */
  place: z.string().nullable(),
  /** The command line of a program that only the list describes, as the list has it; null for others, and for one that is not there. */
  command: z.string().nullable(),
  /** True for a program in the workbench's own folder, which can be updated and removed; others are the person's. */
  own: z.boolean(),
  /** The newer version that *Update* installs; null where none is known, and for a program of the person's. */
  update: z.string().nullable(),
  problem: z.string().nullable(),
  /** Megabytes that it takes on the disk, about; null where that is not known. */
  megabytes: z.int().positive().nullable(),
  /** The command that *Install* and *Update* run, in the workbench's own folder, or the download that they make; null for a program that the person installs. */
  install: z.string().nullable(),
  /** The standings that can be had with this version and on this machine, the closest first. */
  standings: z.array(agentStanding).min(1),
  /** Why a closer standing cannot be had; null where all can. */
  limits: z.string().nullable(),
  /** The actions that the agent takes by itself where nothing keeps it from them, in a sentence. */
  unasked: z.string(),
});

/** The list of agents that can be installed. */
const agentList = z.object({
  /** The time of the last refresh, in milliseconds since the epoch; null for the list of this release. */
  at: z.number().nullable(),
  /** The reason why the list could not be refreshed or read, with what to do; null while all is well. */
  problem: z.string().nullable(),
  /** The number of entries that do not fit. */
  leftOut: z.int().nonnegative(),
});

/** A small picture of an image, as an address with its data; empty where none could be made. */
const thumbnail = z
  .string()
  .max(LARGEST_THUMBNAIL)
  .regex(/^(?:data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2})?$/);

/** An image that goes along with a prompt. */
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

/** A thing of the live image, or of a text, that goes along with a prompt. */
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
  /** The words of its chip: "form in cart.lisp, line 20". */
  title: z.string().min(1).max(300),
  /** The text; of an image there is none. */
  text: z.string().max(200_000),
  /** The image, where it is one. */
  image: promptImage.optional(),
});

const promptContexts = z
  .array(promptContext)
  .max(20)
  .refine(
    (all) => all.filter(({ image }) => image).length <= MOST_IMAGES,
    `A prompt has at most ${MOST_IMAGES} images.`,
  );

/** The text of an item that is kept and shown; `cut` is how many characters were left out behind it. */
const itemText = { text: z.string(), cut: z.int().nonnegative() };

const itemBase = {
  /** Number of the item in its conversation, from 1; a later state of the same item has the same. */
  seq: z.int().positive(),
  /** Milliseconds since the epoch. */
  at: z.number(),
};

/** Something in a conversation with an agent. */
export const agentItem = z.discriminatedUnion('kind', [
  /** The person's prompt, with the titles of what went along, and the images by their names and thumbnails. */
  z.object({
    kind: z.literal('asked'),
    ...itemBase,
    ...itemText,
    context: z.array(z.string()),
    images: z.array(z.object({ name: z.string(), thumbnail: thumbnail.catch('') })).default([]),
  }),
  /** The agent's words, in Markdown; `open` while more of them may come. */
  z.object({ kind: z.literal('said'), ...itemBase, ...itemText, open: z.boolean() }),
  z.object({ kind: z.literal('thought'), ...itemBase, ...itemText, open: z.boolean() }),
  /** A call of a tool, as the agent tells it. */
  z.object({
    kind: z.literal('call'),
    ...itemBase,
    /** The id that the agent has given the call. */
    id: z.string(),
    title: z.string(),
    status: z.enum(['pending', 'running', 'done', 'failed']),
    /** The name of the workbench's tool that it calls; null for a tool of the agent's own. */
    tool: z.string().nullable(),
    /** The id of the call in the activity, once the workbench got it; null while, or where, it did not. */
    call: z.string().nullable(),
    input: z.object(itemText),
    output: z.object(itemText),
    /** Files that it says it works on. */
    files: z.array(z.object({ path: z.string(), line: z.int().nullable() })),
  }),
  /** Words of the workbench about the conversation: a stop, a refusal, the end of a process. */
  z.object({
    kind: z.literal('notice'),
    ...itemBase,
    ...itemText,
    tone: z.enum(['plain', 'warning', 'error']),
  }),
]);

/** A choice that an agent offers, such as its model. */
const agentPicker = z.object({
  id: z.string(),
  title: z.string(),
  value: z.string(),
  choices: z.array(z.object({ value: z.string(), title: z.string(), detail: z.string() })),
});

/** A way to log in that an agent names. */
const loginMethod = z.object({
  id: z.string(),
  title: z.string(),
  detail: z.string(),
  /** True for a login that the agent's program does at a terminal; else the agent does it by itself, such as in a browser. */
  terminal: z.boolean(),
});

/** The terminal in which a person logs in the program of an agent. */
const loginTerminal = z.object({
  /** The agent's id, and the title of the login that it runs. */
  agent: z.string(),
  title: z.string(),
  /** Number of this login among those of all agents. */
  run: z.int().positive(),
  /** The latest output with its control sequences, and the length of all output so far, in UTF-16 code units. */
  text: z.string(),
  total: z.int().nonnegative(),
  state: z.enum(['running', 'ended']),
  /** The sentence that tells how the login failed; null while it runs, and for one that has succeeded. */
  problem: z.string().nullable(),
});

const terminalSize = { columns: z.int().min(20).max(500), rows: z.int().min(5).max(200) };

/** A page of the web that an agent asks its person to open, as for a login. */
const askedPage = z.object({
  id: z.string(),
  /** The message of the agent, which may have a code to enter there. */
  message: z.string(),
  address: z.string(),
  /** True once the person has opened it: the agent waits for what they do there. */
  isOpened: z.boolean(),
});

export const hostedAgent = z.object({
  id: z.string(),
  /** The id of its program's recipe, and the program's title. */
  program: z.string(),
  title: z.string(),
  /** The client that it is in the workbench: its hue, mode, pause and image are the client's. */
  actor,
  /**
   * `login`: it wants the person to log in first; `stopping`: a turn was stopped, and its agent has not answered yet; `ended`: its process is gone,
   * and the conversation can be read.
   */
  state: z.enum(['starting', 'idle', 'working', 'stopping', 'login', 'ended']),
  standing: agentStanding,
  /** True while a request for a tool of its own waits in Review. */
  asks: z.boolean(),
  /** Why it ended or cannot go on, in words; null while all is well. */
  problem: z.string().nullable(),
  startedAt: z.number(),
  /** The start of the turn that runs; null between turns. */
  turnStartedAt: z.number().nullable(),
  plan: z.array(z.object({ text: z.string(), status: z.enum(['pending', 'in_progress', 'completed']) })),
  /** Tokens of the context that are used, of how many, and the cost that the agent itself tells: "0.12 USD". */
  usage: z.object({ used: z.number(), size: z.number(), cost: z.string().nullable() }).nullable(),
  pickers: z.array(agentPicker),
  /** The closest standing that promises only what the program keeps, where it was ended since it does not keep its own; else null. */
  looser: agentStanding.nullable(),
  /** True for an agent that says it takes images; unknown, and false, while it starts. */
  takesImages: z.boolean(),
  /** Commands that may begin a prompt, as `/init`. */
  commands: z.array(z.object({ name: z.string(), detail: z.string() })),
  logins: z.array(loginMethod),
  /** The page that it wants to have opened; null for none. */
  page: askedPage.nullable(),
  /** The prompt that is sent when the turn has ended; null for none. It can be taken back from an agent that has ended, too. */
  queued: z.string().nullable(),
  process: z.object({ pid: z.int(), memory: z.number().nullable() }).nullable(),
  /** True where an ended conversation can be gone on with in the same agent. */
  resumable: z.boolean(),
});

/** A conversation of the project that is kept. */
const keptConversation = z.object({
  id: z.string(),
  program: z.string(),
  title: z.string(),
  /** How far its agent was closed off the last time. */
  standing: agentStanding,
  startedAt: z.number(),
  /** The beginning of the first prompt. */
  about: z.string(),
  items: z.int().nonnegative(),
});

const agentId = z.object({ id: z.string() });

export const hostedAgentCalls = {
  /** Looks which agent programs there are, and which standings can be had. */
  'hosted.look': { input: z.object({}), output: z.object({ programs: z.array(agentProgram), list: agentList }) },
  /** Fetches the list of agents, and the newest versions of the programs that the workbench installed. A failure is told in the list. */
  'hosted.refreshList': { input: z.object({}), output: z.object({ list: agentList }) },
  /** Removes a program that the workbench installed; with `state` also its own state, such as its login and settings. */
  'hosted.remove': { input: z.object({ program: z.string(), state: z.boolean() }), output: z.object({}) },
  /** Installs a program into the workbench's own folder, or updates it there; how it goes is told by `hosted-programs-changed`. */
  'hosted.install': { input: z.object({ program: z.string() }), output: z.object({}) },
  'hosted.cancelInstall': { input: z.object({ program: z.string() }), output: z.object({}) },
  /** Starts an agent; `conversation` names a kept one that it goes on with. */
  'hosted.start': {
    input: z.object({ program: z.string(), standing: agentStanding, conversation: z.string().nullable() }),
    output: agentId,
  },
  /** Returns what goes along with the first prompt of a conversation: the project, and the instructions that lie in it. */
  'hosted.place': { input: agentId, output: z.object({ context: z.array(promptContext) }) },
  /** Sends a prompt, or queues it behind the turn that runs, after the one that is queued already and as one with it. */
  'hosted.prompt': {
    input: z.object({ id: z.string(), text: z.string().max(200_000), context: promptContexts }),
    output: z.object({}),
  },
  /** Takes the queued prompt back, with what was to go along. */
  'hosted.unqueue': { input: agentId, output: z.object({ text: z.string(), context: z.array(promptContext) }) },
  /** Stops the turn that runs, at the agent and in the image. */
  'hosted.stop': { input: agentId, output: z.object({}) },
  /** Ends the agent with its process, and keeps the conversation. */
  'hosted.end': { input: agentId, output: z.object({}) },
  /** Takes an ended agent off the list. */
  'hosted.close': { input: agentId, output: z.object({}) },
  'hosted.choose': {
    input: z.object({ id: z.string(), picker: z.string(), value: z.string() }),
    output: z.object({}),
  },
  /** Opens the session of an agent that wanted a login: by a method of its own, or null after one that was made elsewhere. */
  'hosted.login': { input: z.object({ id: z.string(), method: z.string().nullable() }), output: z.object({}) },
  /** Answers an agent that asks to open a page: the person has opened it, or does not want to. */
  'hosted.answerPage': {
    input: z.object({ id: z.string(), page: z.string(), isOpened: z.boolean() }),
    output: z.object({}),
  },
  /** Runs a login at a terminal; after one that succeeds the session is opened, and a prompt that waits is sent. One that ran before is closed. */
  'hosted.openLogin': {
    input: z.object({ id: z.string(), method: z.string(), ...terminalSize }),
    output: z.object({}),
  },
  'hosted.typeLogin': { input: z.object({ id: z.string(), text: z.string().max(100_000) }), output: z.object({}) },
  'hosted.resizeLogin': { input: z.object({ id: z.string(), ...terminalSize }), output: z.object({}) },
  'hosted.closeLogin': { input: agentId, output: z.object({}) },
  /** Items of a conversation before a number, the newest of them, in their order; null for the end. */
  'hosted.items': {
    input: z.object({ id: z.string(), before: z.int().nullable(), most: z.int().min(1).max(500) }),
    output: z.object({ items: z.array(agentItem) }),
  },
  /** The latest text that the program wrote on standard error. */
  'hosted.log': { input: agentId, output: z.object({ text: z.string() }) },
  /** Conversations of the project that is open, newest first. */
  'hosted.conversations': { input: z.object({}), output: z.object({ conversations: z.array(keptConversation) }) },
  'hosted.forget': { input: agentId, output: z.object({}) },
} as const;

export const hostedAgentEvents = {
  'hosted-agents-changed': z.array(hostedAgent),
  'hosted-programs-changed': z.array(agentProgram),
  /** The terminals in which somebody logs in. */
  'hosted-logins-changed': z.array(loginTerminal),
  /** An item is new, or has changed. */
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
