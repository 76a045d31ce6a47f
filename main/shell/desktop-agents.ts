/** The agents in the desktop. The module that runs them is loaded on first use, because the window's start does not need it. */
import { app } from 'electron';
import type { AgentItem, AgentProgram, HostedAgent, LoginTerminal } from '#contract/clients/hosted-agent.ts';
import type { HostedAgents } from '#core/hosted/hosted-agents.ts';
import { Emitter } from '#core/base/emitter.ts';
import type { OpenBuffer } from '#core/project/files/buffers.ts';
import type { Paths } from '#core/settings/paths.ts';
import type { Workbench } from '#core/workbench.ts';

interface DesktopAgentsEvents {
  changed: HostedAgent[];
  programs: AgentProgram[];
  item: { agent: string; item: AgentItem };
  logins: LoginTerminal[];
}

export class DesktopAgents {
  readonly events = new Emitter<DesktopAgentsEvents>();
  readonly #workbench: Workbench;
  readonly #paths: Paths;
  readonly #buffers: () => readonly OpenBuffer[];
  #loading: Promise<HostedAgents> | null = null;
  #host: HostedAgents | null = null;

  constructor(workbench: Workbench, paths: Paths, buffers: () => readonly OpenBuffer[]) {
    this.#workbench = workbench;
    this.#paths = paths;
    this.#buffers = buffers;
    workbench.events.on('project-changed', () => this.#host?.projectChanged());
  }

  /** Returns the listed agents; empty until the module that runs them is loaded. */
  list(): HostedAgent[] {
    return this.#host?.list() ?? [];
  }

  host(): Promise<HostedAgents> {
    return (this.#loading ??= this.#load());
  }

  async close(): Promise<void> {
    await (await this.#loading)?.dispose();
  }

  async #load(): Promise<HostedAgents> {
    const { addressOfServer, createAgentHost } = await import('#core/agent-host.ts');
    const host = createAgentHost(this.#workbench, {
      paths: this.#paths,
      environment: process.env,
      version: app.getVersion(),
      address: () => addressOfServer(this.#workbench),
      buffers: this.#buffers,
    });
    host.events.on('changed', (agents) => this.events.emit('changed', agents));
    host.events.on('item', (item) => this.events.emit('item', item));
    host.events.on('logins', (logins) => this.events.emit('logins', logins));
    host.programs.events.on('changed', (programs) => this.events.emit('programs', programs));
    this.#host = host;
    return host;
  }
}
