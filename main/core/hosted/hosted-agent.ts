/** A hosted agent, which the workbench runs: the agent's process, session, turns and state. */
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
  /** The project's folder in which the agent works. */
  readonly project: string;
  /** The agent's client in the workbench. */
  readonly actor: Actor;
  readonly server: WorkbenchServer;
  readonly launch: PreparedLaunch;
  /** Checks, before the agent starts, that its program respects the access level. @throws StandingError if it does not. */
  readonly check: (signal: AbortSignal) => Promise<void>;
  /** Resolves with the SBCL and the sources that create terminals. @throws WorkbenchError if this system has none. */
  readonly terminals: () => Promise<TerminalMaker>;
  /** The workbench's version. */
  readonly version: string;
  readonly queue: PermissionQueue;
  /** Interrupts all running and waiting code of the agent's client in the images. */
  readonly interrupt: (why: string) => void;
  /** Refuses the calls of the agent's client with the given reason; null accepts calls again. */
  readonly hold: (why: string | null) => void;
  readonly files: AgentListener['files'];
  /** Records that a request of the agent was refused, or that the agent tried to bypass its access level. */
  readonly refused: (words: string) => void;
  /** How long, in milliseconds, the agent may take to request the list of our tools; 15 seconds if omitted. */
  readonly listingMs?: number | undefined;
  /** The stored conversation to resume, with the id that the agent gave its session; null for a new conversation. */
  readonly kept: { readonly items: readonly AgentItem[]; readonly session: string | null } | null;
}

interface AgentEvents {
  changed: void;
  /** The login terminal, or its text, has changed. */
  login: void;
  item: AgentItem;
  /** The conversation should be stored now, because a turn begins or ends or the process has exited. */
  keepable: void;
}

