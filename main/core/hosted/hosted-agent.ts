/** A hosted agent, which the workbench runs: its process, its session, its turns, and how it stands. */
import type {
  AuthMethod,
  InitializeResponse,
  NewSessionResponse,
  SessionUpdate,
  StopReason,
} from '@agentclientprotocol/sdk';
import type { AgentItem, AgentStanding, HostedAgent as AgentView, PromptContext } from '#contract/hosted-agent.ts';
import type { Actor } from '#contract/session.ts';
import { beginning } from '#contract/text.ts';
import { Emitter } from '#core/emitter.ts';
import { messageOf, WorkbenchError } from '#core/error.ts';
import { AcpConnection, needsLogin, type AgentListener, type SessionWish } from './acp-connection.ts';
import { AgentProcess, type ProcessLaunch } from './agent-process.ts';
import { INTERRUPTED } from './kept-conversations.ts';
import { CallLinks } from './call-links.ts';
import { Conversation } from './conversation.ts';
import { type PermissionQueue, Permissions } from './permissions.ts';
import { loginLine } from './login-line.ts';
import { MODE_PICKER, pickersOf } from './pickers.ts';
import { checkImages, promptBlocks } from './prompt.ts';
import type { FoundProgram, RecognisedCall, Recipe, WorkbenchServer } from './recipes/recipe.ts';

export interface AgentParts {
  readonly id: string;
  readonly recipe: Recipe;
  readonly found: FoundProgram;
  readonly standing: AgentStanding;
  /** The folder of the project that it works on. */
  readonly project: string;
  /** The client that it is in the workbench. */
  readonly actor: Actor;
  readonly server: WorkbenchServer;
  readonly launch: ProcessLaunch;
  /** The folder of its state. */
  readonly home: string;
  /** The version of the workbench. */
  readonly version: string;
  readonly queue: PermissionQueue;
  /** Ends what the agent's client runs and waits for in the images. */
  readonly interrupt: (why: string) => void;
  /** Refuses the calls of its client with these words; null lets them be answered again. */
  readonly hold: (why: string | null) => void;
  readonly files: AgentListener['files'];
  /** The conversation that it goes on with, and the session of it that the agent knows; null for a new one. */
  readonly kept: { readonly items: readonly AgentItem[]; readonly session: string | null } | null;
}

/** A prompt that waits for the end of the turn that runs. */
export interface QueuedPrompt {
  readonly text: string;
  readonly context: readonly PromptContext[];
}

interface AgentEvents {
  changed: void;
  item: AgentItem;
  /** A turn begins or is over, or the process is gone: the conversation is kept now. */
  keepable: void;
}

/** Milliseconds that an agent has to end a turn that was stopped, before its process is ended. */
const STOP_MS = 5_000;
const MOST_PLANNED = 100;
const MOST_COMMANDS = 200;
const STOPPED = 'The person stopped this turn. Nothing more of it is done; wait for their next message.';

export class HostedAgent {
  readonly events = new Emitter<AgentEvents>();
  readonly conversation: Conversation;
  readonly #parts: AgentParts;
  readonly #links: CallLinks;
  readonly #permissions: Permissions;
  readonly #startedAt = Date.now();
  #process: AgentProcess | null = null;
  #connection: AcpConnection | null = null;
  #agent: InitializeResponse | null = null;
  #opened: Partial<NewSessionResponse> = {};
  #state: AgentView['state'] = 'starting';
  #problem: string | null = null;
  #turnStartedAt: number | null = null;
  #plan: AgentView['plan'] = [];
  #usage: AgentView['usage'] = null;
  #commands: AgentView['commands'] = [];
  #queued: QueuedPrompt | null = null;
  #memory: number | null = null;
  #log = '';
  #session: string | null;
  #ending: Promise<void> | null = null;
  /** True while the agent tells again what was said in a session that it goes on with. */
  #isReplaying = false;

