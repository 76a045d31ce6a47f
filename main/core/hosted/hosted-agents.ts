/**
 * The agents that the workbench runs. Starts each as a separate client, forwards the person's requests, and makes sure that its process
 * ends.
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type {
  AgentItem,
  AgentStanding,
  HostedAgent as AgentView,
  KeptConversation,
  LoginTerminal,
  PromptContext,
} from '#contract/clients/hosted-agent.ts';
import type { Actor } from '#contract/image/session.ts';
import { Emitter } from '#core/base/emitter.ts';
import { WorkbenchError } from '#core/base/error.ts';
import type { SandboxPaths } from '#core/lisp/start/sandbox.ts';
import type { Project } from '#core/project/project.ts';
import { messageForPerson } from '#core/base/system-faults.ts';
import type { CallStart } from '#core/tools/executor/caller.ts';
import type { AgentListener } from './acp/connection.ts';
import { HostedAgent } from './hosted-agent.ts';
import type { QueuedPrompt } from './turns.ts';
import { Launches } from './process/launches.ts';
import type { TerminalMaker, TerminalSize } from './login/login-terminal.ts';
import { KeptConversations, type StoredConversation } from './kept-conversations.ts';
import type { PermissionQueue } from './permissions.ts';
import type { AgentPrograms, ReadyProgram } from './programs/agent-programs.ts';
import { projectContext } from './programs/project-context.ts';

/** Creates and removes the agents' clients, and reports events about them. */
interface AgentClients {
  readonly events: Pick<
    Emitter<{ paused: { id: string; ends: boolean }; revoked: { id: string }; listed: { id: string } }>,
    'on'
  >;
  host(name: string): Promise<{ client: { id: string; name: string }; token: string }>;
  unhost(id: string): Promise<void>;
}

export interface HostedAgentsParts {
  readonly programs: AgentPrograms;
  readonly clients: AgentClients;
  readonly agents: { hold(id: string, why: string | null): void; interrupt(id: string, why: string): void };
  readonly calls: Pick<Emitter<{ started: CallStart }>, 'on'>;
  readonly queue: PermissionQueue;
  readonly project: () => Project;
  /** Returns true if the person has trusted the open folder. */
  readonly trusted: () => boolean;
  /**
   * Resolves with the address of MCP over HTTP, after starting that server if it is off. @throws WorkbenchError that says why there is no
   * address.
   */
  readonly address: () => Promise<string>;
  /** Returns the functions with which an agent reads and writes the project's files through the workbench. */
  readonly filesOf: (actor: Actor) => NonNullable<AgentListener['files']>;
  /** Records that a request of an agent was refused. */
  readonly refused: (actor: Actor, words: string) => void;
  /** The folder for the agents' state and conversations. */
  readonly folder: string;
  readonly sandbox: SandboxPaths;
  readonly environment: NodeJS.ProcessEnv;
  /** Resolves with the SBCL and the sources that create login terminals. @throws WorkbenchError if this system has none. */
  readonly terminals: () => Promise<TerminalMaker>;
  /** Additional folders that sandboxed agents can read. */
  readonly readable: readonly string[];
  readonly version: string;
  /** How long, in milliseconds, an agent may take to request the list of our tools. For tests. */
  readonly listingMs?: number | undefined;
}

interface HostedAgentsEvents {
  changed: AgentView[];
  item: { agent: string; item: AgentItem };
  logins: LoginTerminal[];
}

const SERVER = 'lisp-workbench';
/** The notice that appears when a conversation cannot be saved. It appears once, and again only after saving has worked in between. */
const UNKEPT = 'This conversation could not be saved with the project. The program tries again after each turn.';
/** The maximum number of agents that run at once, because each uses hundreds of megabytes. */
const MOST_AGENTS = 6;

export class HostedAgents {
  readonly events = new Emitter<HostedAgentsEvents>();
  readonly programs: AgentPrograms;
  readonly #parts: HostedAgentsParts;
  readonly #conversations: KeptConversations;
  readonly #launches: Launches;
  readonly #agents = new Map<string, { agent: HostedAgent; project: string }>();
  readonly #listening: (() => void)[];
  /** Starts in progress that resume a conversation, by the conversation's id, because two agents must not share a conversation. */
  readonly #resuming = new Map<string, Promise<string>>();
  /** Programs whose agents are about to start. */
  readonly #beginning: string[] = [];
  /** Resolves when all conversations passed to the store so far have been stored, one after the other. */
  #keeping: Promise<void> = Promise.resolve();
  /** Resolves when the clients of all agents that have ended so far have been removed, one after the other. */
  #leaving: Promise<void> = Promise.resolve();

