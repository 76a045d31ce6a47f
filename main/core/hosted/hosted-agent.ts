/** A hosted agent, which the workbench runs: its process, its session, its turns, and how it stands. */
import type { InitializeResponse, SessionUpdate } from '@agentclientprotocol/sdk';
import type {
  AgentItem,
  AgentStanding,
  HostedAgent as AgentView,
  LoginTerminal as TerminalView,
  PromptContext,
} from '#contract/clients/hosted-agent.ts';
import type { Actor } from '#contract/image/session.ts';
import { Emitter } from '#core/base/emitter.ts';
import { messageOf, WorkbenchError } from '#core/base/error.ts';
import { needsLogin, type AgentConnection, type AgentListener, type SessionWish } from './acp/connection.ts';
import { introduce } from './acp/introduction.ts';
import { AgentProcess } from './process/agent-process.ts';
import { AskedPages } from './login/asked-pages.ts';
import { INTERRUPTED } from './kept-conversations.ts';
import { CallLinks } from './process/call-links.ts';
import { Conversation } from './conversation.ts';
import { type PermissionQueue, Permissions } from './permissions.ts';
import { Login, terminalLogin } from './login/login.ts';
import type { TerminalMaker, TerminalSize } from './login/login-terminal.ts';
import { lastWords } from './process/last-words.ts';
import type { PreparedLaunch } from './process/launches.ts';
import { sessionWish } from './session-wish.ts';
import type { Reported } from './standings/modes.ts';
import { HeldModes } from './standings/held-modes.ts';
import { StandingError } from './standings/standing-error.ts';
import { ReportedState } from './reported-state.ts';
import { Turns, type QueuedPrompt, type TurnsAgent } from './turns.ts';
import type { RecognisedCall, Recipe, WorkbenchServer } from './recipes/recipe.ts';

export interface AgentParts {
  readonly id: string;
  readonly recipe: Recipe;
  readonly standing: AgentStanding;
  /** The folder of the project that it works on. */
  readonly project: string;
  /** The client that it is in the workbench. */
  readonly actor: Actor;
  readonly server: WorkbenchServer;
  readonly launch: PreparedLaunch;
  /** Looks, before a start, whether the program keeps the standing. @throws StandingError where it does not. */
  readonly check: (signal: AbortSignal) => Promise<void>;
  /** Resolves with what makes terminals. @throws WorkbenchError where there is none on this system. */
  readonly terminals: () => Promise<TerminalMaker>;
  /** The version of the workbench. */
  readonly version: string;
  readonly queue: PermissionQueue;
  /** Ends what the agent's client runs and waits for in the images. */
  readonly interrupt: (why: string) => void;
  /** Refuses the calls of its client with these words; null lets them be answered again. */
  readonly hold: (why: string | null) => void;
  readonly files: AgentListener['files'];
  /** Records that the agent was refused something, or tried to get around its standing. */
  readonly refused: (words: string) => void;
  /** Milliseconds that it has to ask for our tools; 15 seconds when left out. */
  readonly listingMs?: number | undefined;
  /** The conversation that it goes on with, and the session of it that the agent knows; null for a new one. */
  readonly kept: { readonly items: readonly AgentItem[]; readonly session: string | null } | null;
}

interface AgentEvents {
  changed: void;
  /** The terminal of its login is another, or has another text. */
  login: void;
  item: AgentItem;
  /** A turn begins or is over, or the process is gone: the conversation is kept now. */
  keepable: void;
}

/** Milliseconds after which an agent that has not asked for our tools is told of. */
const LISTING_MS = 15_000;
const STOPPED = 'The person stopped this turn. Nothing more of it is done; wait for their next message.';

export class HostedAgent {
  readonly events = new Emitter<AgentEvents>();
  readonly conversation: Conversation;
  readonly #parts: AgentParts;
  readonly #links: CallLinks;
  readonly #permissions: Permissions;
  readonly #turns: Turns;
  readonly #reported = new ReportedState();
  readonly #login: Login;
  readonly #pages = new AskedPages(() => this.#changed());
  readonly #startedAt = Date.now();
  #process: AgentProcess | null = null;
  #connection: AgentConnection | null = null;
  #agent: InitializeResponse | null = null;
  readonly #modes: HeldModes;
  /** True once the agent has asked for the list of our tools; `listing` resolves then. */
  #hasListed = false;
  #listing = Promise.withResolvers<void>();
  #looser: AgentStanding | null = null;
  readonly #starting = new AbortController();
  /** The look at its tools before the start. */
  #checking: Promise<void> | null = null;
  #state: AgentView['state'] = 'starting';
  #problem: string | null = null;
  #memory: number | null = null;
  #log = '';
  #session: string | null;
  #ending: Promise<void> | null = null;
  /** True where the login that is wanted was tried, and did not let it in. */
  #hasTriedLogin = false;
  /** True while the agent tells again what was said in a session that it goes on with. */
  #isReplaying = false;