  constructor(parts: AgentParts) {
    const { recipe, server, actor, standing, project, queue, kept } = parts;
    this.#parts = parts;
    this.#session = kept?.session ?? null;
    const recognise = (call: Parameters<Recipe['ownCall']>[0]): RecognisedCall | null => recipe.ownCall(call, server);
    this.conversation = new Conversation(recognise, kept?.items);
    this.#links = new CallLinks((seq, call) => this.conversation.link(seq, call));
    this.conversation.events.on('item', (item) => this.events.emit('item', item));
    this.conversation.events.on('recognised', ({ item, call }) => this.#links.told(item.seq, call));
    this.#permissions = new Permissions({
      agent: recipe.title,
      actor,
      standing,
      writesThroughHost: recipe.writesThroughHost === true,
      queue,
      project,
      recognise: (call) => this.conversation.recognise(call),
      changed: () => this.#changed(),
      requested: (call) => this.conversation.requested(call),
      refused: (words) => this.conversation.notice(words, 'warning'),
    });
  }

  get id(): string {
    return this.#parts.id;
  }

  get actor(): Actor {
    return this.#parts.actor;
  }

  get program(): string {
    return this.#parts.recipe.id;
  }

  /** The session as the agent knows it; null before there is one. */
  get session(): string | null {
    return this.#session;
  }

  /** True from a prompt to the end of its turn. */
  get isInTurn(): boolean {
    return this.#turnStartedAt !== null;
  }

  get hasEnded(): boolean {
    return this.#state === 'ended';
  }

  get log(): string {
    return this.#process?.log ?? this.#log;
  }

  view(): AgentView {
    const { id, recipe, standing, actor } = this.#parts;
    return {
      id,
      program: recipe.id,
      title: recipe.title,
      actor,
      state: this.#state,
      standing,
      asks: this.#permissions.isWaiting,
      problem: this.#problem,
      startedAt: this.#startedAt,
      turnStartedAt: this.#turnStartedAt,
      plan: this.#plan,
      usage: this.#usage,
      pickers: pickersOf(this.#opened, standing === 'unconfined' ? [] : (recipe.hiddenChoices ?? [])),
      commands: this.#commands,
      logins: (this.#agent?.authMethods ?? []).map((method) => ({
        id: method.id,
        title: method.name,
        detail: method.description ?? '',
        command: loginCommand(method, this.#parts),
      })),
      takesImages: this.#takesImages,
      queued: this.#queued?.text ?? null,
      process: this.#process ? { pid: this.#process.pid, memory: this.#memory } : null,
      resumable: this.#session !== null && this.#agent?.agentCapabilities?.loadSession === true,
    };
  }

  /** Starts the process and opens a session. What goes wrong is told by the state. */
  async open(): Promise<void> {
    try {
      await this.#open();
    } catch (error) {
      // A program that has just ended says more than the write to it that failed.
      const end = (await this.#process?.endsSoon()) ?? null;
      await this.#ended(
        this.#lossWords(end === null ? messageOf(error) : `It ended with ${end}.${lastLine(this.log)}`),
      );
    }
  }

  /** Words on why the agent is gone: of one that was never ready, that it could not be started. */
  #lossWords(why: string): string {
    return this.#state === 'starting' ? `${this.#parts.recipe.title} could not be started. ${why}` : why;
  }

  async #open(): Promise<void> {
    const { launch, version, files } = this.#parts;
    const process = (this.#process = await AgentProcess.start(launch));
    const connection = (this.#connection = new AcpConnection(process, {
      updated: (update) => this.#updated(update),
      asked: (request) => this.#permissions.answer(request, () => this.#state !== 'working'),
      files,
    }));
    this.#changed();
    const gone = Promise.race([
      process.ended,
      connection.closed.then(async (fault) => fault ?? (await process.endsSoon())),
    ]).then(async (end) => {
      const words = typeof end === 'string' ? `It ended with ${end}.${lastLine(process.log)}` : faultOf(end);
      await this.#ended(this.#lossWords(words));
      throw new WorkbenchError('system', words);
    });
    gone.catch(() => {}); // told by then, by the state
    this.#agent = await Promise.race([connection.initialize(version), gone]);
    if (this.#agent.agentCapabilities?.mcpCapabilities?.http !== true)
      throw new WorkbenchError('unsupported', 'It takes no MCP server over HTTP, by which it would reach the image.');
    await Promise.race([this.#openSession(), gone]);
  }

  async #openSession(): Promise<void> {
    const { recipe, standing, server, launch } = this.#parts;
    const connection = this.#connection!;
    const wish: SessionWish = {
      directory: launch.directory,
      servers: [
        {
          type: 'http',
          name: server.name,
          url: server.url,
          headers: [{ name: 'Authorization', value: `Bearer ${server.token}` }],
        },
      ],
      meta: recipe.sessionMeta?.({ standing, server }) ?? null,
    };
    try {
      if (this.#session !== null && this.#agent?.agentCapabilities?.loadSession) {
        this.#isReplaying = true;
        this.#opened = await connection.load(this.#session, wish);
      } else {
        this.#opened = await connection.open(wish);
        this.#session = connection.session;
      }
      this.#enter('idle');
    } catch (error) {
      if (!needsLogin(error)) throw error;
      this.#enter('login', this.#loginWords(error));
    } finally {
      this.#isReplaying = false;
    }
  }

  #loginWords(error: unknown): string {
    return `${this.#parts.recipe.title} wants you to log in. ${messageOf(error)}`;
  }

  /** Sends a prompt, or queues it behind the turn that runs and what is queued already. @throws WorkbenchError `refused` where the agent takes none now. */
  prompt(text: string, context: readonly PromptContext[]): void {
    const isBusy = this.#state === 'working' || this.#state === 'stopping';
    if (isBusy || this.#state === 'idle')
      checkImages([...(this.#queued?.context ?? []), ...context], this.#parts.recipe.title, this.#takesImages);
    if (isBusy) {
      const { text: before = null, context: along = [] } = this.#queued ?? {};
      this.#queued = {
        text: before === null ? text : `${before}\n\n${text}`,
        context: [...along, ...context],
      };
      return this.#changed();
    }
    if (this.#state !== 'idle')
      throw new WorkbenchError('refused', this.#problem ?? `${this.#parts.recipe.title} takes no message now.`);
    void this.#turn(text, context);
  }

  get #takesImages(): boolean {
    return this.#agent?.agentCapabilities?.promptCapabilities?.image === true;
  }

  /** Takes the queued prompt back, with what was to go along; null where none is queued. An agent that has ended still has it. */
  unqueue(): QueuedPrompt | null {
    const queued = this.#queued;
    this.#queued = null;
    this.#changed();
    return queued;
  }

  async #turn(text: string, context: readonly PromptContext[]): Promise<void> {
    const connection = this.#connection!;
    this.conversation.asked(text, context);
    this.#parts.hold(null);
    this.#turnStartedAt = Date.now();
    this.#plan = [];
    this.#enter('working');
    this.events.emit('keepable', undefined);
    const embedded = this.#agent?.agentCapabilities?.promptCapabilities?.embeddedContext === true;
    try {
      this.#told(await connection.prompt(promptBlocks(text, context, embedded)));
      this.#over();
    } catch (error) {
      // The end of its process is told by itself.
      if (this.hasEnded || connection.isClosed) return;
      this.conversation.endTurn();
      if (needsLogin(error)) return this.#leaveTurn('login', this.#loginWords(error));
      this.conversation.notice(`The turn ended with an error of the agent: ${messageOf(error)}`, 'error');
      this.#over();
    }
  }

  /** Words on why a turn ended, where it is not for having been done. */
  #told(reason: StopReason): void {
    this.conversation.endTurn();
    const words = this.#state === 'stopping' || reason === 'cancelled' ? 'Stopped.' : ENDS[reason];
    if (words) this.conversation.notice(words, reason === 'cancelled' ? 'plain' : 'warning');
  }

  #over(): void {
    this.#leaveTurn('idle');
    this.#sendQueued();
  }

  /** However a turn ends, nothing of it is left: the agent is in none, and no request of it waits for the person. */
  #leaveTurn(state: 'idle' | 'login', problem: string | null = null): void {
    this.#turnStartedAt = null;
    this.#memory = this.#process?.memory ?? null;
    this.#permissions.cancel();
    this.#enter(state, problem);
    this.events.emit('keepable', undefined);
  }

  #sendQueued(): void {
    if (this.#state !== 'idle') return;
    const next = this.#queued;
    this.#queued = null;
    if (next) void this.#turn(next.text, next.context);
  }

  /** Stops the turn that runs, at the agent and in the image at the same time; an agent that goes on all the same is ended. */
  stop(): void {
    if (this.#state !== 'working') return;
    const started = this.#turnStartedAt;
    this.#enter('stopping');
    this.#parts.hold(STOPPED);
    this.#permissions.cancel();
    void this.#connection?.cancel().catch(() => {}); // its end is told otherwise
    this.#parts.interrupt(STOPPED);
    setTimeout(() => {
      if (this.#state !== 'stopping' || this.#turnStartedAt !== started) return;
      const { title } = this.#parts.recipe;
      void this.#ended(`${title} went on though its turn was stopped, so its process was ended.`);
    }, STOP_MS).unref();
  }

  /** Ends it, with its process; `why` is null where the person ended it. */
  async end(why: string | null): Promise<void> {
    await this.#ended(why);
  }

  /** Writes a queued prompt into the conversation, where nobody will be there to take it back. */
  keepUnsent(): void {
    if (this.#queued) this.conversation.notice(`This prompt was queued, and not sent: ${this.#queued.text}`, 'warning');
    this.#queued = null;
  }

  async choose(picker: string, value: string): Promise<void> {
    const shown = this.view().pickers.find(({ id }) => id === picker);
    if (!shown?.choices.some((choice) => choice.value === value))
      throw new WorkbenchError('not-found', 'The agent does not offer that any more.');
    if (picker === MODE_PICKER && !this.#opened.configOptions?.length) await this.#connection!.setMode(value);
    else await this.#connection!.setOption(picker, value);
    this.#chosen(picker, value);
  }

  /**
   * Logs in by a method of the agent's, null where that was done elsewhere, and opens the session anew; a prompt that was queued as the login
   * became wanted is sent then.
   */
  async login(method: string | null): Promise<void> {
    if (method !== null) await this.#connection!.authenticate(method);
    await this.#openSession();
    this.#sendQueued();
  }

  /** The workbench got a call of its client's. */
  called(id: string, tool: string, args: Readonly<Record<string, unknown>>): void {
    this.#links.made(id, tool, args);
  }

  #updated(update: SessionUpdate): void {
    const { sessionUpdate: kind } = update;
    if (kind === 'plan')
      this.#plan = update.entries
        .slice(0, MOST_PLANNED)
        .map(({ content, status }) => ({ text: beginning(content, 500), status }));
    else if (kind === 'usage_update') this.#usage = { used: update.used, size: update.size, cost: costOf(update.cost) };
    else if (kind === 'available_commands_update')
      this.#commands = update.availableCommands
        .slice(0, MOST_COMMANDS)
        .map(({ name, description }) => ({ name, detail: beginning(description, 300) }));
    else if (kind === 'current_mode_update') return this.#chosen(MODE_PICKER, update.currentModeId);
    else if (kind === 'config_option_update') this.#opened = { ...this.#opened, configOptions: update.configOptions };
    // Of a session that it goes on with the items are kept already.
    else return this.#isReplaying ? undefined : this.conversation.take(update);
    this.#changed();
  }

  #chosen(picker: string, value: string): void {
    const { modes, configOptions } = this.#opened;
    this.#opened = {
      modes: picker === MODE_PICKER && modes ? { ...modes, currentModeId: value } : (modes ?? null),
      configOptions: (configOptions ?? []).map((each) =>
        each.id === picker && each.type === 'select' ? { ...each, currentValue: value } : each,
      ),
    };
    this.#changed();
  }

  /** Resolves when its process is gone, whoever ended it first. */
  #ended(why: string | null): Promise<void> {
    return (this.#ending ??= this.#end(why));
  }

  async #end(why: string | null): Promise<void> {
    const inTurn = this.#turnStartedAt !== null;
    // Of a start that failed the panel says why: nothing was said in the conversation that its end belongs to.
    const wasStarting = this.#state === 'starting';
    this.#state = 'ended';
    this.#problem = why;
    this.#turnStartedAt = null;
    this.#permissions.cancel();
    this.conversation.endTurn();
    if (why !== null && !wasStarting) this.conversation.notice(why, 'error');
    else if (inTurn) this.conversation.notice(INTERRUPTED, 'warning');
    this.#parts.hold(STOPPED);
    this.#parts.interrupt(STOPPED);
    const process = this.#process;
    this.#changed();
    this.#connection?.close();
    await process?.end();
    this.#log = process?.log ?? '';
    this.#process = null;
    this.#changed();
    this.events.emit('keepable', undefined);
  }

  #enter(state: AgentView['state'], problem: string | null = null): void {
    if (this.hasEnded) return;
    this.#state = state;
    this.#problem = problem;
    this.#changed();
  }

  #changed(): void {
    this.events.emit('changed', undefined);
  }
}