/** How long, in milliseconds, to wait for an agent to request the list of our tools before the person is warned. */
const LISTING_MS = 15_000;
const STOPPED = 'The person stopped this turn, so the rest of it does not run. Wait for their next message.';

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
  /** True once the agent has requested the list of our tools. `listing` resolves at that time. */
  #hasListed = false;
  #listing = Promise.withResolvers<void>();
  #looser: AgentStanding | null = null;
  readonly #starting = new AbortController();
  /** The check of the access level before the start. */
  #checking: Promise<void> | null = null;
  #state: AgentView['state'] = 'starting';
  #problem: string | null = null;
  #memory: number | null = null;
  #log = '';
  #session: string | null;
  #ending: Promise<void> | null = null;
  /** True if the person tried to log in, but the agent still has no access. */
  #hasTriedLogin = false;
  /** True while the agent repeats the conversation so far of a resumed session. */
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
        void this.#connection?.cancel().catch(() => {}); // the agent reports separately how the turn ended
        interrupt(STOPPED);
      },
      endStubborn: () =>
        void this.#ended(`${recipe.title} continued although its turn was stopped, so its process was ended.`),
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

  /** The id that the agent gave the session; null before there is one. */
  get session(): string | null {
    return this.#session;
  }

  /** True from the start of a prompt's turn to the end of the turn. */
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

  /** Starts the process and opens a session. Errors appear in the agent's state. */
  async open(): Promise<void> {
    try {
      await this.#open();
    } catch (error) {
      await this.#failed(error);
    }
  }

  /** Ends the agent because of an error from which it cannot recover. */
  async #failed(error: unknown): Promise<void> {
    // If the program has exited, its exit status explains more than the write error that followed.
    const end = (await this.#process?.endsSoon()) ?? null;
    if (end === null && error instanceof StandingError) this.#looser = error.looser;
    if (end === null && error instanceof WorkbenchError && error.code === 'refused') this.#parts.refused(error.message);
    await this.#ended(this.#lossWords(end === null ? messageOf(error) : endWords(end, this.log)));
  }

  /**
   * Returns the message about an agent whose process or connection ended. If the agent was never ready, the message says that it could not
   * be started.
   */
  #lossWords(why: string): string {
    return this.#state === 'starting' ? `${this.#parts.recipe.title} could not be started. ${why}` : why;
  }

  async #open(): Promise<void> {
    const { launch, version, files, check, recipe, refused } = this.#parts;
    this.#checking = check(this.#starting.signal);
    await this.#checking;
    this.#hasListed = false; // the check before the start also requested the list, but that request does not count
    this.#listing = Promise.withResolvers();
    for (const name of await launch.writeFiles())
      refused(`The agent had replaced ${name} in its home folder. The workbench restored it.`);
    this.#starting.signal.throwIfAborted();
    const process = (this.#process = await AgentProcess.start(launch.agent));
    if (this.hasEnded) return process.end(); // the agent was ended during the start
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
    died.catch(() => {}); // reported by the state
    const { connection, agent } = await Promise.race([introduce(process, listener, version, recipe.protocol), died]);
    this.#connection = connection;
    this.#agent = agent;
    const closed = connection.closed.then(async (fault) => {
      const end = fault === null ? await process.endsSoon() : null;
      return this.#lose(end === null ? faultOf(fault) : endWords(end, process.log));
    });
    closed.catch(() => {}); // reported by the state
    const gone = Promise.race([died, closed]);
    gone.catch(() => {}); // reported by the state
    if (this.#agent.agentCapabilities?.mcpCapabilities?.http !== true)
      throw new WorkbenchError(
        'unsupported',
        'The agent does not support MCP servers over HTTP, which it needs to use the image.',
      );
    await Promise.race([this.#openSession(), gone]);
  }

  /** Ends the agent with this reason. @throws WorkbenchError always, so that the code that is waiting for the agent fails. */
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

  /**
   * Resumes an earlier session. Resolves with null if the agent no longer has that session, because it has a separate home for each access
   * level and may discard sessions.
   */
  async #resume(connection: AgentConnection, session: string, wish: SessionWish): Promise<Reported | null> {
    if (!this.#agent?.agentCapabilities?.loadSession) return null;
    this.#isReplaying = true;
    try {
      return await connection.load(session, wish);
    } catch (error) {
      if (needsLogin(error) || error instanceof WorkbenchError || connection.isClosed) throw error;
      this.conversation.notice(
        `${this.#parts.recipe.title} no longer has this conversation (${messageOf(error)}). The conversation is shown here, but the model does not know it.`,
        'warning',
      );
      return null;
    } finally {
      this.#isReplaying = false;
    }
  }

  /**
   * Waits until the agent requests the list of our tools, but only for a limited time. Without these tools, its model cannot act in the
   * image.
   */
  async #awaitListing(): Promise<void> {
    const timer = Promise.withResolvers<void>();
    const timeout = setTimeout(() => timer.resolve(), this.#parts.listingMs ?? LISTING_MS);
    await Promise.race([this.#listing.promise, timer.promise]);
    clearTimeout(timeout);
    // The agent may have changed a mode during the wait.
    if (this.#parts.standing !== 'unconfined') await this.#modes.hold();
    if (this.#hasListed) return this.#enter('idle');
    const { title } = this.#parts.recipe;
    this.#enter(
      'idle',
      `${title} has not requested the tools of Lisp Workbench yet, so its model may not know them. Wait, or restart the agent.`,
    );
  }

  /** Records that the agent's client has requested the list of our tools. */
  listed(): void {
    if (this.#hasListed) return;
    this.#hasListed = true;
    this.#listing.resolve();
    if (this.#state === 'idle' || this.#state === 'working') this.#enter(this.#state);
  }

  #loginWords(error: unknown): string {
    const still = this.#hasTriedLogin ? 'still ' : '';
    return `${this.#parts.recipe.title} ${still}requires you to log in. ${messageOf(error)}`;
  }

  /**
   * Sends a prompt. During a turn, queues the prompt after those that are already queued. @throws WorkbenchError `refused` if the agent
   * cannot accept a prompt now.
   */
  prompt(text: string, context: readonly PromptContext[]): void {
    this.#turns.prompt(text, context);
  }

  get #takesImages(): boolean {
    return this.#agent?.agentCapabilities?.promptCapabilities?.image === true;
  }

  /** Removes and returns the queued prompt with its context; null if none is queued. Also works after the agent has ended. */
  unqueue(): QueuedPrompt | null {
    return this.#turns.unqueue();
  }

  /** Stops the running turn, in the agent and in the image at the same time. If the agent continues anyway, ends the agent. */
  stop(): void {
    this.#turns.stop();
  }

  /** Ends the agent and its process. `why` is null if the person ended it. */
  async end(why: string | null): Promise<void> {
    await this.#ended(why);
  }

  /** Adds a queued prompt to the conversation as an item, so that it is not lost when the agent is closed. */
  keepUnsent(): void {
    this.#turns.keepUnsent();
  }

  choose(picker: string, value: string): Promise<void> {
    return this.#modes.choose(picker, value);
  }

  /**
   * Logs in with one of the agent's methods, or with null if the person logged in elsewhere, and opens the session again. Then sends the
   * prompt that required the login, and the prompt that was queued after it. Several logins may run at once; the first success counts.
   * @throws WorkbenchError `refused` if the agent does not require a login. Rethrows an error of the agent or session; the person can then
   * try again.
   */
  async login(method: string | null): Promise<void> {
    this.#requireLogin();
    if (method !== null) await this.#connection!.authenticate(method);
    if (this.#state !== 'login') return; // the agent has ended, or another login has succeeded
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
      throw new WorkbenchError('refused', `${this.#parts.recipe.title} does not need a login now.`);
  }

  /** Answers the agent's request to open a page: the person has opened it, or declined. */
  answerPage(page: string, isOpened: boolean): void {
    this.#pages.answer(page, isOpened);
  }

  /** The login terminal; null if none is open. */
  get loginTerminal(): TerminalView | null {
    return this.#login.view;
  }

  /**
   * Runs a login at a terminal. After a successful login, opens the session and sends a waiting prompt. @throws WorkbenchError if the login
   * cannot be run.
   */
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

  /** Records a call that the workbench received from the agent's client. */
  called(id: string, tool: string, args: Readonly<Record<string, unknown>>): void {
    this.#links.made(id, tool, args);
  }

  #updated(update: SessionUpdate): void {
    if (update.sessionUpdate === 'current_mode_update') return this.#modes.modeChanged(update.currentModeId);
    if (update.sessionUpdate === 'config_option_update') return this.#modes.optionsChanged(update.configOptions);
    if (this.#reported.take(update)) return this.#changed();
    // The items of a resumed session are stored already.
    if (!this.#isReplaying) this.conversation.take(update);
  }

  /** Resolves when the process has exited, whether or not the workbench ended it. */
  #ended(why: string | null): Promise<void> {
    return (this.#ending ??= this.#end(why));
  }

  async #end(why: string | null): Promise<void> {
    const inTurn = this.#turns.end();
    // If the start failed, the panel shows the reason, because the conversation has no turn to which the error belongs.
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
    // The check ends its own process before its promise resolves.
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
    ? 'The agent closed the connection, although its process continued.'
    : `${messageOf(fault)}, so its process was ended.`;
}

/** Describes the end of the process. If a signal ended the process, the last output is left out, because it does not contain the reason. */
function endWords(end: string, log: string): string {
  return `The agent ended with ${end}.${end.startsWith('the signal') ? '' : lastWords(log)}`;
}