  constructor(parts: HostedAgentsParts) {
    this.#parts = parts;
    this.programs = parts.programs;
    this.#launches = new Launches(parts);
    this.#conversations = new KeptConversations(path.join(parts.folder, 'conversations'));
    const ofClient = (id: string): HostedAgent[] => this.#running().filter(({ actor }) => actor.id === id);
    this.#listening = [
      parts.calls.on('started', ({ id, tool, args, actor }) => {
        for (const agent of ofClient(actor.id)) agent.called(id, tool.name, args);
      }),
      parts.clients.events.on('paused', ({ id, ends }) => {
        if (ends) for (const agent of ofClient(id)) agent.stop();
      }),
      parts.clients.events.on('listed', ({ id }) => {
        for (const agent of ofClient(id)) agent.listed();
      }),
      parts.clients.events.on('revoked', ({ id }) => {
        for (const agent of ofClient(id)) void agent.end('Its token was revoked in Clients, so the agent was ended.');
      }),
    ];
  }

  list(): AgentView[] {
    const { root } = this.#parts.project();
    return [...this.#agents.values()].map(({ agent, project }) => {
      const view = agent.view();
      // A conversation is stored with its project, so it can be resumed only while that project is open.
      return { ...view, resumable: view.resumable && project === root };
    });
  }

  /** Returns items from the conversation of an agent in the list, or from a stored conversation. */
  async items(id: string, before: number | null, most: number): Promise<AgentItem[]> {
    const shown = this.#agents.get(id)?.agent.conversation;
    const { root } = this.#parts.project();
    if (shown || root === null) return this.#find(id).conversation.page(before, most);
    await this.#keeping;
    const { items } = await this.#conversations.read(root, id);
    return items.filter(({ seq }) => before === null || seq < before).slice(-most);
  }

  log(id: string): string {
    return this.#find(id).log;
  }

  /**
   * Starts an agent, and returns its id as soon as it is known; the agent's state reports the progress. `conversation` is the id of a
   * stored conversation to resume; if an agent is already running for it, that agent is used. @throws WorkbenchError that explains why no
   * agent can start, and what to do.
   */
  async start(program: string, standing: AgentStanding, conversation: string | null): Promise<string> {
    if (conversation === null) return this.#start(program, standing, null);
    const known = this.#resuming.get(conversation);
    if (known) return known;
    const { agent } = this.#agents.get(conversation) ?? {};
    if (agent && !agent.hasEnded) return conversation;
    // The previous agent's process may not have exited yet, and the conversation is only complete once it has.
    const started = Promise.resolve(agent?.end(null)).then(() => this.#start(program, standing, conversation));
    this.#resuming.set(conversation, started);
    try {
      return await started;
    } finally {
      this.#resuming.delete(conversation);
    }
  }

  async #start(program: string, standing: AgentStanding, conversation: string | null): Promise<string> {
    const { programs, project, trusted } = this.#parts;
    const { root } = project();
    if (root === null) throw new WorkbenchError('refused', 'Open a folder first: an agent works on a project.');
    if (!trusted())
      throw new WorkbenchError('refused', 'Trust the folder first: its files could contain instructions for an agent.');
    if (this.#running().length >= MOST_AGENTS)
      throw new WorkbenchError('too-large', `${MOST_AGENTS} agents are already running. End one of them first.`);
    using _ = this.#begins(program);
    const ready = await programs.ready(program);
    if (!ready.program.standings.includes(standing))
      throw new WorkbenchError('refused', `${ready.recipe.title} cannot run with this access level here.`);
    await this.#keeping;
    const kept = conversation === null ? null : await this.#conversations.read(root, conversation);
    const agent = await this.#make(ready, standing, root, kept);
    void agent.open();
    return agent.id;
  }

  /** Returns true if an agent of the program is running or about to start. */
  runs(program: string): boolean {
    return this.#beginning.includes(program) || this.#running().some((agent) => agent.program === program);
  }

  /** Counts an agent of the program as running while it is being started. */
  #begins(program: string): Disposable {
    this.#beginning.push(program);
    return { [Symbol.dispose]: () => void this.#beginning.splice(this.#beginning.indexOf(program), 1) };
  }

  /** Returns the context for the first prompt of a conversation; empty if the conversation already has a prompt. */
  async place(id: string): Promise<PromptContext[]> {
    const agent = this.#find(id);
    if (agent.conversation.hasBegun) return [];
    return projectContext(this.#parts.project(), agent.view().standing);
  }

  prompt(id: string, text: string, context: readonly PromptContext[]): void {
    this.#find(id).prompt(text, context);
  }

  unqueue(id: string): QueuedPrompt | null {
    return this.#find(id).unqueue();
  }

  stop(id: string): void {
    this.#find(id).stop();
  }

  async end(id: string): Promise<void> {
    await this.#find(id).end(null);
  }

  /** Removes an agent from the list, after ending it if it is running. */
  async close(id: string): Promise<void> {
    await this.#find(id).end(null);
    this.#agents.delete(id);
    this.#changed();
  }

  choose(id: string, picker: string, value: string): Promise<void> {
    return this.#find(id).choose(picker, value);
  }

  login(id: string, method: string | null): Promise<void> {
    return this.#find(id).login(method);
  }

  answerPage(id: string, page: string, isOpened: boolean): void {
    this.#find(id).answerPage(page, isOpened);
  }

  /** Returns the open login terminals. */
  logins(): LoginTerminal[] {
    return [...this.#agents.values()].flatMap(({ agent }) => agent.loginTerminal ?? []);
  }

  openLogin(id: string, method: string, size: TerminalSize): Promise<void> {
    return this.#find(id).openLogin(method, size);
  }

  typeLogin(id: string, text: string): void {
    this.#find(id).typeLogin(text);
  }

  resizeLogin(id: string, size: TerminalSize): void {
    this.#find(id).resizeLogin(size);
  }

  closeLogin(id: string): Promise<void> {
    return this.#find(id).closeLogin();
  }

  /** Returns the project's stored conversations whose agents are not running. */
  async conversations(): Promise<KeptConversation[]> {
    const { root } = this.#parts.project();
    if (root === null) return [];
    await this.#keeping; // the list must include conversations that are being stored now
    return (await this.#conversations.list(root)).filter(({ id }) => !this.#isRunning(id));
  }

  async forget(id: string): Promise<void> {
    const { root } = this.#parts.project();
    await this.#keeping; // otherwise, a store operation in progress could store the conversation again
    if (root !== null) await this.#conversations.forget(root, id);
  }

  /** Ends the agents that work on another project. Call this when another folder was opened. */
  projectChanged(): void {
    const { root } = this.#parts.project();
    for (const { agent, project } of this.#agents.values())
      if (project !== root && !agent.hasEnded)
        void agent.end(
          'The agent ended because another folder was opened. The conversation is saved with its project.',
        );
    this.#changed();
  }

  /** Ends all agents. Resolves when all their processes have exited and their conversations are stored. */
  async dispose(): Promise<void> {
    for (const stop of this.#listening) stop();
    await this.programs.dispose();
    for (const agent of this.#running()) agent.keepUnsent();
    await Promise.all([...this.#agents.values()].map(({ agent }) => agent.end(null)));
    await this.#leaving;
    await this.#keeping;
  }

  #isRunning(id: string): boolean {
    return this.#agents.get(id)?.agent.hasEnded === false;
  }

  #running(): HostedAgent[] {
    return [...this.#agents.values()].map(({ agent }) => agent).filter((agent) => !agent.hasEnded);
  }

  async #make(
    ready: ReadyProgram,
    standing: AgentStanding,
    project: string,
    kept: StoredConversation | null,
  ): Promise<HostedAgent> {
    const { clients, agents, queue, filesOf, version, refused } = this.#parts;
    const { recipe } = ready;
    const url = await this.#parts.address();
    // The name of an ended agent's client may be used again, so the old token must be revoked first.
    await this.#leaving;
    const { client, token } = await clients.host(this.#nameFor(recipe.title));
    const actor: Actor = { id: client.id, kind: 'client', name: client.name };
    try {
      const server = { name: SERVER, url, token };
      const agent = new HostedAgent({
        id: kept?.id ?? randomUUID(),
        recipe,
        standing,
        project,
        actor,
        server,
        version,
        launch: await this.#launches.prepare({ ready, standing, project, server }),
        check: (signal) => this.#launches.check({ ready, standing, project, server }, signal),
        listingMs: this.#parts.listingMs,
        terminals: this.#parts.terminals,
        queue,
        interrupt: (why) => agents.interrupt(actor.id, why),
        hold: (why) => agents.hold(actor.id, why),
        files: recipe.writesThroughHost ? filesOf(actor) : null,
        refused: (words) => refused(actor, words),
        kept,
      });
      this.#follow(agent, project);
      return agent;
    } catch (error) {
      await clients.unhost(actor.id);
      throw error;
    }
  }

  #follow(agent: HostedAgent, project: string): void {
    this.#agents.set(agent.id, { agent, project });
    agent.events.on('login', () => this.events.emit('logins', this.logins()));
    agent.events.on('item', (item) => this.events.emit('item', { agent: agent.id, item }));
    let isClient = true;
    let isUnkept = false;
    agent.events.on('changed', () => {
      if (agent.hasEnded && isClient)
        this.#leaving = this.#leaving.then(() => this.#parts.clients.unhost(agent.actor.id));
      isClient = !agent.hasEnded;
      this.#changed();
    });
    agent.events.on('keepable', () => {
      const { id, program, title, standing, startedAt } = agent.view();
      const { session, conversation, isInTurn } = agent;
      const stored = { id, program, title, standing, session, startedAt, isInTurn, items: conversation.items };
      this.#keeping = this.#keeping
        .then(() => this.#conversations.keep(project, stored))
        .then(
          () => (isUnkept = false),
          (error: unknown) => {
            if (!isUnkept) conversation.notice(`${UNKEPT} ${messageForPerson(error)}`, 'warning');
            isUnkept = true;
          },
        )
        .then(() => {});
    });
    this.#changed();
  }

  /** Returns a name for the next client of a program that no running agent has. */
  #nameFor(title: string): string {
    const used = new Set(this.#running().map(({ actor }) => actor.name));
    for (let index = 1; ; index += 1) {
      const name = index === 1 ? `${title} here` : `${title} here ${index}`;
      if (!used.has(name)) return name;
    }
  }

  #find(id: string): HostedAgent {
    const found = this.#agents.get(id);
    if (!found) throw new WorkbenchError('not-found', 'This agent no longer exists.');
    return found.agent;
  }

  #changed(): void {
    this.events.emit('changed', this.list());
  }
}