const ENDS: Readonly<Record<StopReason, string | null>> = {
  end_turn: null,
  cancelled: 'Stopped.',
  max_tokens: 'The agent ended here, since its answer reached the greatest length.',
  max_turn_requests: 'The agent ended here, since it had asked its model as often as it may in one turn.',
  refusal: 'The agent refused to go on with this.',
};

function costOf(cost: { amount: number; currency: string } | null | undefined): string | null {
  return cost ? `${cost.amount.toFixed(2)} ${beginning(cost.currency, 8)}` : null;
}

/** The line that logs in at a terminal; null where the agent does it by itself. */
function loginCommand(method: AuthMethod, { recipe, found, launch, home }: AgentParts): string | null {
  const named = 'type' in method && method.type === 'terminal' ? (method.args ?? []) : null;
  const args = named ?? recipe.loginArguments?.({ id: method.id }) ?? null;
  return args === null ? null : loginLine(found, args, launch.environment, home);
}

function faultOf(fault: Error | null): string {
  return fault === null
    ? 'It closed the connection, though its process went on.'
    : `${messageOf(fault)}, so its process was ended.`;
}

function lastLine(log: string): string {
  const line = log.trim().split('\n').at(-1) ?? '';
  return line === '' ? '' : ` It said: ${beginning(line, 300)}`;
}