  constructor(parts: AgentParts) {
    const { id, recipe, server, actor, standing, project, queue, kept, launch, terminals } = parts;
    this.#parts = parts;
    this.#login = new Login({
      agent: id,
      launch: launch.login,
      maker: terminals,
      changed: () => this.events.emit('login', undefined),
    });
    this.#session = kept?.session ?? null;
    this.#modes = new HeldModes({
      recipe,
      standing,
      connection: () => this.#connection!,
      changed: () => this.#changed(),
      lost: (error) => void this.#failed(error),
    });
    const recognise = (call: Parameters<Recipe['ownCall']>[0]): RecognisedCall | null => recipe.ownCall(call, server);
    this.conversation = new Conversation(recognise, kept?.items, recipe.remarks);
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
      refused: (words) => {
        parts.refused(words);
        this.conversation.notice(words, 'warning');
      },
    });
    this.#turns = new Turns(this.#turnsAgent());
  }

  #turnsAgent(): TurnsAgent {
    const { recipe, hold, interrupt } = this.#parts;
    return {
      title: recipe.title,
      conversation: this.conversation,
      state: () => ({ state: this.#state, problem: this.#problem, takesImages: this.#takesImages }),
      connection: () => this.#connection!,
      enter: (state, problem) => this.#enter(state, problem),
      beginning: () => {
        hold(null);
        this.#modes.expectChanges();
        this.#reported.clearPlan();
      },
      changedTurn: () => this.events.emit('keepable', undefined),
      leaving: () => {
        this.#pages.clear();
        this.#memory = this.#process?.memory ?? null;
        this.#permissions.cancel();
      },
      cancel: () => {
        hold(STOPPED);
        this.#permissions.cancel();
        void this.#connection?.cancel().catch(() => {}); // its end is told otherwise
        interrupt(STOPPED);
      },
      endStubborn: () =>
        void this.#ended(`${recipe.title} went on though its turn was stopped, so its process was ended.`),
      loginWords: (error) => this.#loginWords(error),
      changed: () => this.#changed(),
    };
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
    return this.#turns.startedAt !== null;
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
      turnStartedAt: this.#turns.startedAt,
      ...this.#reported.view,
      pickers: this.#modes.pickers,
      looser: this.#looser,
      logins: (this.#agent?.authMethods ?? []).map((method) => ({
        id: method.id,
        title: method.name,
        detail: method.description ?? '',
        terminal: terminalLogin(method) !== null,
      })),
      page: this.#pages.view,
      takesImages: this.#takesImages,
      queued: this.#turns.queued,
      process: this.#process ? { pid: this.#process.pid, memory: this.#memory } : null,
      resumable: this.#session !== null && this.#agent?.agentCapabilities?.loadSession === true,
    };
  }

  /** Starts the process and opens a session. What goes wrong is told by the state. */
  async open(): Promise<void> {
    try {
      await this.#open();
    } catch (error) {
      await this.#failed(error);
    }
  }

  /** Ends it for an error after which it cannot go on. */
  async #failed(error: unknown): Promise<void> {
    // A program that has just ended says more than the write to it that failed.
    const end = (await this.#process?.endsSoon()) ?? null;
    if (end === null && error instanceof StandingError) this.#looser = error.looser;
    if (end === null && error instanceof WorkbenchError && error.code === 'refused') this.#parts.refused(error.message);
    await this.#ended(this.#lossWords(end === null ? messageOf(error) : endWords(end, this.log)));
  }

  /** Words on why the agent is gone: of one that was never ready, that it could not be started. */
  #lossWords(why: string): string {
    return this.#state === 'starting' ? `${this.#parts.recipe.title} could not be started. ${why}` : why;
  }

  async #open(): Promise<void> {
    const { launch, version, files, check, recipe, refused } = this.#parts;
    this.#checking = check(this.#starting.signal);
    await this.#checking;
    this.#hasListed = false; // that was the check
    this.#listing = Promise.withResolvers();
    for (const name of await launch.writeFiles())
      refused(`It had put something else in the place of ${name} in its home, which was replaced and not followed.`);
    this.#starting.signal.throwIfAborted();
    const process = (this.#process = await AgentProcess.start(launch.agent));
    if (this.hasEnded) return process.end(); // ended while it was started
    this.#changed();
    const listener: AgentListener = {
      updated: (update) => this.#updated(update),
      asked: (request, signal) => this.#permissions.answer(request, () => this.#state !== 'working', signal),
      began: (over) => {
        this.#turns.began(over);
        if (this.#state === 'idle') this.#enter('idle');
      },
      pages: {
        ask: (request, signal) => this.#pages.ask(request, signal),
        completed: (id) => this.#pages.completed(id),
      },
      files,
    };
    const died = process.ended.then((end) => this.#lose(endWords(end, process.log)));
    died.catch(() => {}); // told by the state
    const { connection, agent } = await Promise.race([introduce(process, listener, version, recipe.protocol), died]);
    this.#connection = connection;
    this.#agent = agent;
    const closed = connection.closed.then(async (fault) => {
      const end = fault === null ? await process.endsSoon() : null;
      return this.#lose(end === null ? faultOf(fault) : endWords(end, process.log));
    });
    closed.catch(() => {}); // told by the state
    const gone = Promise.race([died, closed]);
    gone.catch(() => {}); // told by the state
    if (this.#agent.agentCapabilities?.mcpCapabilities?.http !== true)
      throw new WorkbenchError('unsupported', 'It takes no MCP server over HTTP, by which it would reach the image.');
    await Promise.race([this.#openSession(), gone]);
  }

  /** The agent is gone, for this reason. @throws WorkbenchError always, for whoever waits for the agent. */
  async #lose(why: string): Promise<never> {
    await this.#ended(this.#lossWords(why));
    throw new WorkbenchError('system', why);
  }

  async #openSession(): Promise<void> {
    const { recipe, standing, server, launch } = this.#parts;
    const connection = this.#connection!;
    const wish = sessionWish(recipe, standing, server, launch.agent.directory);
    this.#modes.opening();
    try {
      const known = this.#session === null ? null : await this.#resume(connection, this.#session, wish);
      const reported = known ?? (await connection.open(wish));
      this.#session = connection.session;
      await this.#modes.opened(reported);
      await this.#awaitListing();
    } catch (error) {
      if (!needsLogin(error)) throw error;
      this.#enter('login', this.#loginWords(error));
    }
  }

  /** Goes on with a session of before. Resolves with null where the agent does not know it any more: it has another home in each standing, and may forget. */
  async #resume(connection: AgentConnection, session: string, wish: SessionWish): Promise<Reported | null> {
    if (!this.#agent?.agentCapabilities?.loadSession) return null;
    this.#isReplaying = true;
    try {
      return await connection.load(session, wish);
    } catch (error) {
      if (needsLogin(error) || error instanceof WorkbenchError || connection.isClosed) throw error;
      this.conversation.notice(
        `${this.#parts.recipe.title} no longer has this conversation (${messageOf(error)}). It is shown here, but its model starts without it.`,
        'warning',
      );
      return null;
    } finally {
      this.#isReplaying = false;
    }
  }

  /** The agent is ready once it has asked for the list of our tools: without them its model can do nothing here. */
  async #awaitListing(): Promise<void> {
    const timer = Promise.withResolvers<void>();
    const timeout = setTimeout(() => timer.resolve(), this.#parts.listingMs ?? LISTING_MS);
    await Promise.race([this.#listing.promise, timer.promise]);
    clearTimeout(timeout);
    // The agent may have changed a mode while it was waited for.
    if (this.#parts.standing !== 'unconfined') await this.#modes.hold();
    if (this.#hasListed) return this.#enter('idle');
    const { title } = this.#parts.recipe;
    this.#enter(
      'idle',
      `${title} has not asked for the tools of Lisp Workbench yet, so its model may not know them. Wait, or start it again.`,
    );
  }

  /** The agent's client has asked for the list of our tools. */
  listed(): void {
    if (this.#hasListed) return;
    this.#hasListed = true;
    this.#listing.resolve();
    if (this.#state === 'idle' || this.#state === 'working') this.#enter(this.#state);
  }

  #loginWords(error: unknown): string {
    const still = this.#hasTriedLogin ? 'still ' : '';
    return `${this.#parts.recipe.title} ${still}wants you to log in. ${messageOf(error)}`;
  }

  /** Sends a prompt, or queues it behind the turn that runs and what is queued already. @throws WorkbenchError `refused` where the agent takes none now. */
  prompt(text: string, context: readonly PromptContext[]): void {
    this.#turns.prompt(text, context);
  }

  get #takesImages(): boolean {
    return this.#agent?.agentCapabilities?.promptCapabilities?.image === true;
  }

  /** Takes the queued prompt back, with what was to go along; null where none is queued. An agent that has ended still has it. */
  unqueue(): QueuedPrompt | null {
    return this.#turns.unqueue();
  }

  /** Stops the turn that runs, at the agent and in the image at the same time; an agent that goes on all the same is ended. */
  stop(): void {
    this.#turns.stop();
  }

  /** Ends it, with its process; `why` is null where the person ended it. */
  async end(why: string | null): Promise<void> {
    await this.#ended(why);
  }

  /** Writes a queued prompt into the conversation, where nobody will be there to take it back. */
  keepUnsent(): void {
    this.#turns.keepUnsent();
  }

  choose(picker: string, value: string): Promise<void> {
    return this.#modes.choose(picker, value);
  }

  /**
   * Logs in by a method of the agent's, null where that was done elsewhere, and opens the session anew; the prompt to which the agent
   * wanted the login is sent again then, and the one that was queued after it. Several may be tried at once: the first that succeeds counts.
   * @throws WorkbenchError `refused` where it wants no login; the error of the agent or of the session, after which it can be tried again.
   */
  async login(method: string | null): Promise<void> {
    this.#requireLogin();
    if (method !== null) await this.#connection!.authenticate(method);
    if (this.#state !== 'login') return; // ended, or let in by another one
    const { problem } = this.view();
    this.#hasTriedLogin = true;
    this.#enter('starting');
    await this.#login.close();
    this.#pages.clear();
    try {
      await this.#openSession();
    } catch (error) {
      if (error instanceof StandingError) return this.#failed(error);
      this.#enter('login', problem);
      throw error;
    }
    if (this.#state !== 'login') this.#hasTriedLogin = false;
    this.#turns.sendQueued();
  }

  #requireLogin(): void {
    if (this.#state !== 'login')
      throw new WorkbenchError('refused', `${this.#parts.recipe.title} does not ask for a login now.`);
  }

  /** The person has opened a page that it asked for, or does not want to. */
  answerPage(page: string, isOpened: boolean): void {
    this.#pages.answer(page, isOpened);
  }

  /** The terminal of its login; null where none is open. */
  get loginTerminal(): TerminalView | null {
    return this.#login.view;
  }

  /** Runs a login at a terminal. Once that has succeeded the session is opened, and a prompt that waits is sent. @throws WorkbenchError where it cannot be run. */
  async openLogin(id: string, size: TerminalSize): Promise<void> {
    const method = (this.#agent?.authMethods ?? []).find((each) => each.id === id);
    const login = method === undefined ? null : terminalLogin(method);
    this.#requireLogin();
    if (login === null)
      throw new WorkbenchError('not-found', `${this.#parts.recipe.title} does not offer this login at a terminal.`);
    const isIn = await this.#login.run(login, size);
    if (isIn && this.#state === 'login') await this.login(null);
  }

  typeLogin(text: string): void {
    this.#login.type(text);
  }

  resizeLogin(size: TerminalSize): void {
    this.#login.resize(size);
  }

  closeLogin(): Promise<void> {
    return this.#login.close();
  }

  /** The workbench got a call of its client's. */
  called(id: string, tool: string, args: Readonly<Record<string, unknown>>): void {
    this.#links.made(id, tool, args);
  }

  #updated(update: SessionUpdate): void {
    if (update.sessionUpdate === 'current_mode_update') return this.#modes.modeChanged(update.currentModeId);
    if (update.sessionUpdate === 'config_option_update') return this.#modes.optionsChanged(update.configOptions);
    if (this.#reported.take(update)) return this.#changed();
    // Of a session that it goes on with the items are kept already.
    if (!this.#isReplaying) this.conversation.take(update);
  }

  /** Resolves when its process is gone, whoever ended it first. */
  #ended(why: string | null): Promise<void> {
    return (this.#ending ??= this.#end(why));
  }

  async #end(why: string | null): Promise<void> {
    const inTurn = this.#turns.end();
    // Of a start that failed the panel says why: nothing was said in the conversation that its end belongs to.
    const wasStarting = this.#state === 'starting';
    this.#state = 'ended';
    this.#problem = why;
    this.#starting.abort();
    this.#pages.clear();
    this.#permissions.cancel();
    this.conversation.endTurn();
    if (why !== null && !wasStarting) this.conversation.notice(why, 'error');
    else if (inTurn) this.conversation.notice(INTERRUPTED, 'warning');
    this.#parts.hold(STOPPED);
    this.#parts.interrupt(STOPPED);
    const process = this.#process;
    this.#changed();
    this.#connection?.close();
    // The check ends its own process before it is over.
    await Promise.all([process?.end(), this.#login.close(), this.#checking?.catch(() => {})]);
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
    if (state === 'idle') this.#turns.showOwnWork();
  }

  #changed(): void {
    this.events.emit('changed', undefined);
  }
}

function faultOf(fault: Error | null): string {
  return fault === null
    ? 'It closed the connection, though its process went on.'
    : `${messageOf(fault)}, so its process was ended.`;
}

/** Words on the end of its process; of one that a signal has ended nothing that it said was the reason. */
function endWords(end: string, log: string): string {
  return `It ended with ${end}.${end.startsWith('the signal') ? '' : lastWords(log)}`;
}
